/// The stable name of a rule: `WS` and three digits, grouped by hundreds.
///
/// 1xx concerns reading models, 2xx models themselves, 3xx steps between versions, 4xx paths, 5xx
/// stores, 6xx objects that break their model's rules, 7xx projects, 8xx models that are declared in
/// Swift, 9xx models that CloudKit mirrors. A code keeps its meaning for ever and is never used again
/// for another.
public enum FindingCode: String, Hashable, Sendable, CaseIterable {
  /// An XML element that the reader does not know.
  case unknownElement = "WS101"
  /// An XML attribute that the reader does not know.
  case unknownAttribute = "WS102"
  /// A value in a model file that the reader cannot use as it is meant.
  case unusableValue = "WS103"
  /// `.xccurrentversion` is missing or names a version that is not there.
  case currentVersionUnknown = "WS104"
  /// The order of versions is not certain from their names.
  case doubtfulOrder = "WS105"
  /// A model in a form, or under a name, that the reader cannot read.
  case unreadableForm = "WS106"
  /// `VersionInfo.plist`, or an optimized model, and the compiled models beside it disagree.
  case versionInfoDiffers = "WS107"
  /// A version's compiled form does not declare what its source declares.
  case compiledFormDiffers = "WS108"
  /// A version whose file cannot be read, so that it is missing from the history.
  case unreadableVersion = "WS109"

  /// A version whose hashes equal those of another.
  case equalVersions = "WS201"
  /// Two entities or properties share a canonical name.
  case ambiguousCanonicalName = "WS202"
  /// A renaming identifier that names the source's name where the source has another canonical name.
  case renamingIdentifierNamesOldName = "WS203"
  /// A relationship without an inverse.
  case missingInverse = "WS204"
  /// A version hash that contains a form no measured store has.
  case unprovenHash = "WS205"
  /// Items of one name whose canonical names differ, because an identifier was cleared or names
  /// nothing.
  case canonicalNamesDisagree = "WS206"
  /// A validation changes without any effect on the hash.
  case unseenEdit = "WS207"
  /// A renaming identifier that names nothing in an earlier version.
  case renamingIdentifierNamesNothing = "WS208"
  /// An item is removed and a similar one is added, without a renaming identifier.
  case suspectedRename = "WS209"
  /// A hash modifier is set in a version in which the hash changes anyhow.
  case hashModifierNeedless = "WS211"
  /// A relationship whose inverse is no relationship, or is the inverse of another.
  case inverseLeadsElsewhere = "WS215"
  /// A renaming identifier that no migration follows, since no hash changes.
  case renameUnseen = "WS216"
  /// A version that no run passes: the place of a part of it is not known, or it has too many tables.
  case unknownPlace = "WS217"

