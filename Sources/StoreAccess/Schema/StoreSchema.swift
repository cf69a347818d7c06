/// The tables, indexes and triggers that a file really has.
package struct StoreSchema: Hashable, Sendable {
  /// A column of a real table.
  package struct Column: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The declared type, as the file spells it.
    package var declaredType: String
    /// The column's place in the table's primary key, from 1; 0 where it is no part of it.
    package var keyPosition = 0
  }

  /// A real table; a virtual one has the columns it shows.
  package struct Table: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The columns in order.
    package var columns: [Column]
    /// The names of the columns that SQLite computes, which are not among the others.
    package var generatedColumns: [String] = []
    /// The columns of each UNIQUE clause inside CREATE TABLE.
    package var inlineConstraints: [[String]]
    /// Whether it is a view or a virtual table.
    package var isVirtual: Bool
  }

  /// A real index or trigger.
  package struct Object: Hashable, Sendable {
    /// The name, unique in the file.
    package var name: String
    /// The table.
    package var tableName: String
    /// The CREATE statement.
    package var sql: String
  }

  /// The tables in the order in which they were made.
  package var tables: [Table] = []
  /// The indexes that have a CREATE statement.
  package var indexes: [Object] = []
  /// The triggers.
  package var triggers: [Object] = []
  /// The rows of `Z_PRIMARYKEY` in order of number; empty where there is no such table.
  package var entityRows: [PrimaryKeyTable.Row] = []

  /// A schema without any table.
  package init() {}

  /// The names of the columns of each table, for ``JoinNames/init(settledBy:model:as:)``.
  package var columnNames: [String: [String]] {
    Dictionary(tables.map { ($0.name, $0.columns.map(\.name)) }) { first, _ in first }
  }
}

extension StoreSchema {
  /// Reads the schema of a database.
  ///
  /// - Parameter schema: `main`, or the name of an attached database.
  /// - Throws: ``SQLiteError``; `corrupt` where a name or a statement is no UTF-8, so that nothing could
  ///   name what it means.
  package init(
    of connection: borrowing SQLiteConnection,
    in schema: String = "main"
  ) throws(SQLiteError) {
    let prefix = SQL.identifier(schema)
    let rows = try connection.rows(
      "SELECT type, name, tbl_name, sql FROM \(prefix).sqlite_master ORDER BY rowid"
    )
    try Self.checkNames(rows, connection.path)
    for row in rows where row.count == 4 {
      guard let type = row[0].text, let name = row[1].text, let table = row[2].text else {
        continue
      }
      let sql = row[3].text ?? ""
      switch type {
      case "table", "view": tables.append(try Self.table(name, type, sql, connection, prefix))
      case "index" where !sql.isEmpty:
        indexes.append(Object(name: name, tableName: table, sql: sql))
      case "trigger": triggers.append(Object(name: name, tableName: table, sql: sql))
      default: break
      }
    }
    guard tables.contains(where: { $0.name == SystemTable.primaryKey.rawValue }) else { return }
    let entities = try connection.rows(
      "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM \(prefix).Z_PRIMARYKEY ORDER BY Z_ENT"
    )
    entityRows = entities.map { row in
      PrimaryKeyTable.Row(
        entityNumber: row[0].integer ?? 0,
        name: row[1].text ?? "",
        superentityNumber: row[2].integer ?? 0,
        maximum: row[3].integer ?? 0
      )
    }
  }

  /// Throws if the bytes of a name are not text: SQLite would search for another name.
  private static func checkNames(_ rows: [[SQLiteValue]], _ path: String) throws(SQLiteError) {
    for case .malformedText in rows.joined() {
      throw SQLiteError(
        code: .corrupt,
        message: "The schema of \(path) has a name that is not UTF-8",
        recovery: "Rename the table or column with the app that made it, or take a backup."
      )
    }
  }

  private static func table(
    _ name: String,
    _ type: String,
    _ sql: String,
    _ connection: borrowing SQLiteConnection,
    _ prefix: String
  ) throws(SQLiteError) -> Table {
    let isVirtual = type == "view" || sql.uppercased().hasPrefix("CREATE VIRTUAL")
    // The columns of a virtual table are known only where its module is.
    if isVirtual { return Table(name: name, columns: [], inlineConstraints: [], isVirtual: true) }
    let info = try connection.rows("PRAGMA \(prefix).table_xinfo(\(SQL.identifier(name)))")
    try checkNames(info, connection.path)
    // The last value is 0 for an ordinary column, 2 or 3 for a generated one.
    let columns = info.compactMap { row in
      row.count > 6 && row[6].integer == 0
        ? Column(
          name: row[1].text ?? "",
          declaredType: row[2].text ?? "",
          keyPosition: Int(clamping: row[5].integer ?? 0)
        ) : nil
    }
    var constraints: [[String]] = []
    let lists = try connection.rows("PRAGMA \(prefix).index_list(\(SQL.identifier(name)))")
    // Origin u: made by a UNIQUE clause.
    for list in lists where list.count > 3 && list[3].text == "u" {
      guard let index = list[1].text else { continue }
      let terms = try connection.rows("PRAGMA \(prefix).index_info(\(SQL.identifier(index)))")
      constraints.append(terms.compactMap { $0.count > 2 ? $0[2].text : nil })
    }
    return Table(
      name: name,
      columns: columns,
      generatedColumns: info.filter { $0.count > 6 && [2, 3].contains($0[6].integer) }
        .compactMap { $0[1].text },
      inlineConstraints: constraints,
      isVirtual: false
    )
  }
}
