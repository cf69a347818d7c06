import Files

/// The metadata that Core Data keeps in a store beside the rows of the entities.
package struct StoreContents: Hashable, Sendable {
  /// The version hashes and the rest of `Z_METADATA`.
  package let metadata: StoreMetadata
  /// Entity numbers and highest keys.
  package let primaryKeys: PrimaryKeyTable
  /// Tables, indexes and triggers, in the order they were made.
  package let schemaObjects: [SchemaObject]
  /// The deflated archive of the store's model (`Z_MODELCACHE`), or nil where the table is absent,
  /// as in stores made before 2015, or empty.
  package let modelCache: [UInt8]?

  /// Reads it through any connection, such as a migration lock's or one with the store attached.
  ///
  /// - Parameter schema: `main`, or the name of an attached database.
  /// - Throws: ``StoreAccessError``: `notAStore`, `nullMetadata`, `damaged`, or the code for SQLite's own
  ///   error.
  package init(
    reading connection: borrowing SQLiteConnection,
    schema: String = "main"
  ) throws(StoreAccessError) {
    self = try connection.readingMetadata { () throws(StoreAccessError) in
      try Self(checking: connection, schema: schema)
    }
  }

  private init(
    checking connection: borrowing SQLiteConnection,
    schema: String
  ) throws(StoreAccessError) {
    let path = connection.path
    // The schema first: nothing is read from an object that only has a table's name.
    schemaObjects = try SchemaObject.all(in: connection, schema: schema)
    try SchemaObject.checkSystemNames(schemaObjects, path: path)
    try Self.checkColumns(schemaObjects, connection, schema)
    metadata = try StoreMetadata(reading: connection, schema: schema)
    primaryKeys = try PrimaryKeyTable(reading: connection, schema: schema)
    let names = primaryKeys.rows.map(\.name)
    try SchemaObject.checkSystemNames(schemaObjects, entityNames: names, path: path)
    try SchemaObject.checkStatements(schemaObjects, path: path)
    let hasCache = schemaObjects.contains { $0.kind == .table && $0.name == "Z_MODELCACHE" }
    guard hasCache else {
      modelCache = nil
      return
    }
    let table = SQL.identifier(schema, "Z_MODELCACHE")
    let cache = try asStoreAccess { () throws(SQLiteError) in
      try connection.rows("SELECT Z_CONTENT FROM \(table) LIMIT 1")
    }
    modelCache = cache.first?[0].blob.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads it in one snapshot, where another process may write meanwhile.
  init(
    snapshotOf connection: borrowing SQLiteConnection,
    files: StoreFiles
  ) throws(StoreAccessError) {
    do throws(StoreAccessError) {
      try asStoreAccess { () throws(SQLiteError) in try connection.execute("BEGIN") }
      try self.init(reading: connection)
      try asStoreAccess { () throws(SQLiteError) in try connection.execute("COMMIT") }
    } catch {
      throw try Self.hinting(error, files)
    }
  }

  /// Returns the error with the hint that a write-ahead log seems to be missing, where that explains it.
  private static func hinting(
    _ error: StoreAccessError,
    _ files: StoreFiles
  ) throws(StoreAccessError) -> StoreAccessError {
    guard error.code == .notAStore || error.code == .damaged else { return error }
    let hasLog = try asStoreAccess(files: { () throws(FileError) in
      try FileSystem.exists(files.writeAheadLog)
    })
    if hasLog { return error }
    var error = error
    let name = FileSystem.name(of: files.writeAheadLog)
    if try files.lacksWriteAheadLog {
      error.message += "; its “-shm” file is there and its “-wal” file is not"
      error.recovery = "Copy \(name) beside the store: what was written last stands there."
    } else if error.code == .notAStore {
      error.recovery += " If it was copied from elsewhere, copy \(name) too."
    }
    return error
  }
}