  /// An entity is dropped with all its rows.
  case entityDropped = "WS301"
  /// An attribute is dropped.
  case attributeDropped = "WS302"
  /// A relationship is dropped.
  case relationshipDropped = "WS303"
  /// An entity is new.
  case entityAdded = "WS304"
  /// An attribute is new.
  case attributeAdded = "WS305"
  /// A relationship is new.
  case relationshipAdded = "WS306"
  /// An entity has another name.
  case entityRenamed = "WS307"
  /// A property has another name.
  case propertyRenamed = "WS308"
  /// A number's type becomes wider.
  case typeWidened = "WS309"
  /// A number's type becomes narrower, or loses its fraction.
  case typeNarrowed = "WS310"
  /// An attribute's type changes, and the change cannot be inferred.
  case typeConverted = "WS311"
  /// An optional attribute becomes required; rows without a value get the default.
  case becomesRequired = "WS312"
  /// An attribute is required and has no default, and rows may lack a value.
  case requiredWithoutDefault = "WS313"
  /// A uniqueness constraint is new.
  case uniquenessAdded = "WS314"
  /// The bounds of a relationship's count become tighter.
  case countsTightened = "WS315"
  /// A to-one relationship becomes a to-many.
  case becomesToMany = "WS316"
  /// A to-many relationship becomes a to-one.
  case becomesToOne = "WS317"
  /// A relationship gains an order.
  case becomesOrdered = "WS318"
  /// A relationship loses its order.
  case becomesUnordered = "WS319"
  /// An entity has another parent.
  case entityMoved = "WS320"
  /// Entities without a common ancestor get one.
  case hierarchiesMerged = "WS321"
  /// An entity becomes abstract while it may have rows.
  case becomesAbstract = "WS322"
  /// Large values move into or out of files beside the store.
  case externalStorageToggled = "WS323"
  /// An attribute becomes a relationship or the reverse.
  case propertyKindChanged = "WS324"
  /// A relationship leads to an entity that does not follow from the one it led to.
  case destinationChanged = "WS325"
  /// A property becomes transient, or ceases to be.
  case transienceChanged = "WS326"
  /// A property moves to an ancestor or descendant that declares it from now on.
  case propertyMoved = "WS327"
  /// An attribute becomes derived, or ceases to be.
  case derivationChanged = "WS328"
  /// A relationship has an inverse that does not follow from the one it had.
  case inverseChanged = "WS329"
  /// The deletion rule of a relationship changes.
  case deletionRuleChanged = "WS330"
  /// Stored values get another transformer, or another class in memory.
  case transformerChanged = "WS331"
  /// An attribute gets another default; rows that exist keep what they have.
  case defaultChanged = "WS332"
  /// An entity's indexes change, and nothing else does; no store is migrated for that.
  case indexesChanged = "WS333"
  /// An entity leaves a configuration, and so the stores of that configuration.
  case configurationChanged = "WS334"
  /// An abstract entity is no longer abstract.
  case becomesConcrete = "WS335"
  /// A composite attribute of a form that no store has shown has other elements.
  case compositeChanged = "WS336"
  /// Links lead to objects that a step drops, and are dropped with them.
  case linksDropped = "WS337"
  /// A new attribute has a default that the app computes, and that Waystone does not know.
  case defaultComputed = "WS338"
  /// A composite attribute reads what another one held.
  case compositeReadsOther = "WS339"
  /// A derived attribute has another name or type in a version of the same hashes.
  case derivedColumnDiffers = "WS340"

  /// Two consecutive versions have no edge.
  case missingStep = "WS401"
  /// A shortcut is taken whose equivalence is unknown.
  case unknownShortcut = "WS402"
  /// A store's version is in no archive, and is recovered from the model that the store carries.
  case recoveredVersion = "WS403"
  /// A store's version is assumed to be the one that was named.
  case assumedVersion = "WS404"
  /// A mapping was made for a version that is in no archive.
  case staleMapping = "WS405"
  /// Several mappings lead from one version to another and make the same objects.
  case ambiguousMapping = "WS406"
  /// A mapping gives an attribute of the destination no value.
  case uncoveredAttribute = "WS407"
  /// A mapping names a policy or handler that the program does not have.
  case unresolvedPolicy = "WS408"
  /// A mapping's filters leave objects out.
  case filteredObjects = "WS409"
  /// A hop file has lines that are still to do.
  case unfinishedMapping = "WS410"
  /// A shortcut loses or changes what the versions between its ends would carry.
  case inequivalentShortcut = "WS411"
  /// A shortcut keeps what the versions between its ends drop or change.
  case resurrected = "WS412"
  /// A shortcut fills a property whose name was used again for something else.
  case reusedName = "WS413"
  /// A shortcut skips an authored step, and leaves out what that does.
  case bypassedTransformation = "WS414"
  /// Two authored edges between the same versions do different things.
  case routesDisagree = "WS415"
  /// An authored edge is on no path that any version takes to the current one.
  case unexercisedEdge = "WS416"
  /// The branches of versions that meet map objects differently.
  case branchesDisagree = "WS417"
  /// Two versions are on different branches, and neither follows from the other.
  case differentBranches = "WS418"
  /// Policies made nothing of objects that a store held.
  case objectsWithoutTrace = "WS419"
  /// A mapping makes one object of several, and keeps the values of one of them.
  case objectsMerged = "WS420"
  /// A mapping that no run can execute on any store.
  case unusableMapping = "WS421"
  /// A mapping looks up objects by a key that no object may have.
  case lookupFindsNothing = "WS422"
  /// A mapping makes one object of several, and links of theirs become equal.
  case linksMerged = "WS423"
  /// An expression gives nothing for objects that have a value, which nothing else carries.
  case expressionGivesNothing = "WS424"
  /// A mapping runs SQL or code, and only the run shows what that does.
  case unseenEffect = "WS425"
  /// An expression gives a number that its attribute cannot hold.
  case expressionDoesNotFit = "WS426"
  /// An expression reads values that nothing carries, and need not give them back.
  case valueUsed = "WS427"
  /// An expression cannot be computed with the values of rows.
  case expressionFails = "WS428"
  /// A split makes nothing of empty parts.
  case emptyPartsLeftOut = "WS429"
  /// An expression gives a decimal number of more digits than its column keeps.
  case resultRounded = "WS430"

