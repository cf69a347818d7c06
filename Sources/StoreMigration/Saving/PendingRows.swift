import ObjectModel
import StoreAccess

/// The rows of a context of an opened store that the store's file does not have yet.
///
/// Each table `T` of the store has a table of pending rows and a view named `T` in SQLite's temporary database
/// of the connection: the view shows the file's rows with the pending ones in their place, and what is written
/// into it goes to the pending rows. So a context reads what it changed, takes no lock before it saves, and
/// other connections see nothing of it. New rows have negative keys until they are saved.
final class PendingRows {
  /// A table of the store whose rows may be pending.
  struct Table {
    /// The name in the store.
    let name: String
    /// The columns, each with the type that its table declares.
    let columns: [(name: String, type: String)]
    /// The columns of the primary key.
    let keys: [String]
    /// The columns with keys of other rows, and the place among the schema's tables of those rows.
    let references: [(column: String, place: Int)]
    /// The place among the schema's tables; nil for a join table.
    let place: Int?

    /// The table of the pending rows.
    var pending: String { SQL.identifier("temp", PendingRows.prefix + name) }
    /// The table of the file.
    var file: String { SQL.identifier("main", name) }
    /// The columns' names, with commas between them.
    func list(_ prefix: String = "") -> String {
      columns.map { prefix + SQL.identifier($0.name) }.joined(separator: ", ")
    }
  }

  /// The name under which the views are.
  static let schemaName = "temp"
  /// The beginning of the names of the tables of pending rows.
  static let prefix = "waystone_"
  /// The column that is 0 for a row that the file has with other values, 1 for one that it has not, and 2 for one
  /// that is to be deleted.
  static let state = "waystone_state"
  /// The column with the number of saves that the file's row had when the object was read.
  static let base = "waystone_base"
  /// The table of the keys that new rows get.
  static let keyTable = "temp.waystone_keys"

  let database: PreparedDatabase
  let schema: PhysicalSchema
  let tables: [Table]
  /// The number that SQLite counts up with each change of the file's tables.
  private var schemaNumber: Int64?

  /// Makes the pending tables and the views of a connection.
  ///
  /// - Parameter real: The tables that the file has.
  init(database: PreparedDatabase, schema: PhysicalSchema, real: StoreSchema) throws(SQLiteError) {
    self.database = database
    self.schema = schema
    tables = Self.tables(schema, real)
    schemaNumber = try Self.schemaNumber(database)
    for table in tables { try Self.create(table, database) }
    try database.connection.execute(
      "CREATE TABLE \(Self.keyTable) (place INTEGER, old INTEGER, new INTEGER,"
        + " PRIMARY KEY (place, old)) WITHOUT ROWID"
    )
    database.connection.setRunsTriggers(true)
  }

  private static func tables(_ schema: PhysicalSchema, _ real: StoreSchema) -> [Table] {
    let types = Dictionary(
      real.tables.map { table in
        (table.name, Dictionary(table.columns.map { ($0.name, $0.declaredType) }) { $1 })
      }
    ) { $1 }
    func place(of entity: String) -> Int? {
      let root = schema.model.rootEntityName(of: entity)
      return schema.tables.firstIndex { $0.rootEntityName == root }
    }
    func table(_ name: String, _ columns: [SchemaColumn], _ keys: [String], _ own: Int?) -> Table {
      var references: [(String, Int)] = []
      for column in columns {
        let target: String? =
          switch column.role {
          case .toOneKey(let entity, let name), .joinKey(let entity, let name):
            schema.model.property(name, of: entity)?.property.relationship?.destinationEntityName
          case .oneSidedOwner(let entity, _): entity
          default: nil
          }
        if let place = target.flatMap(place) { references.append((column.name, place)) }
      }
      return Table(
        name: name,
        columns: columns.map { ($0.name, types[name]?[$0.name] ?? $0.declaredType) },
        keys: keys,
        references: references,
        place: own
      )
    }
    return schema.tables.enumerated().map { table($1.name, $1.columns, ["Z_PK"], $0) }
      + schema.joinTables.map { table($0.name, $0.columns, $0.keyColumns.map(\.name), nil) }
  }

