import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Synchronization
import Testing

/// A run of five hops, of which people wrote the second and the fourth.
///
/// The second makes an entity of a text, by a policy and by SQL; the fourth is a custom stage: what
/// it maps could be inferred, and it acts before and after.
enum AuthoredJourney {
  static let hops = 5

  static func models() throws -> [ManagedObjectModel] { try sketched.get() }

  private static let sketched = Result {
    try [
      "Note { title: String; category: String?; words: Int16; tags ->> Tag.notes } "
        + "Tag { name: String?; notes ->> Note.tags }",
      "Note { title: String; category: String?; words: Int16; rating: Int16?; "
        + "tags ->> Tag.notes } Tag { name: String?; notes ->> Note.tags }",
      "Note { title: String; length: Int32; category -> Category.notes; tags ->> Tag.notes } "
        + "Category { name: String?; notes ->> Note.category } "
        + "Tag { name: String?; notes ->> Note.tags }",
      "Note { heading: String was title; length: Int32; category -> Category.notes; "
        + "tags ->> Tag.notes } Category { name: String?; notes ->> Note.category } "
        + "Tag { name: String?; notes ->> Note.tags }",
      "Note { heading: String; length: Int64; summary: String?; category -> Category.notes; "
        + "tags ->> Tag.notes } Category { name: String?; notes ->> Note.category } "
        + "Tag { name: String?; notes ->> Note.tags }",
      "Note { heading: String; length: Int64; abstract: String? was summary; "
        + "category -> Category.notes; tags ->> Tag.notes } "
        + "Category { name: String?; notes ->> Note.category } "
        + "Tag { name: String?; notes ->> Note.tags }",
    ].map(ModelSketch.model)
  }

  /// Doubles the number of words, and counts the objects it made.
  final class LengthPolicy: EntityMigrationPolicy {
    private var count: UInt8 = 0

    override var state: State { .checkpointed }

    override func saveState() -> [UInt8] { [count] }

    override func restoreState(_ state: [UInt8]) { count = state.first ?? 0 }

    override func createDestinationInstances(
      forSource source: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let object = try manager.createDefaultInstance(forSource: source)
      guard case .scalar(.integer(let words)) = try source.value(forKey: "words") else { return }
      try object?.setValue(.scalar(.integer(words * 2)), forKey: "length")
      count &+= 1
    }

    override func endInstanceCreation(
      forMapping mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      // What was counted before a kill is counted still.
      let object = try manager.destinationContext.insert(entityName: "Tag")
      try object.setValue(.scalar(.string("\(count) notes")), forKey: "name")
    }
  }

  static var registry: MigrationRegistry {
    var registry = MigrationRegistry()
    registry.register(LengthPolicy.self, as: "LengthPolicy")
    registry.register(handler: "summarize") { stage in
      try stage.managedObjectContext.forEach(entityName: "Note", includesSubentities: true) {
        try $0.setValue($0.value(forKey: "heading"), forKey: "summary")
        return true
      }
    }
    return registry
  }

  static func mapping() -> MappingModel {
    var note = AuthoredStep.mapping(
      "Note",
      "Note",
      attributes: ["title": .source("title"), "length": .source("words")],
      relationships: [
        "category": .instances(of: "NoteToCategory"),
        "tags": .destinationInstances(forSourceRelationship: "tags"),
      ]
    )
    note.entityMigrationPolicyClassName = "LengthPolicy"
    var category = AuthoredStep.mapping(
      "Note",
      "Category",
      attributes: ["name": .source("category")]
    )
    category.deduplicationKeys = ["name"]
    let tag = AuthoredStep.mapping("Tag", "Tag", attributes: ["name": .source("name")])
    return MappingModel(entityMappings: [note, category, tag])
  }

  /// The plans that were asked for, by the version where they start.
  private static let plans = Mutex<[String: MigrationPlan]>([:])

  static func plan(from start: String = "v1") throws -> MigrationPlan {
    if let plan = plans.withLock({ $0[start] }) { return plan }
    let models = try models()
    let versions = models.enumerated().map {
      ModelVersion(modelName: "Notes", name: "v\($0 + 1)", model: $1)
    }
    var stage = try #require(MappingInference.infer(from: models[3], to: models[4]).mapping)
    stage.actionsBefore = [.sql("UPDATE ZNOTE SET ZLENGTH = ZLENGTH + 1")]
    stage.actionsAfter = [
      .handler("summarize"), .sql("UPDATE ZNOTE SET ZLENGTH = -ZLENGTH WHERE ZLENGTH > 0"),
    ]
    let edges = [(1, mapping()), (3, stage)].map { index, mapping in
      AuthoredEdge(
        source: models[index].entityVersionHashes,
        destination: models[index + 1].entityVersionHashes,
        mapping: mapping,
        origins: []
      )
    }
    let graph = VersionGraph(VersionedModel(name: "Notes", versions: versions), authored: edges)
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    planning.acceptUnknown = true
    planning.followsHistory = true
    let plan = try MigrationPlanner(graph: graph).plan(
      from: try #require(graph.node(named: start)),
      to: try #require(graph.node(named: "v6")),
      options: planning
    )
    plans.withLock { $0[start] = plan }
    return plan
  }

  /// Writes a store of one of the first two versions.
  static func makeStore(_ path: String, version: Int = 0, rows: Int = 60) throws {
    let model = try models()[version]
    try StoreGenerator(model: model, rows: rows, seed: 3).write(to: path)
    let connection = try AppDatabase(path)
    try connection.execute(
      "UPDATE ZNOTE SET ZCATEGORY = 'category ' || (Z_PK % 5), ZWORDS = Z_PK"
    )
  }

  static func migrator(
    output: String? = nil,
    batchSize: Int = 8,
    onEvent: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
  ) throws -> StoreMigrator {
    var options = MigrationOptions()
    options.output = output
    options.onEvent = onEvent
    options.registry = registry
    options.allowedSQL = .all
    options.batchSize = batchSize
    options.commitInterval = .zero
    options.settings.acceptsUnprovenNames = true
    return StoreMigrator(plan: try plan(), options: options)
  }

  /// Returns the contents of a finished store.
  static func digest(_ path: String) throws -> LogicalDigest {
    try AuthoredStep.digest(path, try #require(models().last))
  }
}
