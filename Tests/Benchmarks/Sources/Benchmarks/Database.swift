import CSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The few things that the benchmark itself does to a store.
enum Database {
  /// The least that a new file costs: its bytes, read and written once, and one `fsync`.
  static func copy(_ store: String, to result: String) throws {
    let (from, to) = (open(store, O_RDONLY), open(result, O_WRONLY | O_CREAT | O_TRUNC, 0o600))
    defer { for file in [from, to] { close(file) } }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(from, &buffer, buffer.count)
      if count == 0 { break }
      guard count > 0, write(to, buffer, count) == count else {
        throw BenchmarkError("\(store) cannot be copied to \(result)")
      }
    }
    guard fsync(to) == 0 else { throw BenchmarkError("\(result) cannot be written out") }
  }

  /// Runs SQL in a database, which is made where it is absent, and then writes it out once.
  static func run(_ sql: String, in path: String) throws {
    try with(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) { try execute(sql, $0) }
    let file = open(path, O_RDWR)
    defer { close(file) }
    guard fsync(file) == 0 else { throw BenchmarkError("\(path) cannot be written out") }
  }

  /// The rows of a query, as text; NULL is empty.
  static func rows(of query: String, in path: String) throws -> [[String]] {
    var rows: [[String]] = []
    try forEachRow(of: query, in: path) { statement in
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
        }
      )
    }
    return rows
  }

  /// Calls a closure with a statement that is at each row of a query in turn.
  static func forEachRow(
    of query: String,
    in path: String,
    _ body: (OpaquePointer) throws -> Void
  ) throws {
    try with(path) { database in
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      guard sqlite3_prepare_v2(database, query, -1, &statement, nil) == SQLITE_OK, let statement
      else { throw BenchmarkError("\(query): \(String(cString: sqlite3_errmsg(database)))") }
      while sqlite3_step(statement) == SQLITE_ROW { try body(statement) }
    }
  }

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

  private static func with(
    _ path: String,
    _ flags: Int32 = SQLITE_OPEN_READWRITE,
    _ body: (OpaquePointer) throws -> Void
  ) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open_v2(path, &database, flags, nil) == SQLITE_OK,
      let database
    else { throw BenchmarkError("\(path) cannot be opened") }
    try body(database)
  }

  private static func execute(_ sql: String, _ database: OpaquePointer) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw BenchmarkError("\(sql): \(String(cString: sqlite3_errmsg(database)))")
    }
  }

  /// A text as it stands between the quotes of an SQL literal.
  static func quoted(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
  }
}