  private static func create(_ table: Table, _ database: PreparedDatabase) throws(SQLiteError) {
    let pending = SQL.identifier(prefix + table.name)
    let keys = table.keys.map { SQL.identifier($0) }
    let columns = table.columns.map { column in
      let isKey = table.place != nil && column.name == table.keys[0]
      return SQL.identifier(column.name) + (isKey ? " INTEGER PRIMARY KEY" : " \(column.type)")
    }
    let isEntity = table.place != nil
    let isPending =
      isEntity
      ? "\(keys[0]) IN (SELECT \(keys[0]) FROM \(table.pending))"
      : "EXISTS (SELECT 1 FROM \(table.pending) AS p WHERE "
        + keys.map { "p.\($0) = m.\($0)" }.joined(separator: " AND ") + ")"
    let view = SQL.identifier(schemaName, table.name)
    let list = table.list()
    let updates = table.columns.filter { !table.keys.contains($0.name) }
      .map { "\(SQL.identifier($0.name)) = excluded.\(SQL.identifier($0.name))" }
    let match = keys.map { "\($0) = OLD.\($0)" }.joined(separator: " AND ")
    let old = keys.map { "OLD.\($0)" }.joined(separator: ", ")
    let newBase = isEntity ? "NEW.Z_OPT - 1" : "0"
    let oldBase = isEntity ? "COALESCE(OLD.Z_OPT, 0)" : "0"
    let statements = [
      "CREATE TABLE \(table.pending) (\(columns.joined(separator: ", ")),"
        + " \(state) INTEGER NOT NULL, \(base) INTEGER NOT NULL"
        + (isEntity ? ")" : ", PRIMARY KEY (\(keys.joined(separator: ", ")))) WITHOUT ROWID"),
      "CREATE TEMP VIEW \(SQL.identifier(table.name)) AS SELECT \(list) FROM \(table.file) AS m"
        + " WHERE NOT \(isPending)"
        + " UNION ALL SELECT \(list) FROM \(table.pending) WHERE \(state) < 2",
      trigger(
        table,
        "INSERT",
        // A link that was taken and is made again is the file's own, with another place in its list.
        "INSERT INTO \(pending) (\(list), \(state), \(base)) VALUES (\(table.list("NEW.")), 1, 0)"
          + " ON CONFLICT (\(keys.joined(separator: ", "))) DO UPDATE SET "
          + (updates + ["\(state) = 0"]).joined(separator: ", ") + ";"
      ),
      trigger(
        table,
        "UPDATE",
        "INSERT INTO \(pending) (\(list), \(state), \(base))"
          + " VALUES (\(table.list("NEW.")), 0, \(newBase))"
          + " ON CONFLICT (\(keys.joined(separator: ", "))) DO UPDATE SET "
          + (updates.isEmpty ? ["\(base) = \(base)"] : updates).joined(separator: ", ") + ";"
      ),
      trigger(
        table,
        "DELETE",
        "UPDATE \(pending) SET \(state) = CASE \(state) WHEN 1 THEN 3 ELSE 2 END WHERE \(match);"
          + " INSERT OR IGNORE INTO \(pending) (\(keys.joined(separator: ", ")), \(state), \(base))"
          + " VALUES (\(old), 2, \(oldBase));"
          + " DELETE FROM \(pending) WHERE \(match) AND \(state) = 3;"
      ),
    ]
    do throws(SQLiteError) {
      for statement in statements { try database.connection.execute(statement) }
    } catch {
      var error = error
      error.message = "The pending rows of \(view) could not be made: \(error.message)"
      throw error
    }
  }

  private static func trigger(_ table: Table, _ event: String, _ body: String) -> String {
    let name = SQL.identifier("\(prefix)\(table.name)_\(event)")
    return "CREATE TEMP TRIGGER \(name) INSTEAD OF \(event)"
      + " ON \(SQL.identifier(schemaName, table.name)) BEGIN \(body) END"
  }
}

extension PendingRows {
  /// Sets the number of saves that a row to be deleted had when its object was read.
  func setBase(_ version: Int64, of key: Int64, in table: String) throws(SQLiteError) {
    let pending = SQL.identifier("temp", Self.prefix + table)
    let update = try database.statement(
      "UPDATE \(pending) SET \(Self.base) = ? WHERE Z_PK = ? AND \(Self.state) = 2"
    )
    try update.statement.bind(version, at: 1)
    try update.statement.bind(key, at: 2)
    try update.statement.run()
  }

  /// Forgets all pending rows; to be called where no statement reads them.
  func clear() throws(SQLiteError) {
    for table in tables { try database.connection.execute("DELETE FROM \(table.pending)") }
    try database.connection.execute("DELETE FROM \(Self.keyTable)")
  }

