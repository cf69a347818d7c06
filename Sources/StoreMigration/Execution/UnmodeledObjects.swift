package import StoreAccess

/// The objects of a store's file beyond the tables of its model and Core Data's own three.
///
/// The persistent history, CloudKit's tables and tables of the app's own are carried as they are;
/// indexes that no model asks for are left behind, as Core Data itself leaves some behind.
package struct UnmodeledObjects: Sendable {
  /// The tables to carry, in the order in which they were made.
  package let tables: [SchemaObject]
  /// Their indexes, triggers and the views.
  package let others: [SchemaObject]
  /// The indexes and triggers on the model's tables that its schema does not have.
  package let leftBehind: [SchemaObject]
  /// The tables of Core Data's shape that the schema does not have: a deferred cleanup left them.
  package let leftovers: [SchemaObject]
  /// Whether tables of the file were ever declared with AUTOINCREMENT.
  package let hasSequences: Bool
  /// Whether the file has the statistics of ANALYZE, which a fresh file does not have.
  package let hasStatistics: Bool

  /// Sorts the objects of a store's file.
  ///
  /// - Throws: ``MigrationError`` with `refused` for virtual tables, whose content is not in their
  ///   rows.
  package init(_ objects: [SchemaObject], schema: PhysicalSchema) throws(MigrationError) {
    let modelled = Set(schema.tables.map(\.name) + schema.joinTables.map(\.name))
    let known = Set(schema.indexes.map(\.name) + schema.triggers.map(\.name))
    var tables: [SchemaObject] = []
    var others: [SchemaObject] = []
    var leftBehind: [SchemaObject] = []
    let leftovers = objects.filter { $0.isOfEntities && !modelled.contains($0.name) }
    let left = Set(leftovers.map(\.name))
    self.leftovers = leftovers
    hasSequences = objects.contains { $0.name == "sqlite_sequence" }
    hasStatistics = objects.contains { $0.name.hasPrefix("sqlite_stat") }
    for object in objects
    where !object.name.lowercased().hasPrefix("sqlite_") && !left.contains(object.tableName) {
      let isOfModel =
        modelled.contains(object.tableName) || SystemTable(rawValue: object.tableName) != nil
      switch object.kind {
      case .table where object.isVirtual:
        throw MigrationError(
          .refused,
          "The store has the virtual table \(object.name), which cannot be carried.",
          recovery: "Migrate it with the app that made it."
        )
      case .table: if !isOfModel { tables.append(object) }
      case .view: others.append(object)
      case .index, .trigger:
        guard object.sql != nil else { continue }
        if !isOfModel {
          others.append(object)
        } else if !known.contains(object.name) {
          leftBehind.append(object)
        }
      }
    }
    self.tables = tables
    self.others = others
    self.leftBehind = leftBehind
  }

  /// Whether CloudKit mirrors the store: its tables name entities by number.
  package var hasCloudKitTables: Bool { tables.contains { $0.name.hasPrefix("ANSCK") } }

  /// Whether the store keeps a persistent history.
  package var hasHistory: Bool { tables.contains { $0.name == "ACHANGE" } }

  /// Copies the carried tables from `old` into `main`, with the row numbers that nothing declares and
  /// the counters of AUTOINCREMENT.
  func copy(_ compiled: CompiledHop, on connection: borrowing SQLiteConnection) throws {
    for table in tables {
      try connection.create(table)
      let layout = try UnmodeledTable(table.name, in: "old", on: connection)
      let special = table.name == "ACHANGE" ? compiled.historyValues : [:]
      let columns = layout.allColumns
      let values = columns.map { special[$0] ?? "s.\(SQL.identifier($0))" }
      let filter = special["ZENTITY"].map { " WHERE \($0) IS NOT NULL" } ?? ""
      try connection.execute(
        "INSERT INTO \(SQL.identifier("main", table.name)) "
          + "(\(columns.map { SQL.identifier($0) }.joined(separator: ", "))) "
          + "SELECT \(values.joined(separator: ", ")) "
          + "FROM \(SQL.scan("old", table.name, as: "s"))\(filter)"
      )
    }
    if hasSequences { try copySequences(on: connection) }
  }

  /// Copies `sqlite_sequence`, which SQLite makes with the first table that needs it.
  private func copySequences(on connection: borrowing SQLiteConnection) throws(SQLiteError) {
    let isThere = try connection.integer(
      "SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'"
    )
    if isThere == nil {
      let name = "\"WAYSTONE_SEQUENCE\""
      try connection.execute("CREATE TABLE main.\(name) (A INTEGER PRIMARY KEY AUTOINCREMENT)")
      try connection.execute("DROP TABLE main.\(name)")
    }
    try connection.execute("DELETE FROM main.sqlite_sequence")
    try connection.execute(
      "INSERT INTO main.sqlite_sequence (name, seq) "
        + "SELECT name, seq FROM old.sqlite_sequence ORDER BY rowid"
    )
  }
}
