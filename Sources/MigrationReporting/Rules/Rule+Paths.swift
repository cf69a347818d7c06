internal import ObjectModel

extension Rule {
  /// Rules about reading models.
  static let reading: [FindingCode: Rule] = [
    .unknownElement: Rule(
      "A model file has an XML element that the reader does not know.",
      why: "What it holds is left out, which may or may not matter to data.",
      fix: "Leave it. If stores of the version have other hashes than `versions` shows, report it."
    ),
    .unknownAttribute: Rule(
      "A model file has an XML attribute that the reader does not know.",
      why:
        "It is left out. At the root of the file it is harmless, elsewhere it may matter to data. Xcode's "
        + "compiler ignores names of Core Data's interface: a Renaming ID is elementID=, and not "
        + "renamingIdentifier=.",
      example: ["<attribute name=\"caption\" renamingIdentifier=\"headline\" …/>"],
      fix:
        "If the finding names the attribute that was meant, write that in a version that has not shipped. Else "
        + "leave it. If stores of the version have other hashes than `versions` shows, report it."
    ),
    .unusableValue: Rule(
      "A value in a model cannot be used as it is meant.",
      why: "A default that is no value of its type, for one: Xcode's compiler takes what it can.",
      fix: "Correct it in Xcode's model editor."
    ),
    .currentVersionUnknown: Rule(
      "A model does not say which version is current, or names one that is not there.",
      why:
        "Waystone takes the last version in the order of the versions then, and a first `lock` asks which it is. "
        + "Where the names do not order the versions, it is an error: nothing that follows from the order is "
        + "checked, and `lock` writes nothing.",
      fix:
        "Set the model version in Xcode's file inspector, or `current:` in waystone.yml, with `order:` where the "
        + "names do not order the versions."
    ),
    .doubtfulOrder: Rule(
      "The order of versions is not certain from their names.",
      why:
        "The order carries the meaning of the app's history: steps join neighbours. Where versions stand "
        + "after the current one by the alphabet alone, or against the numbers in their names, nothing that "
        + "follows from the order is checked, and `lock` writes nothing.",
      fix:
        "Write `order:` in waystone.yml; `check` and `lock` draft it where the commits that added the versions, "
        + "and the numbers in their names, show it."
    ),
    .unreadableForm: Rule(
      "A model is in a form, or under a name, that the reader cannot read.",
      why: "Its versions are missing from graphs and plans.",
      fix: "Open it in Xcode and save it, or rename it."
    ),
    .versionInfoDiffers: Rule(
      "VersionInfo.plist and the compiled models beside it disagree.",
      why: "One of them was built from other sources than the other.",
      fix: "Build the app again, or take both from one build."
    ),
    .compiledFormDiffers: Rule(
      "A version's compiled form does not declare what its source declares.",
      why: "The app that shipped has another model than the sources say.",
      fix: "Find the sources of the build, or archive the compiled form."
    ),
    .unreadableVersion: Rule(
      "A version cannot be read.",
      why:
        "Its stores cannot be identified by it, and no step into or out of it is known. Versions "
        + "that do not need it plan and migrate as before.",
      fix: "Restore its file from version control, or correct what the message names."
    ),
  ]

