import ObjectModel
import StoreAccess
import StoreMigration
import StoreVerification

/// A store whose objects a test reads and changes.
struct OpenedStore {
  let database: PreparedDatabase
  let schema: PhysicalSchema
  let context: ManagedObjectContext

  var model: ManagedObjectModel { schema.model }

  /// Opens a store for its objects to be changed, with keys above all that were ever issued.
  init(
    _ path: String,
    _ model: ManagedObjectModel,
    isWritable: Bool = true,
    registry: MigrationRegistry = MigrationRegistry()
  ) throws {
    let connection = try SQLiteConnection(path: path, access: .readWrite)
    try connection.setJournalMode(.delete)
    try connection.execute(script: "PRAGMA synchronous = OFF")
    try ExpressionFunctions.register(on: connection)
    var greatest: [String: Int64] = [:]
    for row in try PrimaryKeyTable(reading: connection).rows { greatest[row.name] = row.maximum }
    database = PreparedDatabase(connection)
    schema = PhysicalSchema(model: model)
    var configuration = ManagedObjectContext.Configuration(
      store: .source,
      schemaName: "main",
      registry: registry
    )
    if isWritable {
      let database = database
      configuration.nextKey = { root in
        let next = greatest[root, default: 0] + 1
        greatest[root] = next
        try database.connection.execute(
          "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?",
          [.integer(next), .text(root)]
        )
        return next
      }
    }
    context = ManagedObjectContext(
      database: database,
      schema: schema,
      configuration: configuration
    )
  }

  /// The faults of the store, warnings included.
  func complaints() throws -> [VerificationReport.Check] {
    try context.save()
    let report = try StoreVerifier.verify(
      database.connection,
      database: "main",
      schema: schema,
      level: .standard
    )
    return report.checks.filter { $0.failures > 0 }
  }

  /// All objects of an entity, in order of key.
  func objects(_ entityName: String, includesSubentities: Bool = false) throws -> [ManagedObject] {
    var objects: [ManagedObject] = []
    try context.forEach(entityName: entityName, includesSubentities: includesSubentities) {
      objects.append($0)
      return true
    }
    return objects
  }

  /// The first column of a query.
  func integers(_ sql: String) throws -> [Int64?] {
    try database.connection.rows(sql).map { $0[0].integer }
  }
}
