import CSQLite

/// The yardstick of what runs row by row: a bare loop that reads each row, binds its values and
/// inserts it, in one transaction with SQLite's defaults.
enum RowLoop {
  /// Copies a table's rows into a new file.
  static func copy(table: String, of store: String, into result: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard
      sqlite3_open_v2(result, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        == SQLITE_OK, let database
    else { throw BenchmarkError("\(result) cannot be made") }
    try execute("ATTACH '\(store)' AS old", database)
    try execute("CREATE TABLE \(table) AS SELECT * FROM old.\(table) LIMIT 0", database)
    try execute("BEGIN", database)
    let select = try prepare("SELECT * FROM old.\(table)", database)
    defer { sqlite3_finalize(select) }
    let count = sqlite3_column_count(select)
    let places = (0..<count).map { _ in "?" }.joined(separator: ", ")
    let insert = try prepare("INSERT INTO \(table) VALUES (\(places))", database)
    defer { sqlite3_finalize(insert) }
    while sqlite3_step(select) == SQLITE_ROW {
      for column in 0..<count {
        sqlite3_bind_value(insert, column + 1, sqlite3_column_value(select, column))
      }
      guard sqlite3_step(insert) == SQLITE_DONE else {
        throw BenchmarkError(String(cString: sqlite3_errmsg(database)))
      }
      sqlite3_reset(insert)
    }
    try execute("COMMIT", database)
  }

  private static func prepare(_ sql: String, _ database: OpaquePointer) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw BenchmarkError("\(sql): \(String(cString: sqlite3_errmsg(database)))")
    }
    return statement
  }

  private static func execute(_ sql: String, _ database: OpaquePointer) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw BenchmarkError("\(sql): \(String(cString: sqlite3_errmsg(database)))")
    }
  }
}