  /// Rules about paths.
  static let paths: [FindingCode: Rule] = [
    .missingStep: Rule(
      "No edge joins two consecutive versions.",
      why: "What the app's history means across this step is unknown.",
      fix: "Write a mapping for the step."
    ),
    .unknownShortcut: Rule(
      "A shortcut is taken of which it is unknown whether it does the same as the history.",
      why: "It passes over a step that has no edge, so nothing says whether it means the same.",
      fix: "Write a mapping for the step, or accept it: `migrate --accept-unknown`."
    ),
    .recoveredVersion: Rule(
      "A store's version is in no archive, and is recovered from the model that it carries.",
      why: "The history does not have this version, so what the step from it drops is an "
        + "undeclared loss.",
      fix: "Archive it: `waystone export STORE -o NAME.xcdatamodel`."
    ),
    .assumedVersion: Rule(
      "A store's version is assumed to be the one that was named.",
      why: "Its metadata has the hashes of no version; its tables and columns are those of the "
        + "version assumed, but what the rows mean is taken on trust.",
      fix: "Look at the result before you rely on it."
    ),
    .staleMapping: Rule(
      "A mapping was made for a version that is in no archive.",
      why: "Core Data binds a mapping by the version hashes of both ends; after an entity was "
        + "edited it is a mapping for nothing, and the step is inferred, or missing, instead.",
      fix: "Open the mapping model in Xcode and refresh its data models, or archive the version."
    ),
    .ambiguousMapping: Rule(
      "Several mappings lead from one version to another and make the same objects.",
      why: "One after the other they would make each object twice; nothing says which is meant.",
      fix: "Keep one, or give their entity mappings filters that exclude each other."
    ),
    .uncoveredAttribute: Rule(
      "A mapping gives an attribute of the destination no value.",
      why: "It then has its default, or nothing; where it is required and has no default, the "
        + "migration fails when its objects are validated. What is new and may be so is a note.",
      fix: "Give it a value expression, or a default in the model."
    ),
    .unresolvedPolicy: Rule(
      "A mapping names a policy or handler that this program does not have.",
      why:
        "A migration that leaves the app's own code out would lose what that code does. The app has "
        + "what its mapping models and stages name. What a hop file names has to be registered with this "
        + "program. It is a note, unless `relies-on:` in waystone.yml names Waystone or stores are tried.",
      fix: "Build a waystone of your own that registers it: see the example of a custom command."
    ),
    .filteredObjects: Rule(
      "A mapping's filters leave objects out.",
      why:
        "Objects that none of the filters admits are not carried. A mapping that makes something else of them, "
        + "besides what it makes of others, does not keep them.",
      fix: "Make sure that this is meant, or add an entity mapping for the others."
    ),
    .unfinishedMapping: Rule(
      "A hop file has lines that are still to do.",
      why:
        "It was begun with `waystone init --hop`. No path uses it before each line is decided: an open "
        + "line would drop data without a word.",
      fix: "Decide what each line is to say, and remove the word TODO from it."
    ),
    .inequivalentShortcut: Rule(
      "A shortcut loses or changes what the versions between its ends would carry.",
      why: "Inference compares only the two ends of an edge. A rename over several versions, a "
        + "default that changed twice or a name that moved on is seen only step by step.",
      fix: "Let the plan go through the versions between: leave out --accept-shortcut."
    ),
    .resurrected: Rule(
      "A shortcut keeps what the versions between its ends drop or change.",
      why: "Something was removed, and later something of the same name added: a user who took "
        + "every update starts anew there, and the shortcut fills it with the old values. Or a version "
        + "between has a smaller type, and the shortcut keeps numbers that do not fit it.",
      fix: "Let the plan go through the versions between: leave out --accept-shortcut."
    ),
    .reusedName: Rule(
      "A shortcut fills a property whose name was used again for something else.",
      why: "A property was renamed, and its old name given to another one: by the names alone the "
        + "values land in the wrong place.",
      fix: "Let the plan go through the versions between: leave out --accept-shortcut."
    ),
    .bypassedTransformation: Rule(
      "A shortcut passes over a step that a person wrote, and leaves out what that does.",
      why: "The app's author converted values between two versions; inference over both ends knows "
        + "nothing of it.",
      fix: "Let the plan go through the step, or write a mapping that does both."
    ),
    .routesDisagree: Rule(
      "Two authored edges between the same versions do different things.",
      why: "Both are meant, so that a user's data depends on which updates the user took.",
      fix: "Make them agree, or remove one."
    ),
    .unexercisedEdge: Rule(
      "An authored edge is on no path that any version takes to the current one.",
      why: "What is never taken is never tested; it may also be that it was meant to be taken.",
      fix: "Remove it, or see with `waystone explain` why another path is better."
    ),
    .branchesDisagree: Rule(
      "Branches of versions meet and bring objects there in different ways.",
      why: "Versions branched, as for a hotfix, and met again. What a user who took every update "
        + "holds then depends on the branch, and no plan over the meeting means the same for all.",
      example: ["order:", "  v2a: v1", "  v2b: v1", "  v3: [v2a, v2b]"],
      fix: "Choose a branch (--via, --avoid or --prefer), or write mappings that agree."
    ),
    .differentBranches: Rule(
      "Two versions are on different branches, neither of which follows from the other.",
      why: "No update led from one to the other, so nothing says what a step between them means.",
      fix: "Name a version in which the branches have met, or correct `order:` in waystone.yml."
    ),
    .objectsWithoutTrace: Rule(
      "A policy made nothing of some objects.",
      why: "Which objects a policy leaves out only its code knows. A run counts those of which no "
        + "object of the result is known to be made, and that may be what was meant, or a loss.",
      fix:
        "Look them up in the original, which is kept. Where the policy makes objects of them, let "
        + "it associate the two, as `MigrationManager.associate` does."
    ),
    .objectsMerged: Rule(
      "A mapping makes one object of several, and they have different values.",
      why:
        "`deduplicate` keeps the values of the first object that has the same keys; what the others "
        + "have besides goes.",
      fix:
        "Add what tells them apart to the keys, or carry the other values elsewhere. Where they agree in "
        + "all that is carried, nothing is lost, and the finding says so."
    ),
    .unusableMapping: Rule(
      "A mapping cannot run on any store.",
      why: "It calls a method that Waystone does not have, has a pattern that is no regular "
        + "expression, reads a property that is not there, or computes with a value of the wrong "
        + "kind: `migrate` would stop at the first object. Or it looks objects up by a key of another kind "
        + "than the attribute's, such as a number among texts, and would find none. Or it gives the two ends of one relationship "
        + "the links of two others, and objects would have links that they never had.",
      example: ["attributes:", "  name: FUNCTION($source.title, \"trimmed\")  # no such method"],
      fix:
        "Correct the expression: the article HopFiles of the documentation lists the functions. Of the two "
        + "ends of a relationship, give one its links and the other none (null)."
    ),
    .lookupFindsNothing: Rule(
      "A mapping looks up a value or an object by a key, and some rows have a key that nothing has.",
      why:
        "The property stays empty for these rows. The plan for a store counts them, and so does the "
        + "run.",
      fix: "Correct the keys with the app first, or accept that the property is empty there."
    ),
    .linksMerged: Rule(
      "A mapping makes one object of several, and links of theirs become equal.",
      why: "Two objects that share a tag twice, once by each of two tags that become one, share it "
        + "once afterwards: there are fewer links than before.",
      fix:
        "Nothing, if that is what the keys are for. Else add what tells the objects apart to them."
    ),
    .expressionGivesNothing: Rule(
      "An expression gives nothing for objects that have a value.",
      why:
        "CAST gives nothing for a text that is no number, and a condition may give nil. Where "
        + "nothing else carries the value, it is lost. The plan for a store counts the rows, and a "
        + "run refuses them.",
      example: ["attributes:", "  age: CAST($source.age, \"NSNumber\")  # nothing for \"abc\""],
      fix: "Let the expression give a value for those rows, or correct them with the app first. "
        + "`--accept-changed-values` lets the values go."
    ),
    .unseenEffect: Rule(
      "A mapping runs SQL, a handler or a policy.",
      why: "Waystone does not see what these do to the data before they run.",
      fix: "Try the mapping on a copy of a store, and look at what the result holds."
    ),
    .expressionDoesNotFit: Rule(
      "An expression gives a number that its attribute cannot hold.",
      why:
        "Integer 16 cannot hold 70,000. The plan for a store counts the rows, and a run refuses them.",
      example: ["attributes:", "  rank: $source.rank + 1  # too great for the greatest rank"],
      fix: "Let the expression give a number that fits, or correct those rows with the app first."
    ),
    .valueUsed: Rule(
      "An expression reads an attribute that nothing carries.",
      why:
        "A condition may ignore the value, and a part of a text is less than the text. Waystone cannot "
        + "tell whether such a value is kept. The plan for a store counts the values that do not come "
        + "back as they are. `--accept-loss none` takes no such step.",
      example: ["attributes:", "  name: TERNARY($source.nick != nil, $source.nick, $source.full)"],
      fix: "If its values must stay, carry the attribute as well."
    ),
    .expressionFails: Rule(
      "An expression cannot be computed with the values of rows.",
      why: "No text of three letters has a part behind its tenth. A run stops at such a row.",
      example: ["attributes:", "  code: FUNCTION($source.code, \"substringFromIndex:\", 10)"],
      fix: "Check the value first, by TERNARY, or correct those rows with the app."
    ),
    .emptyPartsLeftOut: Rule(
      "A split makes nothing of empty parts.",
      why:
        "Of \"a,,b\" and \"a, ,b\" two parts become objects. The plan for a store counts the rows "
        + "with empty parts.",
      fix: "Nothing, if an empty part means nothing. `trim: false` makes objects of them too."
    ),
    .resultRounded: Rule(
      "An expression gives a decimal number of more digits than its column keeps.",
      why:
        "Core Data keeps a decimal number that is not whole as a double, of about 16 digits. A third, or the "
        + "sum of 4611686018427387905 and 0.2, has more. The plan for a store counts the rows.",
      example: ["attributes:", "  share: $source.price / 3"],
      fix: "Nothing, if fewer digits are enough. Else keep the parts of the result as attributes."
    ),
  ]