  /// A many-to-many table's name does not follow from the model.
  case unprovenName = "WS501"
  /// A table that Core Data did not make is carried as it is.
  case foreignTable = "WS502"
  /// Persistent history is renumbered.
  case historyAffected = "WS503"
  /// CloudKit's tables refer to entities by number.
  case cloudKitAffected = "WS504"
  /// A store's schema is not what its model predicts.
  case schemaDiffers = "WS505"
  /// A file of external data is missing.
  case externalDataMissing = "WS506"
  /// References lead to rows that do not exist.
  case danglingReference = "WS507"
  /// The two sides of a relationship disagree.
  case inverseDisagrees = "WS508"
  /// Order keys recur within one owner.
  case duplicateOrderKey = "WS509"
  /// A store's write-ahead log seems to have been left behind.
  case writeAheadLogMissing = "WS510"
  /// A file of external data is named by no row.
  case externalDataOrphaned = "WS521"
  /// A store's support folder holds what is no plain file of Core Data's.
  case externalDataOdd = "WS522"
  /// Rows, or `Z_PRIMARYKEY`, have entity numbers that contradict the model.
  case entityNumbersWrong = "WS524"
  /// A store's own tables hold what its model does not explain, and a migration drops.
  case unexplainedContents = "WS525"
  /// Rows have values that are not of their attribute's type, which a hop reads.
  case unreadableValue = "WS523"

  /// Objects lack a value or destination that is required.
  case requiredValueMissing = "WS601"
  /// Objects have a number or date below the minimum.
  case valueTooSmall = "WS602"
  /// Objects have a number or date above the maximum.
  case valueTooGreat = "WS603"
  /// Objects have text that is shorter than allowed.
  case textTooShort = "WS604"
  /// Objects have text that is longer than allowed.
  case textTooLong = "WS605"
  /// Objects have text that its regular expression does not match.
  case patternNotMatched = "WS606"
  /// Objects have fewer destinations than allowed.
  case tooFewDestinations = "WS607"
  /// Objects have more destinations than allowed.
  case tooManyDestinations = "WS608"
  /// Objects share what a uniqueness constraint wants to be unique.
  case valueNotUnique = "WS609"
  /// A required relationship leads to an object that is not there.
  case requiredDestinationMissing = "WS610"
  /// Objects have a value that is none of their attribute's type.
  case valueNotOfType = "WS611"

  /// A shipped version was edited so that its hashes changed.
  case shippedVersionRehashed = "WS701"
  /// A shipped version was edited, and no hash changes.
  case shippedVersionEdited = "WS702"
  /// A part of a shipped version was changed that no data depends on.
  case shippedVersionAnnotated = "WS703"
  /// A version is not locked.
  case versionNotLocked = "WS704"
  /// The order of versions is not the one that was locked.
  case lockedOrderChanged = "WS705"
  /// A locked version is no longer there.
  case lockedVersionMissing = "WS706"
  /// A shipped version has no path to a newer one.
  case shippedVersionStranded = "WS707"
  /// Several versions claim to be the next.
  case severalHeads = "WS708"
  /// An accepted finding that is not found.
  case acceptanceFitsNothing = "WS709"
  /// A project has no lock.
  case lockMissing = "WS710"
  /// Two sides of a merge each name another version as the current one.
  case currentVersionDisputed = "WS711"
  /// The version that Xcode compiles as the current one is left out.
  case currentVersionIgnored = "WS712"

  /// The app itself could not open a store of a shipped version.
  case appFails = "WS721"
  /// The app itself would open a store, and silently lose or change what the versions carry.
  case appLosesSilently = "WS722"
  /// The app's own outcome for a store is not known.
  case appOutcomeUnknown = "WS723"
  /// Waystone has no safe path from a shipped version.
  case shippedWithoutPath = "WS724"
  /// A store that was made for a trial did not arrive.
  case trialFailed = "WS725"
  /// A trial has left something untried.
  case notExercised = "WS726"
  /// Fewer versions arrive than the project wants.
  case coverageTooLow = "WS727"
  /// An app is declared to migrate by stages, and a model has none.
  case stagesMissing = "WS728"
  /// A store that was given cannot be read, or is of no version that is known.
  case storeNotCovered = "WS729"
  /// The app itself would open a store and keep what the versions between drop or change.
  case appKeepsMore = "WS730"

