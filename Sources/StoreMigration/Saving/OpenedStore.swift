import Files
package import ObjectModel
package import StoreAccess
import Synchronization

/// A store that a program opened to read and change its objects, as Core Data's programs do.
///
/// Each context of it has a connection of its own. The store is shared with other processes by SQLite's locks;
/// a save is one transaction.
package final class OpenedStore: Sendable {
  /// The path, symbolic links followed.
  package let path: String
  /// The identifier that Core Data gave the store.
  package let uuid: String
  /// The schema of the store.
  package let schema: PhysicalSchema
  /// The reason why nothing can be changed; nil where everything can.
  package let refusal: MigrationError?
  private let real: StoreSchema
  private let externalData: String
  /// The time that is waited for other writers, in milliseconds.
  private let patience: Int32
  private let isReadOnly: Bool

  /// Opens a store whose version is a model's.
  ///
  /// - Parameters:
  ///   - model: The model, with the version hashes of the store.
  ///   - isReadOnly: Whether nothing may be changed.
  ///   - patience: The time to wait for other writers, in milliseconds.
  /// - Throws: `StoreAccessError` where the store lacks a part of its model.
  package init(
    path: String,
    model: ManagedObjectModel,
    isReadOnly: Bool,
    patience: Int32 = 10_000
  ) throws {
    let files = try StoreFiles(store: path)
    let connection = try SQLiteConnection(
      path: files.store,
      access: isReadOnly ? .readOnly : .readWrite,
      busyTimeout: patience
    )
    let metadata = try StoreContents(reading: connection).metadata
    guard metadata.versionHashes == model.entityVersionHashes else {
      throw StoreAccessError(code: .inUse, message: "\(path) is of another version than before")
    }
    real = try StoreSchema(of: connection)
    schema = PhysicalSchema(
      model: model,
      names: JoinNames(settledBy: real.columnNames, model: model)
    )
    try SchemaComparison(predicted: schema, real: real).requireAllColumns(of: path)
    try Self.requireNumbers(of: schema, real, path)
    self.path = files.store
    self.patience = patience
    self.isReadOnly = isReadOnly
    uuid = metadata.uuid
    externalData = files.externalData
    refusal =
      try Self.refusal(schema, real, metadata, isReadOnly: isReadOnly)
      ?? Self.refusal(ofKeysIn: connection, schema)
    Self.counts.withLock { $0[files.store, default: 0] += 1 }
  }

  deinit {
    Self.counts.withLock { $0[path] = ($0[path] ?? 1) > 1 ? ($0[path] ?? 1) - 1 : nil }
  }

  private static let counts = Mutex<[String: Int]>([:])

  /// Returns whether this process has a store open by a value of this type.
  ///
  /// Opening and closing such a file by other means than SQLite's would drop the locks that the process holds on
  /// it.
  package static func isOpen(_ path: String) -> Bool { counts.withLock { $0[path] != nil } }

  /// Refuses a store whose rows have other numbers of entities than its model gives.
  private static func requireNumbers(
    of schema: PhysicalSchema,
    _ real: StoreSchema,
    _ path: String
  ) throws(StoreAccessError) {
    for row in real.entityRows {
      guard let number = schema.entityNumber(row.name), Int64(number) != row.entityNumber else {
        continue
      }
      throw StoreAccessError(
        code: .unsupported,
        message: "\(path) numbers the entity \(row.name) otherwise than its model"
      )
    }
  }

  /// Returns the reason why a store can only be read.
  static func refusal(
    _ schema: PhysicalSchema,
    _ real: StoreSchema,
    _ metadata: StoreMetadata,
    isReadOnly: Bool
  ) -> MigrationError? {
    func refusal(_ reason: String, _ recovery: String) -> MigrationError {
      MigrationError(.refused, "The store can only be read: \(reason).", recovery: recovery)
    }
    if isReadOnly {
      return refusal("it was opened so", "Open it without NSReadOnlyPersistentStoreOption.")
    }
    if real.tables.contains(where: { $0.name == "ATRANSACTION" }) {
      return refusal(
        "it keeps a persistent history, which Waystone does not write",
        "Change it with the app."
      )
    }
    if let attribute = schema.unsupportedDerivations.first {
      return refusal(
        "the derivation of \(attribute.entityName).\(attribute.propertyName) is not known",
        "Change it with the app."
      )
    }
    let known = Set(schema.triggers.map(\.name))
    if let trigger = real.triggers.first(where: { !known.contains($0.name) }) {
      return refusal(
        "it has the trigger \(trigger.name), which Waystone does not run",
        "Change it with the app."
      )
    }
    if real.tables.contains(where: { $0.name.hasPrefix("Z_RT_") }) {
      return refusal(
        "it has an index of places (R-tree), which Waystone does not keep",
        "Change it with the app."
      )
    }
    if let feature = schema.unsupported.first {
      return refusal("\(feature)", "Change it with the app.")
    }
    if metadata.isCleanupPending {
      return refusal("its cleanup is still to be done", "Run `waystone finish`.")
    }
    return nil
  }

  /// Returns the reason why a store whose rows have negative keys can only be read: a context's new objects
  /// have such.
  private static func refusal(
    ofKeysIn connection: borrowing SQLiteConnection,
    _ schema: PhysicalSchema
  ) throws(SQLiteError) -> MigrationError? {
    for table in schema.tables {
      let name = SQL.identifier("main", table.name)
      guard try connection.integer("SELECT MIN(Z_PK) < 0 FROM \(name)") == 1 else { continue }
      return MigrationError(
        .refused,
        "The store can only be read: rows of \(table.name) have negative keys.",
        recovery: "Check the store with `waystone verify`."
      )
    }
    return nil
  }

  private static let lastKey = Atomic<Int64>(0)

  /// Returns a key for a new object, which no other object of the process has.
  private static func temporaryKey() -> Int64 {
    lastKey.subtract(1, ordering: .relaxed).newValue
  }

  /// Returns a context with a connection of its own, without any objects.
  ///
  /// - Throws: An error of the database.
  package func context(
    registry: MigrationRegistry = MigrationRegistry()
  ) throws -> ManagedObjectContext {
    let connection = try SQLiteConnection(
      path: path,
      access: isReadOnly ? .readOnly : .readWrite,
      busyTimeout: patience
    )
    try ExternalData.register(on: connection, folder: externalData)
    try ExpressionFunctions.register(on: connection)
    let database = PreparedDatabase(connection)
    var configuration = ManagedObjectContext.Configuration(
      store: .opened,
      schemaName: PendingRows.schemaName,
      externalData: externalData,
      registry: registry,
      nextKey: refusal == nil ? { _ in Self.temporaryKey() } : nil
    )
    configuration.isOfOpenedStore = true
    configuration.refusal = refusal
    let context = ManagedObjectContext(
      database: database,
      schema: schema,
      configuration: configuration
    )
    context.pendingRows = try PendingRows(database: database, schema: schema, real: real)
    // After the pending rows noted the file's state: a later change of it is seen by each save.
    let metadata = try StoreMetadata(reading: database.connection, schema: "main")
    guard metadata.versionHashes == schema.model.entityVersionHashes else {
      throw PendingRows.migrated
    }
    return context
  }
}
