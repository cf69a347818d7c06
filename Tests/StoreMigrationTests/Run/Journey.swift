import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Synchronization
import Testing

/// A run over four hops of the sample archive's letters, the last of them to a version of its own.
///
/// The first two hops alter the working copy in place, the third builds a fresh file, and the last alters in
/// place what becomes the result.
enum Journey {
  static let hops = 4

  static func versions() throws -> [ModelVersion] { try loaded.get() }

  /// Read once, as hundreds of runs ask for them.
  private static let loaded = Result {
    var versions = try ArchiveLoader.load("\(SampleArchive.root)/Letters.xcdatamodeld").versions
    let last = try #require(versions.last).model
    let entities = last.entities.map { entity in
      var entity = entity
      if entity.name == "Topic" {
        var motto = AttributeDescription(name: "motto", attributeType: .string)
        motto.isOptional = true
        entity.attributes.append(motto)
      }
      return entity
    }
    let model = try ManagedObjectModel(
      entities: entities,
      configurations: last.configurations,
      versionIdentifiers: ["5"]
    )
    versions.append(ModelVersion(modelName: "Letters", name: "v5", model: model))
    return versions
  }

  private static let graph = Result {
    VersionGraph(VersionedModel(name: "Letters", versions: try versions()))
  }

  /// The plans that were asked for, by the names of their ends.
  private static let plans = Mutex<[[String]: MigrationPlan]>([:])

  static func plan(from start: String = "v1", to name: String = "v5") throws -> MigrationPlan {
    if let plan = plans.withLock({ $0[[start, name]] }) { return plan }
    let graph = try graph.get()
    let plan = try MigrationPlanner(graph: graph).plan(
      from: try #require(graph.node(named: start)),
      to: try #require(graph.node(named: name)),
      options: .walking
    )
    plans.withLock { $0[[start, name]] = plan }
    return plan
  }

  /// Writes a store of the first version.
  static func makeStore(_ path: String, rows: Int = 48, seed: UInt64 = 7) throws {
    let model = try #require(versions().first).model
    try StoreGenerator(model: model, rows: rows, seed: seed).write(to: path)
  }

  static func migrator(
    output: String? = nil,
    restart: Bool = false,
    onEvent: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
  ) throws -> StoreMigrator {
    var options = MigrationOptions()
    options.output = output
    options.discardsUnfinishedRun = restart
    // A checkpoint behind each hop.
    options.settings.fusesHops = false
    options.onEvent = onEvent
    return StoreMigrator(plan: try plan(), options: options)
  }

  /// The contents of a store, with the name of its version.
  struct Content: Hashable {
    let version: String
    let digest: LogicalDigest
  }

  /// Reads a store that nobody has open, and leaves its files as they are.
  static func content(_ path: String) throws -> Content {
    let store = try PersistentStore(reading: path)
    #expect(try store.connection.text("PRAGMA integrity_check") == "ok")
    let version = try #require(
      versions().first { $0.model.entityVersionHashes == store.metadata.versionHashes }
    )
    let names = JoinNames(
      settledBy: try StoreSchema(of: store.connection).columnNames,
      model: version.model
    )
    let digest = try LogicalDigest(
      of: store.connection,
      schema: PhysicalSchema(model: version.model, names: names),
      externalData: try StoreFiles(store: path).externalData
    )
    return Content(version: version.name, digest: digest)
  }

  /// The store's journal mode as its header says it.
  static func isWriteAheadLogged(_ path: String) throws -> Bool {
    try DatabaseHeader(path: path).isWriteAheadLogged
  }
}
