internal import ObjectModel

extension Rule {
  /// Rules about models that are declared in Swift, for SwiftData.
  static let swiftData: [FindingCode: Rule] = [
    .unresolvedType: Rule(
      "A property of a SwiftData model has a type of which no attribute follows.",
      why:
        "The version hash of the entity is unknown, and nothing else. The lock keeps the Swift type, so that "
        + "an edit is found all the same. Waystone makes no store of the version, since it never guesses a "
        + "hash.",
      example: ["@Model class Trip { var route: RouteOfAPackage }"],
      fix:
        "Let `models` name the folder that declares the type. What the sources lack may be kept as Data, "
        + "String or a Codable structure of such in new versions."
    ),
    .unreadableSource: Rule(
      "A Swift file, or a part of one, cannot be read.",
      why: "It is too large, nested too deep or no Swift. Models in it are missing.",
      fix: "Correct it, or move models and the types of their properties into files of their own."
    ),
    .undecidedCondition: Rule(
      "Whether a part of a Swift file counts depends on how it is built.",
      why: "The condition of an `#if` asks for something that the sources do not say.",
      fix: "Move models and the types of their properties out of the `#if`."
    ),
    .unresolvedForm: Rule(
      "A SwiftData model is declared in a form that is not understood.",
      why: "The version hash of the entity, or of the whole schema, is unknown.",
      example: ["static var models: [any PersistentModel.Type] { makeModels() }"],
      fix: "Write it in a form that Apple documents, such as a list of classes."
    ),
    .undecidedInverse: Rule(
      "Which property is the inverse of a SwiftData relationship is not known.",
      why:
        "The inverse goes into the version hash. Without `inverse:` SwiftData infers it, and stores "
        + "show how for an optional to-one alone.",
      example: [
        "@Model class Trip { var tags: [Tag] }", "@Model class Tag { var trips: [Trip] }",
      ],
      fix: "In a version that no user has yet, write @Relationship(inverse: \\Tag.trips)."
    ),
    .undecidedContainer: Rule(
      "Which SwiftData models an app's container holds is not known.",
      why:
        "A store has the models that ModelContainer(for:) is given, and those to which they lead.",
      fix: "Name the app's target in waystone.yml, `target: App`, or the models: "
        + "`swiftdata: {models: [Trip]}`."
    ),
    .unmeasuredForm: Rule(
      "A version hash rests on a rule that no measured store shows.",
      why:
        "Each rule for Swift types has a level of proof: measured, documented by Apple, reported in public "
        + "threads, or assumed. Stores of public apps show the measured ones.",
      example: ["measured  [String]", "reported  [Date]", "assumed   UInt64"],
      fix: "Keep a store of the version under `samples` in waystone.yml; `check` compares the two."
    ),
    .typeFormDisputed: Rule(
      "Stores, documents and waystone.yml disagree on what SwiftData makes of a Swift type.",
      why:
        "One Swift type makes one attribute. Either the property had another type when one of the stores was "
        + "made, or the rule is wrong for this app.",
      example: [
        "1.0.store  UInt64 Integer 64", "2.0.store  UInt64 Integer 32",
      ],
      fix:
        "Look at the type of the property at the release of each store. State what counts in waystone.yml: "
        + "`swiftdata: {types: {UInt64: Integer 64}}`."
    ),
    .typeFormOpen: Rule(
      "A store does not settle what SwiftData makes of the types of an entity.",
      why:
        "A type is settled where the entity has the store's hash with one form of it alone. None fits where "
        + "the entity differs from the store's in more than that.",
      fix: "Name a store of the very version, with the model that SwiftData writes into it."
    ),
    .frozenSchemaDrifted: Rule(
      "A frozen SwiftData schema is not what was shipped.",
      why:
        "Users' stores have the hashes of before. The app looks for them among its schemas, finds none "
        + "and cannot open the store: NSCocoaErrorDomain 134504.",
      example: [
        "SchemaV2 as shipped:  Vehicle { notes: String? }",
        "SchemaV2 today:       Vehicle { notes: String }",
      ],
      fix: "Undo the edit and make it in a new schema. Where no store of the version can exist: "
        + "`waystone lock --accept SchemaV2 --reason \"...\"`."
    ),
    .sampleDiffersFromSchema: Rule(
      "A frozen SwiftData schema is not that of the store that was kept of it.",
      why: "The store was made by the app itself, so that the schema is what is wrong.",
      fix: "Make the schema again what it was when the store was made."
    ),
    .historyNamesLiveType: Rule(
      "A historical SwiftData schema refers to a type that the current schema uses.",
      why:
        "The next edit of the type changes the history, and stores of the old version do not open.",
      example: [
        "enum SchemaV1: VersionedSchema { static var models = [Trip.self] }   // the live Trip"
      ],
      fix: "Copy the type into the historical schema, as it was when that was shipped."
    ),
    .currentSchemaChanged: Rule(
      "The current SwiftData schema changed after it was shipped, without a new version.",
      why: "Users' stores are of the schema as it was, which the app has no more.",
      fix:
        "Keep the shipped schema as it was, and make the change in a new one. An app without versioned "
        + "schemas migrates by inference alone: name its release tags under `models`."
    ),
    .stagesSkipVersion: Rule(
      "The stages of a migration plan do not join its schemas, one after the other.",
      why: "A store of a version that no stage leaves is not migrated: the app fails to open it.",
      fix: "Give the plan one stage from each schema to the next."
    ),
    .schemasHashAlike: Rule(
      "Two SwiftData schemas have the same hashes.",
      why:
        "A store has hashes and no name of a schema. A migration plan with both is refused: \"Duplicate version "
        + "checksums\". A plan that has one of them opens the stores of both, and one that has neither is not "
        + "concerned: then the finding is a note.",
      fix:
        "Remove one of the two from the plan, with its stages, or let it differ as it was meant to."
    ),
    .stageRunsCode: Rule(
      "A stage of a migration plan runs code of the app.",
      why:
        "What that code does to data is not visible, so that an outcome over the stage holds only if "
        + "the code does what is meant.",
      fix: "Try it in the app. For stores that Waystone migrates, write a hop file for the step."
    ),
    .versionIdentifierRepeats: Rule(
      "Two SwiftData schemas have one version identifier.",
      why: "Identifiers tell versions apart in logs and in the framework's own messages.",
      fix: "Give each schema an identifier of its own: Schema.Version(2, 0, 0)."
    ),
    .containerDiffersFromHistory: Rule(
      "No container of the app is given the latest SwiftData schema.",
      why:
        "The container decides the version of the app's store. A newer schema that it is not given has "
        + "no effect.",
      example: [
        "ModelContainer(for: Schema(versionedSchema: SchemaV2.self))   // SchemaV3 is declared"
      ],
      fix:
        "Where users' stores have the container's models, declare a schema with these, list it last in the "
        + "migration plan, and give the container that. Else give it the latest schema, or remove that until the "
        + "app has it."
    ),
    .movedStoreFile: Rule(
      "SwiftData may open another file than the one that Core Data wrote.",
      why:
        "`order:` joins versions of Core Data with schemas of SwiftData. A store of an old version is opened in "
        + "place only where it is the file that the app's container is given. Without a URL SwiftData opens "
        + "default.store, and Core Data a file of the container's name that ends in .sqlite: the app then begins "
        + "with an empty store beside the old one.",
      example: [
        "NSPersistentContainer(name: \"Recipes\")        // Recipes.sqlite",
        "ModelContainer(for: Recipe.self)              // default.store",
      ],
      fix:
        "Give the container a ModelConfiguration with the URL of the old store. Where code of the app copies the "
        + "data, accept the finding with that as the reason."
    ),
    .movedInPlace: Rule(
      "Which stores of Core Data's versions SwiftData opens in place.",
      why:
        "Core Data and SwiftData hash entities alike. A store whose version has the hashes of a schema is opened "
        + "as it is; another one is migrated at the first start, if a mapping can be inferred and the app gives no "
        + "migration plan that lacks its version.",
      example: ["Integer 16   →   var servings: Int16    // the same hash; Int has another"],
      fix:
        "To open stores unmigrated, begin with the schema that `waystone export VERSION --swift` writes. It names "
        + "what no class with @Model can have, such as an ordered relationship."
    ),
    .lockedCodingChanged: Rule(
      "A Swift type of a locked version encodes values in another way, which no hash sees.",
      why:
        "Cases and raw values of an enum, and coding keys, are in no version hash: stores of users open, and "
        + "values that were stored before no longer decode, which ends the app.",
      example: [
        "enum Status: String, Codable { case open, done }   // as shipped",
        "enum Status: String, Codable { case open }         // today",
      ],
      fix:
        "Keep the case, its raw value or the key. Where no row holds it any more: "
        + "`waystone lock --accept V1 --reason \"...\"`."
    ),
    .codingChanged: Rule(
      "A Swift type encodes values in another way from one version to the next, which no hash sees.",
      why:
        "A lightweight stage leaves values as they are, so that those of before no longer decode in the new "
        + "version.",
      fix:
        "Keep the case, its raw value or the key; or rewrite the values in the `willMigrate` of a custom stage."
    ),
    .lockedAsAssumed: Rule(
      "A version was locked with the hash of an assumed rule, and a store shows another.",
      why: "The lock has hashes that no store has. The sources are as they were locked.",
      fix: "Lock the version anew: `waystone lock --accept V1 --reason \"measured\"`."
    ),
  ]
}
