internal import ObjectModel

extension Rule {
  /// The rules about a project as a whole: its shipped versions, its lock and its acceptances.
  static let projects: [FindingCode: Rule] = [
    .shippedVersionRehashed: Rule(
      "A shipped version was edited so that its version hashes changed.",
      why: "Users have stores with the hashes of before, which fit no version any more: the app "
        + "cannot open them.",
      example: [
        "v2 as shipped:  Note { title: String }",
        "v2 today:       Note { title: String, isPinned: Boolean }",
      ],
      fix: "Undo the edit and make it in a new version. Where no store of the version can exist: "
        + "`waystone lock --accept v2 --reason \"...\"`."
    ),
    .shippedVersionEdited: Rule(
      "A shipped version was edited in a way that no version hash sees.",
      why: "Defaults, validation, delete rules, indexes, transformers and names of before decide "
        + "what a migration does to data. The apps out there have the old ones.",
      example: [
        "v2 as shipped:  Note { pinned: Boolean = NO }",
        "v2 today:       Note { pinned: Boolean = YES }",
      ],
      fix: "Undo the edit and make it in a new version, or accept it: `waystone lock --accept v2 "
        + "--reason \"...\"`."
    ),
    .shippedVersionAnnotated: Rule(
      "Class names, annotations, stored fetches or the like of a shipped version were changed.",
      why: "Only code reads them, so that no store and no migration depends on them.",
      fix: "Nothing needs to be done; `waystone lock --accept` takes it into the lock."
    ),
    .versionNotLocked: Rule(
      "A version is not locked.",
      why: "Once users have it, an edit of it would not be found.",
      fix: "Run `waystone lock VERSION` when users have it, and commit waystone.lock."
    ),
    .lockedOrderChanged: Rule(
      "The order of versions is not the one that was locked.",
      why: "The order carries the meaning of the app's history: plans for stores that users have "
        + "would change.",
      fix: "Restore it by `order:` in waystone.yml, or accept it: `waystone lock --accept V "
        + "--reason \"...\"`."
    ),
    .lockedVersionMissing: Rule(
      "A locked version is no longer there.",
      why: "Stores of it fit no version, so that nothing can migrate them.",
      fix: "Bring it back, or give it up: `waystone lock --accept V --reason \"...\"`. `waystone "
        + "prune` says what can go."
    ),
    .shippedVersionStranded: Rule(
      "No path leads from a shipped version to a newer one.",
      why: "Users who skipped the updates between could not open their data.",
      fix:
        "Mend the version that blocks, as long as no user has it: the finding says how. Else give the "
        + "app a mapping model for the step, which Waystone takes too. A hop file (`waystone init --hop V "
        + "W`) is for stores that Waystone migrates: the app does not read it. Where Waystone has no path "
        + "either, only an acceptance with `change: no path` lets it pass."
    ),
    .severalHeads: Rule(
      "Several versions claim to be the next after the last one that was locked.",
      why:
        "Two branches each made one. Taken one after the other, the later undoes what the earlier "
        + "adds.",
      example: ["v4 (locked) → v5   adds Note.color", "v4 (locked) → v5 2 adds Tag"],
      fix: "Make one of them again on top of the other, or put them in `order:`. `waystone heads` "
        + "says whether they touch the same things."
    ),
    .acceptanceFitsNothing: Rule(
      "`accept` in waystone.yml names a finding that does not occur.",
      why:
        "It may have been meant for something that moved, or hide the next one. An entry for a version that "
        + "was locked since then does not count.",
      fix: "Remove the entry, or correct its place and version."
    ),
    .lockMissing: Rule(
      "The project has no lock.",
      why: "An edit of a version that users have is not found.",
      fix: "Run `waystone lock`, and commit waystone.lock."
    ),
    .currentVersionDisputed: Rule(
      "A merge left two claims in .xccurrentversion.",
      why: "Which version is current decides what Xcode builds into the app.",
      fix: "Keep one of the two names, and remove the marks."
    ),
    .currentVersionIgnored: Rule(
      "The version that Xcode compiles as the current one is left out by `ignore:`.",
      why: "The app creates stores of that version, and no check looks at it.",
      fix: "Let `.xccurrentversion` name the version that the app uses, or do not ignore it."
    ),
  ]
}
