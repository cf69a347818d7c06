extension FindingCode {
  /// A set of the meanings of a code that hold wherever a finding has it.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(bit: UInt64) { rawValue = 1 << bit }

    // MARK: Steps

    /// A thing is dropped as a whole, whether or not a new one may be it under another name.
    package static let drop = Traits(bit: 0)
    /// A thing is only added.
    package static let addition = Traits(bit: 1)
    /// A step is refused since rows would have no value, and only where there are rows.
    package static let missingValue = Traits(bit: 2)
    /// Rows may break a rule of the new model, and nothing of them is dropped.
    package static let rule = Traits(bit: 3)
    /// Renaming IDs, or names that they should be, disagree.
    package static let identifierDispute = Traits(bit: 4)
    /// A property of the source keeps none of its values.
    package static let emptiedProperty = Traits(bit: 5)
    /// A mapping of the step exists and cannot run, so that it is corrected or finished, and none is written.
    package static let brokenMapping = Traits(bit: 6)

    // MARK: Preconditions

    /// A run stops where rows refute it, because the step would fail or change values.
    package static let stopsRun = Traits(bit: 7)
    /// The user may let a run change the values and links that refute it.
    package static let acceptable = Traits(bit: 8)
    /// A step changes rows as its author wrote, and a run reports their number.
    package static let counted = Traits(bit: 9)
    /// A hop that validates each object it makes asks the source, too: the objects no longer show it.
    package static let unseenByValidation = Traits(bit: 10)
    /// An expression cannot be computed, or gives a value that does not fit.
    package static let computing = Traits(bit: 11)

    // MARK: The app

    /// The app fails on rows that do not meet the condition.
    package static let failsInApp = Traits(bit: 12)
    /// The app loses values of rows that do not meet the condition.
    package static let losesInApp = Traits(bit: 13)
    /// The app does something unknown with rows that do not meet the condition.
    package static let unknownInApp = Traits(bit: 14)
    /// Core Data is known to infer no mapping for the change.
    package static let refusedByCoreData = Traits(bit: 15)
    /// Apple does not document whether Core Data infers a mapping for the change.
    package static let undocumented = Traits(bit: 16)
    /// The outcome of a store in the app is the fact.
    package static let appOutcome = Traits(bit: 17)

    // MARK: Coverage

    /// An acceptance of the code may be of a finding that `waystone coverage` alone reports.
    package static let coverage = Traits(bit: 18)
    /// A version does not arrive, or may not; other findings are the causes.
    package static let hasCauses = Traits(bit: 19)
    /// A change of any part of a project may be its cause.
    package static let ofWhole = Traits(bit: 20)
    /// An error of the code leaves a path without a run.
    package static let lackOfPath = Traits(bit: 21)
    /// A finding of the code leaves a path without a run at every severity.
    package static let lackAlways = Traits(bit: 22)
    /// A path lacks it even where the project accepts that.
    package static let lackThoughAccepted = Traits(bit: 23)
    /// Coverage shows it at every severity.
    package static let attention = Traits(bit: 24)
    /// A finding of the code needs an acceptance at every severity.
    package static let neverSilent = Traits(bit: 25)
    /// A store disagrees with its model, so that the app's outcome is unknown.
    package static let unsoundStore = Traits(bit: 26)
    /// A run of Waystone lacks something that the app does not need.
    package static let ofRun = Traits(bit: 27)

    // MARK: Projects and Swift sources

    /// An error of the code is a difference from the lock.
    package static let breaksLock = Traits(bit: 28)
    /// A locked version is there, and was edited.
    package static let lockedEdit = Traits(bit: 29)
    /// The contents of a version, or its place in the history, are unknown.
    package static let hiddenVersion = Traits(bit: 30)
    /// A frozen SwiftData schema breaks it.
    package static let frozenSchema = Traits(bit: 31)
    /// The app refuses stores although its sources seem to lead from their version.
    package static let drift = Traits(bit: 32)
    /// A version's hashes may be unknown because of it.
    package static let openSchema = Traits(bit: 33)
    /// An error leaves the order of versions open, on which other findings depend.
    package static let openOrder = Traits(bit: 34)
  }

  /// Returns whether the code has a meaning.
  package func has(_ trait: Traits) -> Bool { traits.contains(trait) }

  /// The meanings of the code; none for a fact that only its finding's severity and risk weigh.
  private var traits: Traits {
    switch self {
    case .entityDropped: .drop
    case .attributeDropped, .relationshipDropped, .suspectedRename: [.drop, .emptiedProperty]
    case .transienceChanged: .emptiedProperty
    case .entityAdded, .attributeAdded, .relationshipAdded: .addition
    case .renamingIdentifierNamesOldName, .canonicalNamesDisagree: .identifierDispute
    case .defaultComputed, .unresolvedType: .missingValue

    case .typeNarrowed: [.stopsRun, .acceptable, .unseenByValidation, .losesInApp]
    // "A data type change that isn't supported": WWDC 2022, *Evolve your Core Data schema*. WWDC 2010,
    // *Mastering Core Data*, names "numerical type conversion" as the only inferable change of type.
    case .typeConverted: .refusedByCoreData
    // Core Data refuses a required attribute without default, with any rows. "If you change an optional
    // attribute to be nonoptional, there's no way for a lightweight migration to infer the default value":
    // *Staged migrations*. The framework's error: "Validation error missing attribute values on mandatory
    // destination attribute" (3lvis/DATAStack#61, paulw11/Seam3#28).
    case .requiredWithoutDefault:
      [
        .missingValue, .rule, .stopsRun, .failsInApp, .refusedByCoreData, .undocumented,
        .lackOfPath,
      ]
    case .becomesRequired, .countsTightened: [.rule, .unknownInApp]
    // Core Data stops at a unique index that cannot be made.
    case .uniquenessAdded: [.rule, .stopsRun, .failsInApp]
    // It is not known which link stays.
    case .becomesToOne, .destinationChanged:
      [.stopsRun, .acceptable, .unseenByValidation, .unknownInApp, .undocumented]
    // "You can't, however, merge entity hierarchies": *Migrating your data model automatically*; the
    // framework's error: "Cannot merge multiple root entity source tables into one destination entity
    // root table".
    case .hierarchiesMerged: .refusedByCoreData
    case .becomesAbstract: .stopsRun
    case .becomesConcrete: .undocumented
    case .derivationChanged: [.undocumented, .emptiedProperty]
    // A large value moves between store and files without harm in the app.
    case .externalStorageToggled: [.stopsRun, .unseenByValidation]
    case .inverseChanged: [.stopsRun, .unseenByValidation, .unknownInApp]
    // It is not known what a transformer makes of bytes that are not its own.
    case .transformerChanged, .compositeReadsOther: .unknownInApp
    case .derivedColumnDiffers: .unknownInApp
    case .linksDropped: [.acceptable, .counted, .unseenByValidation]

    case .expressionGivesNothing: [.stopsRun, .acceptable, .unseenByValidation]
    case .expressionDoesNotFit, .expressionFails: [.stopsRun, .unseenByValidation, .computing]
    case .lookupFindsNothing, .linksMerged, .valueUsed, .emptyPartsLeftOut, .resultRounded: .counted
    case .unreadableValue: [.stopsRun, .unseenByValidation, .unsoundStore]
    case .inverseDisagrees: [.stopsRun, .acceptable, .unseenByValidation]
    case .unknownShortcut, .inequivalentShortcut, .resurrected, .reusedName, .branchesDisagree,
      .bypassedTransformation:
      .coverage
    case .unusableMapping, .unfinishedMapping: .brokenMapping
    case .unresolvedPolicy: [.lackOfPath, .lackAlways, .lackThoughAccepted, .attention, .ofRun]
    case .unprovenName: [.coverage, .lackOfPath, .lackAlways, .attention, .neverSilent, .ofRun]
    case .unknownPlace: [.coverage, .lackOfPath, .lackAlways, .lackThoughAccepted, .ofRun]
    case .entityNumbersWrong, .schemaDiffers, .valueNotUnique: .unsoundStore

    case .appFails: [.appOutcome, .coverage, .hasCauses, .ofWhole]
    case .appOutcomeUnknown:
      [.appOutcome, .coverage, .hasCauses, .ofWhole, .attention, .neverSilent]
    case .appLosesSilently: [.appOutcome, .coverage, .ofWhole, .attention, .neverSilent]
    case .appKeepsMore: [.appOutcome, .coverage, .attention, .neverSilent]
    case .shippedWithoutPath: [.coverage, .hasCauses, .ofWhole]
    case .trialFailed: [.coverage, .lackOfPath, .lackAlways, .attention]
    case .notExercised: [.coverage, .attention]
    case .storeNotCovered: [.coverage, .unsoundStore]
    case .coverageTooLow, .stagesMissing: .coverage
    case .shippedVersionStranded, .severalHeads: .ofWhole

    case .unreadableVersion: .hiddenVersion
    case .doubtfulOrder, .currentVersionUnknown: [.hiddenVersion, .openOrder]
    case .shippedVersionRehashed, .shippedVersionEdited: [.breaksLock, .lockedEdit, .frozenSchema]
    case .lockedVersionMissing: [.breaksLock, .frozenSchema]
    case .lockedOrderChanged: .breaksLock
    case .frozenSchemaDrifted, .lockedCodingChanged: [.breaksLock, .frozenSchema, .drift]
    case .currentSchemaChanged: [.breaksLock, .drift]
    case .historyNamesLiveType, .sampleDiffersFromSchema: .frozenSchema
    case .stagesSkipVersion, .schemasHashAlike: .drift
    case .unresolvedForm, .undecidedContainer, .unreadableSource, .undecidedCondition: .openSchema

    // Their findings' severity and risk state all.
    case .unknownElement, .unknownAttribute, .unusableValue,
      .unreadableForm, .versionInfoDiffers, .compiledFormDiffers, .equalVersions,
      .ambiguousCanonicalName, .missingInverse, .unprovenHash, .unseenEdit,
      .renamingIdentifierNamesNothing, .hashModifierNeedless, .inverseLeadsElsewhere, .renameUnseen,
      .entityRenamed, .propertyRenamed, .typeWidened, .becomesToMany, .becomesOrdered,
      .becomesUnordered, .entityMoved, .propertyKindChanged, .propertyMoved, .deletionRuleChanged,
      .defaultChanged, .indexesChanged, .configurationChanged, .compositeChanged, .missingStep,
      .recoveredVersion, .assumedVersion, .staleMapping, .ambiguousMapping, .uncoveredAttribute,
      .filteredObjects, .routesDisagree, .unexercisedEdge, .differentBranches, .objectsWithoutTrace,
      .objectsMerged, .unseenEffect, .foreignTable, .historyAffected, .cloudKitAffected,
      .externalDataMissing, .danglingReference, .duplicateOrderKey, .writeAheadLogMissing,
      .externalDataOrphaned, .externalDataOdd, .unexplainedContents, .requiredValueMissing,
      .valueTooSmall, .valueTooGreat, .textTooShort, .textTooLong, .patternNotMatched,
      .tooFewDestinations, .tooManyDestinations, .requiredDestinationMissing, .valueNotOfType,
      .shippedVersionAnnotated, .versionNotLocked, .acceptanceFitsNothing, .lockMissing,
      .currentVersionDisputed, .currentVersionIgnored, .undecidedInverse, .unmeasuredForm,
      .typeFormDisputed, .typeFormOpen, .stageRunsCode, .versionIdentifierRepeats,
      .containerDiffersFromHistory, .movedStoreFile, .movedInPlace, .codingChanged,
      .lockedAsAssumed, .mirroredUniqueness, .mirroredRequiredRelationship, .mirroredMissingInverse,
      .mirroredDeny, .mirroredOrder, .mirroredRequiredAttribute, .mirroredType,
      .mirroredDestinationElsewhere, .recordPartDropped, .recordPartRenamed, .recordFieldRetyped:
      []
    }
  }
}