  /// Forgets the pending row of a key.
  func forget(_ key: Int64, in table: String) throws(SQLiteError) {
    let pending = SQL.identifier("temp", Self.prefix + table)
    try database.connection.execute("DELETE FROM \(pending) WHERE Z_PK = ?", [.integer(key)])
  }

  /// Writes into the file in one transaction, in which no trigger of the file runs.
  func writing<Value>(_ body: () throws -> Value) throws -> Value {
    try database.settle()
    database.connection.setRunsTriggers(false)
    // Statements that write into the views are compiled anew afterwards.
    defer { database.connection.setRunsTriggers(true) }
    return try database.connection.transaction(.immediate) {
      try requireVersion()
      return try body()
    }
  }

  /// Refuses to write into a file that another process migrated since it was opened, or gave something that
  /// saves would not keep.
  private func requireVersion() throws {
    let number = try Self.schemaNumber(database)
    guard number != schemaNumber else { return }
    let metadata = try StoreMetadata(reading: database.connection, schema: "main")
    guard metadata.versionHashes == schema.model.entityVersionHashes else {
      throw Self.migrated
    }
    let real = try StoreSchema(of: database.connection)
    if let refusal = OpenedStore.refusal(schema, real, metadata, isReadOnly: false) {
      throw refusal
    }
    schemaNumber = number
  }

  private static func schemaNumber(_ database: PreparedDatabase) throws(SQLiteError) -> Int64? {
    try database.connection.integer("PRAGMA main.schema_version")
  }

  /// Gives the new rows keys of the store, which it counts in `Z_PRIMARYKEY`.
  ///
  /// - Returns: The new key of each, by the place of its table and its old key.
  func assignKeys() throws -> [[Int64: Int64]] {
    try database.connection.execute("DELETE FROM \(Self.keyTable)")
    var assigned: [[Int64: Int64]] = Array(repeating: [:], count: schema.tables.count)
    for table in tables {
      guard let place = table.place else { continue }
      let keys = try database.connection.rows(
        "SELECT Z_PK FROM \(table.pending) WHERE \(Self.state) = 1 AND Z_PK < 0"
          + " ORDER BY Z_PK DESC"
      ).compactMap { $0.first?.integer }
      guard !keys.isEmpty else { continue }
      let first = try takeKeys(keys.count, of: table, place)
      let insert = try database.cursor("INSERT INTO \(Self.keyTable) VALUES (?, ?, ?)")
      for (index, key) in keys.enumerated() {
        let new = first + Int64(index)
        assigned[place][key] = new
        try insert.statement.bind([.integer(Int64(place)), .integer(key), .integer(new)])
        try insert.statement.run()
      }
    }
    try rename()
    return assigned
  }

  /// Takes keys of the store for new rows of a table, at the given place among the schema's.
  ///
  /// - Returns: The first; the others follow it.
  func takeKeys(_ count: Int, of table: Table, _ place: Int) throws -> Int64 {
    let root = schema.tables[place].rootEntityName
    let number = SQLiteValue.integer(Int64(schema.entityNumber(root) ?? 0))
    let counted =
      try database.connection.integer(
        "SELECT Z_MAX FROM main.Z_PRIMARYKEY WHERE Z_ENT = ?",
        [number]
      ) ?? 0
    let present = try database.connection.integer("SELECT MAX(Z_PK) FROM \(table.file)") ?? 0
    let last = max(counted, present, 0)
    guard last <= Int64.max - Int64(count) else { throw Self.damaged("Z_PK", root) }
    try database.connection.execute(
      "UPDATE main.Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
      [.integer(last + Int64(count)), number]
    )
    guard database.connection.changes == 1 else {
      throw MigrationError(
        .damaged,
        "Z_PRIMARYKEY of the store has not one row for the entity \(root).",
        recovery: "Check the store with `waystone verify`."
      )
    }
    return last + 1
  }

  /// The error of a store that is not of the version any more with which it was opened.
  static let migrated = MigrationError(
    .mismatch,
    "Another process migrated the store since it was opened.",
    recovery: "Open it again."
  )

  /// Returns the error of a number that leaves no room for the next one.
  static func damaged(_ column: String, _ entity: String) -> MigrationError {
    MigrationError(
      .damaged,
      "\(column) of the entity \(entity) has the greatest number that there is.",
      recovery: "Check the store with `waystone verify`."
    )
  }

