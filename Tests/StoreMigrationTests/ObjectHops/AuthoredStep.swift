import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import StoreVerification
import Testing

/// A store of one model, taken to another by an authored mapping.
struct AuthoredStep {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let mapping: MappingModel
  let folder: String

  var before: String { folder + "/hop-0.sqlite" }
  var files: ObjectHop.Files {
    ObjectHop.Files(
      old: before,
      new: folder + "/hop-1.sqlite",
      scratch: folder + "/hop-1-scratch.sqlite"
    )
  }

  /// Generates a store of the first model as a run's working copy would be.
  func makeStore(
    rows: Int = 60,
    seed: UInt64 = 7,
    prepare: (AppDatabase) throws -> Void = { _ in }
  ) throws {
    try StoreGenerator(model: source, rows: rows, seed: seed).write(to: before)
    let connection = try AppDatabase(before)
    try connection.execute("PRAGMA journal_mode = DELETE")
    try prepare(connection)
  }

  /// The compiled hop, whose objects are made one by one unless tables are to be carried where they can.
  func compiled(ofTables: Bool = false) throws -> CompiledHop {
    try CompiledHop(
      source: PhysicalSchema(model: source),
      destination: PhysicalSchema(model: destination),
      mapping: mapping,
      number: 1,
      mark: 77,
      modelCache: nil,
      externalData: try StoreFiles(store: before).externalData,
      isAuthored: true,
      makesObjects: !ofTables,
      altering: nil
    )
  }

  /// Returns the hop that makes the objects one by one.
  func hop(
    registry: MigrationRegistry = MigrationRegistry(),
    batchSize: Int = 7,
    acceptsTakenLinks: Bool = false
  ) throws -> ObjectHop {
    let compiled = try compiled()
    guard case .objects(let program) = compiled.program else { throw WrongProgram() }
    return ObjectHop(
      compiled,
      program,
      registry: registry,
      batchSize: batchSize,
      commitInterval: .zero,
      acceptsTakenLinks: acceptsTakenLinks
    )
  }

  private struct WrongProgram: Error {}

  /// Runs the hop, or what is left of it.
  func run(
    batchSize: Int = 7,
    cancellation: Cancellation = Cancellation(),
    onEvent: (MigrationEvent) -> Void = { _ in }
  ) throws {
    try hop(batchSize: batchSize, acceptsTakenLinks: true).run(
      files,
      owner: "test",
      cancellation: cancellation,
      onEvent: onEvent
    )
  }

  /// Returns the contents of the new file, which must also be complete by itself.
  func digest(allowing warnings: Set<String> = []) throws -> LogicalDigest {
    try Self.digest(files.new, destination, allowing: warnings)
  }

  static func digest(
    _ path: String,
    _ model: ManagedObjectModel,
    allowing warnings: Set<String> = []
  ) throws -> LogicalDigest {
    let store = try PersistentStore(reading: path)
    let names = JoinNames(
      settledBy: try StoreSchema(of: store.connection).columnNames,
      model: model
    )
    let report = try StoreVerifier.verify(
      store.connection,
      schema: "main",
      model: model,
      names: names,
      level: .full
    )
    let found = report.warnings.map(\.name).filter { $0 != "leftovers" && !warnings.contains($0) }
    #expect(report.passed && found.isEmpty, "\(found) \(report.summary)")
    return try LogicalDigest(
      of: store.connection,
      schema: PhysicalSchema(model: model, names: names),
      externalData: try StoreFiles(store: path).externalData
    )
  }

  /// Rows of the new file.
  func rows(_ sql: String) throws -> [[SQLiteValue]] {
    try PersistentStore(reading: files.new).connection.rows(sql)
  }

  /// A mapping that carries what it is told, from entity to entity.
  static func mapping(
    _ source: String,
    _ destination: String,
    name: String? = nil,
    attributes: [String: Expression] = [:],
    relationships: [String: Expression] = [:]
  ) -> EntityMapping {
    var mapping = EntityMapping(
      mappingType: .custom,
      source: source,
      destination: destination
    )
    if let name { mapping.name = name }
    mapping.attributeMappings = attributes.sorted { $0.key < $1.key }.map {
      PropertyMapping(name: $0, valueExpression: $1)
    }
    mapping.relationshipMappings = relationships.sorted { $0.key < $1.key }.map {
      PropertyMapping(name: $0, valueExpression: $1)
    }
    return mapping
  }
}

extension Expression {
  /// The objects that an entity mapping makes of those at the end of a path.
  static func instances(of mapping: String, at path: String...) -> Expression {
    .function(
      .variable("manager"),
      selector: "destinationInstancesForEntityMappingNamed:sourceInstances:",
      arguments: [
        .constant(.string(mapping)),
        path.isEmpty ? .variable("source") : .keyPath(.variable("source"), path),
      ]
    )
  }
}
