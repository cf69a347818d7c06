import ModelCoding
package import ObjectModel

/// A writer of a model's schema into a database, as Core Data would make it in a new file.
///
/// Nothing is written but what the calls name, so that tables can be filled before their indexes
/// and triggers are made.
package struct SchemaWriter: Sendable {
  /// The schema to make.
  package let schema: PhysicalSchema
  /// `main`, or the name of an attached database.
  package let database: String

  /// A writer for one database of a connection.
  package init(_ schema: PhysicalSchema, database: String = "main") {
    self.schema = schema
    self.database = database
  }

  /// Sets what must be set before the first table of a new file: pages of 4096 bytes, incremental
  /// vacuum and UTF-8.
  ///
  /// SQLite ignores these once a table is there (sqlite.org/pragma.html). Not inside a transaction.
  ///
  /// - Throws: ``SQLiteError``; `statement` where the file is not new.
  package static func prepareNewFile(
    _ connection: borrowing SQLiteConnection,
    database: String = "main"
  ) throws(SQLiteError) {
    let prefix = SQL.identifier(database)
    // The encoding is one for all databases of a connection, and SQLite's default is UTF-8.
    if database == "main" { try connection.execute(script: "PRAGMA encoding = 'UTF-8'") }
    try connection.set("page_size", of: database, to: "4096")
    try connection.set("auto_vacuum", of: database, to: "INCREMENTAL")
    guard try connection.integer("PRAGMA \(prefix).auto_vacuum") == 2,
      try connection.integer("PRAGMA \(prefix).page_size") == 4096
    else {
      throw SQLiteError(
        code: .statement,
        message: "The file is not new: its page size and vacuum mode are set already",
        recovery: "Write to a new file."
      )
    }
  }

  /// Makes the tables of the entities, each followed by the join tables that it names.
  ///
  /// - Throws: ``SQLiteError``.
  package func createTables(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
    let joins = Dictionary(grouping: schema.joinTables) {
      schema.model.rootEntityName(of: $0.master.entityName)
    }
    for table in schema.tables {
      try connection.execute(table.statement.sql(in: database))
      for join in joins[table.rootEntityName] ?? [] {
        try connection.execute(join.statement.sql(in: database))
      }
    }
  }

  /// Makes the indexes, those of join tables included.
  ///
  /// - Throws: ``SQLiteError``; `constraint` where rows break a uniqueness constraint.
  package func createIndexes(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
    for index in schema.indexes { try connection.execute(index.statement.sql(in: database)) }
  }

  /// Makes the triggers of derived attributes, which Core Data runs and no connection of ours does.
  ///
  /// - Throws: ``SQLiteError``.
  package func createTriggers(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
    for trigger in schema.triggers {
      try connection.execute(trigger.statement.sql(in: database))
    }
  }

  /// Makes `Z_PRIMARYKEY`, `Z_METADATA` and `Z_MODELCACHE`, empty.
  ///
  /// - Throws: ``SQLiteError``.
  package func createSystemTables(
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    for table in SystemTable.allCases {
      try connection.execute(table.statement.sql(in: database))
    }
  }

  /// Computes all derived attributes anew, but for those that only saving sets.
  ///
  /// To be called before ``createTriggers(_:)``.
  ///
  /// - Throws: ``SQLiteError``.
  /// - Complexity: One pass over the table of each derived attribute, with one look-up per row.
  package func computeDerivedAttributes(
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    for attribute in schema.derivedAttributes {
      guard let sql = attribute.updateSQL(in: database) else { continue }
      try connection.execute(sql)
    }
  }
}

extension SchemaWriter {
  /// Writes the rows of `Z_PRIMARYKEY` for the model, replacing all that are there.
  ///
  /// - Parameters:
  ///   - greatestKeys: The greatest key ever issued in the table of each root entity, by the root's
  ///     name; a missing one is 0. Subentities get 0, as in Core Data's own files.
  ///   - internalRows: The rows of Core Data's own entities, which are written as they are.
  /// - Throws: ``SQLiteError``; `constraint` where two rows have one number.
  package func writePrimaryKeys(
    _ connection: borrowing SQLiteConnection,
    greatestKeys: [String: Int64],
    internalRows: [PrimaryKeyTable.Row] = []
  ) throws(SQLiteError) {
    let table = SQL.identifier(database, SystemTable.primaryKey.rawValue)
    try connection.execute("DELETE FROM \(table)")
    let statement = try connection.prepare(
      "INSERT INTO \(table) (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)"
    )
    for row in schema.primaryKeyRows(greatestKeys: greatestKeys) + internalRows {
      try statement.bind([
        .integer(row.entityNumber), .text(row.name), .integer(row.superentityNumber),
        .integer(row.maximum),
      ])
      try statement.run()
    }
  }

  /// Writes the row of `Z_MODELCACHE`, replacing what is there; nil leaves the table empty.
  ///
  /// An empty table is better than the model of another version.
  ///
  /// - Throws: ``SQLiteError``.
  package func writeModelCache(
    _ connection: borrowing SQLiteConnection,
    _ blob: [UInt8]?
  ) throws(SQLiteError) {
    let table = SQL.identifier(database, SystemTable.modelCache.rawValue)
    try connection.execute("DELETE FROM \(table)")
    guard let blob else { return }
    try connection.execute("INSERT INTO \(table) (Z_CONTENT) VALUES (?)", [.blob(blob)])
  }
}

extension SchemaWriter {
  /// Returns the deflated archive of a model, as `Z_MODELCACHE` holds it.
  ///
  /// - Returns: Nil where the archive's form for something in the model is not known: an empty table
  ///   is better than a wrong one, and Core Data needs none to open the store.
  package static func modelCache(of model: ManagedObjectModel) -> [UInt8]? {
    recentCaches.value(of: model) { try? ModelCache.encode(model) }
  }

  private static let recentCaches = RecentValues<ManagedObjectModel, [UInt8]?>(capacity: 4)
}