  /// Rules about stores.
  static let stores: [FindingCode: Rule] = [
    .unprovenName: Rule(
      "The name of a many-to-many table does not follow from the model.",
      why: "With a wrong name the app fails at its first fetch.",
      fix:
        "Create a store with the app, and name it: --like STORE, or `samples:` in waystone.yml. Only on a "
        + "copy of a store: --accept-unproven-names takes a guess. The app knows its own names, so "
        + "that `coverage` only notes it, unless `relies-on:` in waystone.yml names Waystone."
    ),
    .foreignTable: Rule(
      "A table that Core Data did not make is carried as it is.",
      why: "Only the app knows whether it refers to what changed.",
      fix: "Check it after the migration."
    ),
    .historyAffected: Rule(
      "Persistent history is renumbered.",
      why: "Its rows name entities and properties by numbers that the model gives.",
      fix: "Let the app purge its history, or check what consumes it."
    ),
    .cloudKitAffected: Rule(
      "CloudKit's tables refer to entities by number.",
      why: "A migration that renumbers entities would leave them pointing elsewhere.",
      fix: "Migrate this store with the app itself."
    ),
    .schemaDiffers: Rule(
      "A store's schema is not what its model predicts.",
      why: "Which table or column holds what is then not certain.",
      fix: "Take the store from a backup: the app changes no table when it opens a store."
    ),
    .externalDataMissing: Rule(
      "A file of external data is missing.",
      why: "A row refers to a file that is not beside the store.",
      fix: "Copy the folder _SUPPORT too, or take the store from a backup."
    ),
    .danglingReference: Rule(
      "References lead to rows that do not exist.",
      why: "Core Data would raise an error when the app follows them.",
      fix: "Clear them, or restore the rows."
    ),
    .inverseDisagrees: Rule(
      "The two sides of a relationship disagree.",
      why: "Core Data keeps both in step; something else wrote the store.",
      fix: "Let the app set the relationship anew."
    ),
    .duplicateOrderKey: Rule(
      "Order keys recur within one owner.",
      why: "The order of its objects is not settled.",
      fix: "Let the app set the order anew."
    ),
    .writeAheadLogMissing: Rule(
      "A store's write-ahead log seems to have been left behind.",
      why: "What stood only in the -wal is missing from this copy.",
      fix: "Copy the -wal too, or take the store from a backup."
    ),
    .externalDataOrphaned: Rule(
      "No row names a file of external data.",
      why:
        "Core Data never reads such a file; an app that was killed while it saved can leave one.",
      fix: "Nothing needs to be done: `--output` copies it with the others."
    ),
    .externalDataOdd: Rule(
      "A store's support folder holds what Core Data does not put there.",
      why: "A link, a pipe or a folder is not followed, opened or copied.",
      fix: "Look at what it is. Copy it yourself beside the output, if the app needs it."
    ),
    .entityNumbersWrong: Rule(
      "Rows, or Z_PRIMARYKEY, have entity numbers that do not mean what the model says.",
      why: "Each row names its entity by a number. A row whose number is of no entity of its table "
        + "is read by no mapping and would disappear; where Z_PRIMARYKEY gives a number to another "
        + "entity, objects would become those of another entity. Where Z_MAX is below the greatest "
        + "key, the app would give that key again.",
      fix: "Take the store from a backup, or correct those rows with the app that made it."
    ),
    .unexplainedContents: Rule(
      "A store's own tables hold what its model does not explain, and a migration drops.",
      why: "A column that somebody added to an entity's table, or a second row of the metadata, "
        + "lives in a store unseen by Core Data. A hop that writes the table anew has no place for "
        + "it.",
      fix:
        "Copy the values elsewhere first, or accept their loss: `migrate --accept-unexplained-loss`."
    ),
    .unreadableValue: Rule(
      "Rows have values that are not of their attribute's type, which a hop reads.",
      why: "SQLite keeps any value in any column: text in a date, bytes in a number, or text that "
        + "is not UTF-8. A value that is only carried stays as it is, byte for byte; one that a hop "
        + "converts, or that an expression or a policy reads, has no meaning there.",
      fix: "Correct those rows with the app first."
    ),
  ]
}
