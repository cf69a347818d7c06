import CSQLite

/// The few things that the benchmark itself does to a store.
enum Database {
  /// The yardstick: `VACUUM INTO` with SQLite's defaults.
  static func vacuum(_ store: String, into result: String) throws {
    try with(store) { try execute("VACUUM INTO '\(quoted(result))'", $0) }
  }

  /// Changes a row of each note's table and keeps the change out of the store's file.
  ///
  /// - Parameter body: Called while the `-wal` is there; closing the store folds it in.
  static func withLog(_ store: String, _ body: () throws -> Void) throws {
    try with(store) { database in
      try execute("PRAGMA wal_autocheckpoint = 0", database)
      try execute("UPDATE ZNOTE SET Z_OPT = Z_OPT + 1 WHERE Z_PK % 1000 = 0", database)
      try body()
    }
  }

  private static func with(_ path: String, _ body: (OpaquePointer) throws -> Void) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      let database
    else { throw BenchmarkError("\(path) cannot be opened") }
    try body(database)
  }

  private static func execute(_ sql: String, _ database: OpaquePointer) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw BenchmarkError("\(sql): \(String(cString: sqlite3_errmsg(database)))")
    }
  }

  private static func quoted(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
  }
}
