import Files
import ModelCoding
import ObjectModel

/// A conversion of a store of the XML kind into one of the SQLite kind, of the same version.
///
/// The file is read three times, an object at a time: for the identifiers of its objects; for the rows; and
/// by ``XMLStoreVerification``, which compares it with these.
struct XMLStoreConversion {
  let reader: XMLStoreReader
  let entities: XMLStoreEntities
  /// Whether to go on, which is asked now and then.
  let shouldContinue: () -> Bool
  var path: String { reader.path }
  var schema: PhysicalSchema { entities.schema }
  private(set) var account = XMLStoreAccount()

  /// Writes the store at a path that is free.
  ///
  /// - Parameters:
  ///   - path: The store of the XML kind.
  ///   - model: The model that it was written by.
  /// - Returns: The differences between the file and the rows.
  /// - Throws: ``StoreAccessError``: `damaged`, with file, line and object, where the file contradicts itself
  ///   or the model; `unsupported` where it is not known how stores keep a part of the model.
  /// - Complexity: O(*n* log *n*) in the objects and links, in memory that does not grow with them.
  static func convert(
    _ path: String,
    by model: ManagedObjectModel,
    to copy: String,
    shouldContinue: @escaping () -> Bool
  ) throws(StoreAccessError) -> [XMLStoreNote] {
    let schema = PhysicalSchema(model: model)
    if let feature = schema.unsupported.first {
      throw StoreAccessError(
        code: .unsupported,
        message: "\(path) cannot be made a store of the SQLite kind: \(feature)",
        recovery: "Let the app itself move it: NSPersistentStoreCoordinator has "
          + "migratePersistentStore(_:to:options:withType:) for that."
      )
    }
    let reader = XMLStoreReader(path)
    var conversion = XMLStoreConversion(
      reader: reader,
      entities: XMLStoreEntities(schema),
      shouldContinue: shouldContinue
    )
    let head = try reader.head()
    let connection = try asStoreAccess { () throws(SQLiteError) in
      try SQLiteConnection(path: copy, access: .create)
    }
    return try conversion.write(head.metadata, to: connection)
  }

  private init(
    reader: XMLStoreReader,
    entities: XMLStoreEntities,
    shouldContinue: @escaping () -> Bool
  ) {
    self.reader = reader
    self.entities = entities
    self.shouldContinue = shouldContinue
  }

  private mutating func write(
    _ metadata: StoreMetadata,
    to connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) -> [XMLStoreNote] {
    let writer = SchemaWriter(schema)
    account.guessedNames = schema.unsettledNames.count
    let keys = try asStoreAccess { () throws(SQLiteError) in
      try SchemaWriter.prepareNewFile(connection)
      // The file is a copy, which is thrown away if it is not finished.
      try connection.setJournalMode(.off)
      try connection.execute(
        script: "PRAGMA main.synchronous = OFF; PRAGMA main.cache_size = -16384"
      )
      try connection.execute("BEGIN IMMEDIATE")
      try writer.createTables(connection)
      return try XMLStoreKeys(connection)
    }
    try collect(keys, connection)
    try writeRows(keys, connection)
    let linker = XMLStoreLinker(entities: entities, keys: keys, path: path)
    account.oneEnded += try linker.link(connection)
    try asStoreAccess { () throws(SQLiteError) in try writer.computeDerivedAttributes(connection) }
    try createIndexes(writer, connection)
    try asStoreAccess { () throws(SQLiteError) in
      try writer.createTriggers(connection)
      try writer.createSystemTables(connection)
      try writer.writePrimaryKeys(connection, greatestKeys: try greatestKeys(connection))
      try writer.writeModelCache(connection, SchemaWriter.modelCache(of: schema.model))
      var metadata = metadata
      metadata.hasGuessedNames = account.guessedNames > 0
      try metadata.write(to: connection)
    }
    let verification = XMLStoreVerification(reader: reader, entities: entities, keys: keys)
    try verification.verify(connection, account, shouldContinue)
    try asStoreAccess { () throws(SQLiteError) in
      try connection.execute("DROP TABLE \(XMLStoreKeys.table)")
      try connection.execute("DROP TABLE \(XMLStoreLinker.table)")
      try connection.execute("COMMIT")
      try connection.setJournalMode(.wal)
    }
    return account.notes
  }

  /// Throws if the caller asked to stop.
  static func check(_ shouldContinue: () -> Bool, at count: Int) throws(StoreAccessError) {
    guard count & 1023 == 0, !shouldContinue() else { return }
    throw StoreAccessError(code: .interrupted, message: "The conversion was stopped")
  }

  /// Reads the identifiers of all objects.
  private func collect(
    _ keys: XMLStoreKeys,
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) {
    try reader.forEachObject { object in
      try Self.check(shouldContinue, at: Int(keys.count))
      let entity = try entities.entity(of: object, in: path)
      guard try keys.add(object, entityNumber: entity.number, connection) else {
        let other = try keys.line(of: object.identifier, connection)
        throw StoreAccessError.inXMLStore(
          path,
          object.line,
          object: object.identifier,
          "an object with this identifier is at line \(other ?? 0), too"
        )
      }
    }
  }

  /// Writes the rows with their attributes and to-one relationships, and collects the links of the others.
  private mutating func writeRows(
    _ keys: XMLStoreKeys,
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) {
    let rows: XMLStoreRowWriter
    do throws(SQLiteError) { rows = try XMLStoreRowWriter(keys, path, connection) } catch {
      throw StoreAccessError(error)
    }
    var account = account
    var count = 0
    try reader.forEachObject { object in
      try Self.check(shouldContinue, at: count)
      count += 1
      let entity = try entities.entity(of: object, in: path)
      try rows.write(object, entity, connection, &account)
      account.objects[entity.number, default: 0] += 1
    }
    self.account = account
  }

  private func createIndexes(
    _ writer: SchemaWriter,
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) {
    do throws(SQLiteError) { try writer.createIndexes(connection) } catch {
      guard error.code == .constraint else { throw StoreAccessError(error) }
      throw StoreAccessError(
        code: .damaged,
        message: "\(path) has objects that share a value which its model keeps unique",
        recovery: "Remove all but one of them in the app that made the store."
      )
    }
  }

  /// Returns the greatest key of each root entity.
  private func greatestKeys(
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [String: Int64] {
    var keys: [String: Int64] = [:]
    for table in schema.tables {
      keys[table.rootEntityName] =
        try connection.integer("SELECT MAX(Z_PK) FROM \(SQL.identifier(table.name))") ?? 0
    }
    return keys
  }
}
