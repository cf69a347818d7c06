internal import ObjectModel

extension Rule {
  /// The rules about the outcomes of shipped versions.
  static let coverage: [FindingCode: Rule] = [
    .appFails: Rule(
      "The app itself could not open a store of a shipped version.",
      why: "Core Data takes a mapping model with the hashes of both versions, else what it infers; "
        + "where neither is there, users who come from that version see an error, or lose their "
        + "store.",
      fix:
        "Give the app a mapping model, or let it go another way: `runtime: progressive`. What is "
        + "known and meant, name in `accept:` with a reason."
    ),
    .appLosesSilently: Rule(
      "The app itself would open a store, and silently lose or change data.",
      why: "Core Data infers a mapping from the store's version straight to the current one. That "
        + "succeeds also where the versions between rename, reuse or transform a property. The values then "
        + "differ from those of users who took every update.",
      example: [
        "v1  Letter.title", "v2  Letter.heading, Renaming ID title",
        "v3  Letter.heading without it, and a new Letter.title",
        "from v1 straight to v3 the old titles become the new ones",
      ],
      fix:
        "Let the app migrate version by version, or give it a mapping model from the old version to the "
        + "current one. It is a warning where only new properties get other defaults: nothing is lost."
    ),
    .appOutcomeUnknown: Rule(
      "What the app itself would make of a store is unknown.",
      why:
        "Waystone cannot see what code does, a step of the history has no mapping, Renaming IDs differ, or "
        + "Apple's documents do not say whether Core Data infers a mapping. The store may lose data or not be "
        + "opened, so that it is always an error in `coverage`. `check` fails for it on the "
        + "way into a version that is not locked.",
      fix:
        "Mend the change that is the reason. Or try the app on a store of that version, and accept the finding "
        + "with that as the reason."
    ),
    .shippedWithoutPath: Rule(
      "Waystone has no safe path from a shipped version.",
      why:
        "Stores of that version could not be brought to the current one without undeclared loss.",
      fix: "Look at `waystone plan VERSION`, and write the mapping that is missing."
    ),
    .trialFailed: Rule(
      "The store of a trial did not arrive, or could not be tried.",
      why:
        "The migration failed, its result was not what it should be, or there is no store to try: a real "
        + "store may fail in the same way.",
      fix:
        "Make the store again with `waystone generate`, or take the one that was given, and look at "
        + "`waystone migrate`."
    ),
    .notExercised: Rule(
      "A trial has left something untried.",
      why: "What no made-up store has, such as a policy that was never called, the trial says "
        + "nothing about.",
      fix:
        "Try with more rows or another seed, or with a store of your own: `waystone coverage STORE "
        + "--run`."
    ),
    .coverageTooLow: Rule(
      "Fewer shipped versions arrive in the app than the project wants.",
      why: "The project says how many of a hundred must arrive: `policy: {coverage: 100}`.",
      fix: "See to the versions that do not arrive, accept their findings, or want fewer."
    ),
    .stagesMissing: Rule(
      "`runtime:` says that the app migrates by stages, and a model has none, or its container is given none.",
      why: "Without stages the app migrates straight from the store's version to the current one.",
      fix: "Write the stages as NAME.staged.yml, or say `runtime: direct`. For SwiftData, give the "
        + "container its SchemaMigrationPlan, or say `runtime: swiftdata`."
    ),
    .storeNotCovered: Rule(
      "A store that was given cannot be read, or is of no version that is known.",
      why: "What becomes of it is unknown.",
      fix: "Look at it with `waystone inspect`, or leave it out."
    ),
    .appKeepsMore: Rule(
      "The app itself would open a store and keep what the versions between drop or change.",
      why:
        "Core Data infers a mapping from the store's version straight to the current one. What a "
        + "version dropped and a later one added again is there at both ends, so that it is carried; so is "
        + "a number that a version between has in a smaller type. A user who took every update may have lost it. "
        + "What the finding names is not lost.",
      example: ["v1  Site.hasUpdate", "v2  without it", "v3  Site.hasUpdate again"],
      fix:
        "Nothing, if what was kept may be there. Else give the app a mapping model that leaves it out."
    ),
  ]
}