  /// Gives the pending rows the new keys, wherever the old ones are.
  private func rename() throws(SQLiteError) {
    for table in tables where try hasRows(table) {
      for (column, place) in table.references + (table.place.map { [("Z_PK", $0)] } ?? []) {
        let name = SQL.identifier(column)
        try database.connection.execute(
          "UPDATE \(table.pending) SET \(name) = (SELECT new FROM \(Self.keyTable)"
            + " WHERE place = \(place) AND old = \(name)) WHERE \(name) IN"
            + " (SELECT old FROM \(Self.keyTable) WHERE place = \(place))"
        )
      }
      guard table.place != nil else { continue }
      // The keys of new objects that were deleted again are in no file.
      for (column, _) in table.references {
        let name = SQL.identifier(column)
        try database.connection.execute(
          "UPDATE \(table.pending) AS p SET \(name) = NULL WHERE \(name) < 0 AND NOT EXISTS"
            + " (SELECT 1 FROM \(table.file) AS m WHERE m.Z_PK = p.Z_PK AND m.\(name) IS p.\(name))"
        )
      }
    }
  }

  /// Returns the rows that would lead to others that are not there, by table and key; of a join table those
  /// that are there.
  func keysWithoutDestination() throws(SQLiteError) -> [(table: String, key: Int64)] {
    var found: [(String, Int64)] = []
    for table in tables where try hasRows(table) {
      let match = table.keys.map { "m.\(SQL.identifier($0)) = p.\(SQL.identifier($0))" }
        .joined(separator: " AND ")
      for (column, place) in table.references {
        let name = SQL.identifier(column)
        let target = SQL.identifier(Self.schemaName, schema.tables[place].name)
        // Many rows lead to few others, each of which is looked for once; nearly always all are there.
        let isLacking = try database.connection.integer(
          "SELECT EXISTS (SELECT 1 FROM (SELECT DISTINCT \(name) AS k FROM \(table.pending)"
            + " WHERE \(Self.state) < 2 AND \(name) > 0) AS d"
            + " WHERE NOT EXISTS (SELECT 1 FROM \(target) AS t WHERE t.Z_PK = d.k))"
        )
        guard isLacking == 1 else { continue }
        let own = table.references.first { table.place == nil && $0.column != column }
        let key = SQL.identifier(own?.column ?? table.keys[0])
        let rows = try database.connection.rows(
          "SELECT p.\(key) FROM \(table.pending) AS p WHERE p.\(Self.state) < 2 AND p.\(name) > 0"
            + " AND NOT EXISTS (SELECT 1 FROM \(target) AS t WHERE t.Z_PK = p.\(name))"
            + " AND NOT EXISTS (SELECT 1 FROM \(table.file) AS m WHERE \(match)"
            + " AND m.\(name) IS p.\(name))"
        )
        let owner = own.map { schema.tables[$0.place].name } ?? table.name
        found += rows.map { (owner, $0.first?.integer ?? 0) }
      }
    }
    return found
  }

  func hasRows(_ table: Table) throws(SQLiteError) -> Bool {
    try database.connection.integer("SELECT EXISTS (SELECT 1 FROM \(table.pending))") == 1
  }

  /// Returns whether a pending row names another by a key that is no row of a file, or may: each link of a join
  /// table.
  func namesNewRows() throws(SQLiteError) -> Bool {
    for table in tables where try hasRows(table) {
      guard table.place != nil else { return true }
      for (column, _) in table.references {
        let found = try database.connection.integer(
          "SELECT EXISTS (SELECT 1 FROM \(table.pending) WHERE \(SQL.identifier(column)) < 0)"
        )
        if found == 1 { return true }
      }
    }
    return false
  }

  /// Returns the name of a table of the file that shows the same rows as its view; nil where rows are pending.
  func fileOnly(_ name: String) throws(SQLiteError) -> String? {
    let pending = SQL.identifier("temp", Self.prefix + name)
    let query = try database.statement("SELECT EXISTS (SELECT 1 FROM \(pending))")
    let isEmpty = try query.statement.step() && query.statement.int64(0) == 0
    query.statement.reset()
    return isEmpty ? SQL.identifier("main", name) : nil
  }