  /// A property of a SwiftData model has a type whose attribute is not known.
  case unresolvedType = "WS801"
  /// A Swift file, or a part of one, cannot be read.
  case unreadableSource = "WS802"
  /// Whether a part of a Swift file counts depends on how it is built.
  case undecidedCondition = "WS803"
  /// A SwiftData model is declared in a form that the model cannot be derived from.
  case unresolvedForm = "WS804"
  /// The inverse of a SwiftData relationship is not known.
  case undecidedInverse = "WS805"
  /// The SwiftData models that an app's container holds are not known.
  case undecidedContainer = "WS806"
  /// A version hash rests on documents, and no measured store has its form.
  case unmeasuredForm = "WS807"
  /// Stores, documents and `waystone.yml` disagree on what SwiftData makes of a Swift type.
  case typeFormDisputed = "WS808"
  /// A store does not settle what SwiftData makes of the types of an entity.
  case typeFormOpen = "WS809"

  /// A frozen SwiftData schema is not what was shipped.
  case frozenSchemaDrifted = "WS811"
  /// A frozen SwiftData schema is not that of the store that was kept of it.
  case sampleDiffersFromSchema = "WS812"
  /// A historical SwiftData schema refers to a type that the current schema uses.
  case historyNamesLiveType = "WS813"
  /// The current SwiftData schema changed after it was shipped, without a new version.
  case currentSchemaChanged = "WS814"
  /// The stages of a migration plan skip or repeat a version, or name one that the plan lacks.
  case stagesSkipVersion = "WS815"
  /// Two SwiftData schemas have the same hashes.
  case schemasHashAlike = "WS816"
  /// A stage of a migration plan runs code of the app.
  case stageRunsCode = "WS817"
  /// Two SwiftData schemas have one version identifier.
  case versionIdentifierRepeats = "WS818"
  /// The latest SwiftData schema is given to no container of the app.
  case containerDiffersFromHistory = "WS819"
  /// SwiftData opens a store of another file than Core Data did, or one that is named for comparison.
  case movedStoreFile = "WS820"
  /// The versions of Core Data whose stores SwiftData opens in place, and those whose stores it does not.
  case movedInPlace = "WS821"
  /// A Swift type of a locked version encodes values differently, which no hash covers.
  case lockedCodingChanged = "WS822"
  /// A Swift type encodes values differently from one version to the next, which no hash covers.
  case codingChanged = "WS823"
  /// A version was locked with the hash of an assumed rule, and a store shows another.
  case lockedAsAssumed = "WS824"

  /// An entity that CloudKit mirrors has a uniqueness constraint.
  case mirroredUniqueness = "WS901"
  /// A relationship that CloudKit mirrors is required.
  case mirroredRequiredRelationship = "WS902"
  /// A relationship that CloudKit mirrors has no inverse.
  case mirroredMissingInverse = "WS903"
  /// A relationship that CloudKit mirrors has the deletion rule Deny.
  case mirroredDeny = "WS904"
  /// A relationship that CloudKit mirrors is ordered.
  case mirroredOrder = "WS905"
  /// An attribute that CloudKit mirrors is required and has no default.
  case mirroredRequiredAttribute = "WS906"
  /// An attribute that CloudKit mirrors is of the type Undefined or object ID.
  case mirroredType = "WS907"
  /// A relationship that CloudKit mirrors leads to an entity of another store.
  case mirroredDestinationElsewhere = "WS908"
  /// A deployed record type or field of CloudKit has no entity or property any more.
  case recordPartDropped = "WS911"
  /// An entity or property has another name than its deployed record type or field of CloudKit.
  case recordPartRenamed = "WS912"
  /// A property has another type than its deployed field of CloudKit.
  case recordFieldRetyped = "WS913"

  /// The codes that a rule had and no rule has any more; none of them is given to another rule.
  package static let spent: Set<String> = ["WS210"]
}
