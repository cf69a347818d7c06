import ObjectModel
import StoreAccess

/// The actions of an authored hop on a whole store, before or after its objects are mapped.
///
/// All of it is one transaction on a file that is thrown away if it does not finish.
struct StageActions {
  let actions: [MigrationAction]
  /// The names of the files that they come from, for messages; empty where a program made them.
  let fileNames: String
  /// The schema of the file.
  let schema: PhysicalSchema
  /// The store of the hop, source or destination, that handlers see.
  let store: ManagedObjectID.Store
  let registry: MigrationRegistry
  /// The folder of the store's external files.
  let externalData: String

  /// Takes the actions on a file.
  func run(on path: String, cancellation: Cancellation) throws {
    let database = PreparedDatabase(try SQLiteConnection(path: path, access: .readWrite))
    try database.connection.execute(
      script: "PRAGMA main.journal_mode = DELETE; PRAGMA main.synchronous = OFF"
    )
    try ExternalData.register(on: database.connection, folder: externalData)
    try ExpressionFunctions.register(on: database.connection)
    database.connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    try database.connection.transaction {
      for action in actions {
        try cancellation.check()
        switch action {
        case .sql(let text): try run(text, on: database.connection)
        case .handler(let name): try run(handler: name, on: database)
        }
      }
      try checkShape(on: database.connection)
      // The store's own triggers, which would have kept them, run nothing here.
      try SchemaWriter(schema).computeDerivedAttributes(database.connection)
      try raiseGreatestKeys(on: database.connection)
      try checkEntityNumbers(on: database.connection)
    }
  }

  private func run(_ text: String, on connection: borrowing SQLiteConnection) throws {
    do {
      try connection.execute(authored: text)
    } catch {
      let recovery: String
      switch error.code {
      case .denied:
        recovery =
          "Leave it out: SQL of a mapping changes rows and objects of its own file alone, in a "
          + "transaction that it neither begins nor ends."
      case .tooMuchWork: recovery = "Check it for a recursion or a join without an end."
      case .statement, .foreignSchema, .constraint, .schema, .readOnly:
        recovery = "Correct the SQL in that file."
      // A full disk or a damaged file is no fault of the SQL.
      default: throw error
      }
      let place = fileNames.isEmpty ? "the mapping" : fileNames
      throw MigrationError(
        .failed,
        "The SQL of \(place) failed: \(error.message).",
        recovery: recovery
      )
    }
  }

  private func run(handler name: String, on database: PreparedDatabase) throws {
    guard let handler = registry.handler(named: name) else {
      throw Self.unknown(handler: name)
    }
    let keys = try PrimaryKeyTable(reading: database.connection)
    let issued = IssuedKeys(schema: schema, keys: keys)
    let context = ManagedObjectContext(
      database: database,
      schema: schema,
      configuration: .init(
        store: store,
        schemaName: "main",
        externalData: externalData,
        registry: registry,
        nextKey: { root in try issued.next(root, on: database.connection) },
        countsSaves: true
      )
    )
    try handler(StageContext(managedObjectContext: context, handlerName: name))
    try context.save()
  }

  static func unknown(handler name: String) -> MigrationError {
    MigrationError(
      .refused,
      .unresolvedPolicy,
      "The mapping \(MissingCode.handler(name).need).",
      recovery: MissingCode.handler(name).remedy
    )
  }

  /// Refuses actions that took away what the model, or Core Data itself, keeps in the file.
  private func checkShape(on connection: borrowing SQLiteConnection) throws {
    let place = fileNames.isEmpty ? "the mapping" : fileNames
    do {
      try SchemaComparison(predicted: schema, real: StoreSchema(of: connection))
        .requireAllColumns(of: connection.path)
      _ = try StoreMetadata(reading: connection, schema: "main")
    } catch let error as StoreAccessError
      where [.damaged, .notAStore, .nullMetadata].contains(error.code)
    {
      throw MigrationError(
        .failed,
        "\(error.message), after the SQL or a handler of \(place) ran.",
        recovery: "Correct the SQL or the handler."
      )
    }
  }

  /// Refuses rows that the actions made of no entity: the mapping would not see them.
  private func checkEntityNumbers(on connection: borrowing SQLiteConnection) throws {
    let check = try EntityNumberCheck(
      connection,
      schema: schema,
      comparison: SchemaComparison(predicted: schema, real: StoreSchema(of: connection))
    )
    guard let finding = check.findings().first else { return }
    throw MigrationError(
      .failed,
      "The SQL or a handler of the mapping leaves entity numbers that are wrong: \(finding.message)",
      recovery: "Correct the SQL or the handler."
    )
  }

  /// Keeps `Z_PRIMARYKEY` above every key that a row has.
  private func raiseGreatestKeys(on connection: borrowing SQLiteConnection) throws {
    for table in schema.tables {
      guard let number = schema.entityNumber(table.rootEntityName) else { continue }
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(COALESCE(Z_MAX, 0), (SELECT COALESCE(MAX(Z_PK), 0) "
          + "FROM \(SQL.identifier(table.name)))) WHERE Z_ENT = ?",
        [.integer(Int64(number))]
      )
    }
  }
}

/// The keys that the handlers of a stage are given, above all that were ever issued.
final class IssuedKeys {
  private let schema: PhysicalSchema
  private let keys: PrimaryKeyTable
  private var greatest: [String: Int64] = [:]

  init(schema: PhysicalSchema, keys: PrimaryKeyTable) {
    self.schema = schema
    self.keys = keys
  }

  /// Returns the next key of a root entity's table.
  func next(_ root: String, on connection: borrowing SQLiteConnection) throws -> Int64 {
    let key = try (greatest[root] ?? start(root, on: connection)) + 1
    greatest[root] = key
    return key
  }

  private func start(_ root: String, on connection: borrowing SQLiteConnection) throws -> Int64 {
    guard let table = schema.table(of: root), let number = schema.entityNumber(root) else {
      return 0
    }
    let present = try connection.integer("SELECT MAX(Z_PK) FROM \(SQL.identifier(table.name))")
    return max(present ?? 0, keys[Int64(number)]?.maximum ?? 0)
  }
}