  /// Returns the query for the number of objects of some entities of a table.
  ///
  /// Where all entities of the table are meant, the rows of the file are counted as SQLite does best, of any
  /// entity; as Core Data counts them.
  func countSQL(of layout: EntityLayout, _ numbers: String) -> String {
    let file = SQL.identifier("main", layout.tableName)
    let pending = SQL.identifier("temp", Self.prefix + layout.tableName)
    let isAll = numbers == Self.list(schema.entityNumbers(below: layout.rootName))
    func condition(_ row: String, _ keyword: String) -> String {
      isAll ? "" : " \(keyword) \(row).Z_ENT IN (\(numbers))"
    }
    return "SELECT (SELECT COUNT(*) FROM \(file) AS m\(condition("m", "WHERE")))"
      + " - (SELECT COUNT(*) FROM \(pending) AS p CROSS JOIN \(file) AS m"
      + " ON m.Z_PK = p.Z_PK\(condition("m", "AND")))"
      + " + (SELECT COUNT(*) FROM \(pending) AS p"
      + " WHERE p.\(Self.state) < 2\(condition("p", "AND")))"
  }

  /// Returns numbers with commas between them.
  static func list(_ numbers: [Int]) -> String {
    numbers.map { String($0) }.joined(separator: ", ")
  }

  /// Writes the pending rows into the file: deletes, then changes, then new rows, so that values that must be
  /// unique are free.
  func apply() throws(SQLiteError) {
    func match(_ table: Table) -> String {
      table.keys.map { "p.\(SQL.identifier($0)) = m.\(SQL.identifier($0))" }
        .joined(separator: " AND ")
    }
    var changed: [Table] = []
    for table in tables where try hasRows(table) { changed.append(table) }
    for table in changed {
      let condition =
        table.place == nil
        ? "EXISTS (SELECT 1 FROM \(table.pending) AS p WHERE \(match(table)) AND p.\(Self.state) = 2)"
        : "Z_PK IN (SELECT Z_PK FROM \(table.pending) WHERE \(Self.state) = 2)"
      try database.connection.execute("DELETE FROM \(table.file) AS m WHERE \(condition)")
    }
    for table in changed {
      let names = table.columns.map(\.name).filter { !table.keys.contains($0) }
      guard !names.isEmpty else { continue }
      let values = names.map { "\(SQL.identifier($0)) = p.\(SQL.identifier($0))" }
      try database.connection.execute(
        "UPDATE \(table.file) AS m SET \(values.joined(separator: ", "))"
          + " FROM \(table.pending) AS p WHERE \(match(table)) AND p.\(Self.state) = 0"
      )
    }
    for table in changed {
      let list = table.list()
      // A link that another context made meanwhile is the same, with this context's place in its list.
      let replacing = table.place == nil ? "OR REPLACE " : ""
      try database.connection.execute(
        "INSERT \(replacing)INTO \(table.file) (\(list)) SELECT \(list) FROM \(table.pending)"
          + " WHERE \(Self.state) = 1 ORDER BY \(SQL.identifier(table.keys[0]))"
      )
    }
  }

  /// Computes the derived attributes of the rows that were written, and of those that depend on them.
  ///
  /// - Parameter now: The time of the save, in seconds since 2001.
  func derive(now: Double) throws(SQLiteError) {
    func pending(_ table: String) -> String {
      "SELECT Z_PK FROM \(SQL.identifier("temp", Self.prefix + table))"
    }
    for attribute in schema.derivedAttributes {
      let (table, column) = (attribute.tableName, SQL.identifier(attribute.columnName))
      let numbers = attribute.entityNumbers.map(String.init).joined(separator: ", ")
      let file = SQL.identifier("main", table)
      var condition = "t.Z_PK IN (\(pending(table)) WHERE \(Self.state) < 2)"
      guard let value = attribute.valueSQL(in: "main", row: "t") else {
        try database.connection.execute(
          "UPDATE \(file) AS t SET \(column) = ? WHERE t.Z_ENT IN (\(numbers)) AND \(condition)",
          [.real(now)]
        )
        continue
      }
      if let source = attribute.source {
        let key = SQL.identifier(source.key)
        condition = "(\(condition) OR t.\(key) IN (\(pending(source.table))))"
      }
      try database.connection.execute(
        "UPDATE \(file) AS t SET \(column) = (\(value)) WHERE t.Z_ENT IN (\(numbers))"
          + " AND \(condition) AND t.\(column) IS NOT (\(value))"
      )
    }
  }
}
