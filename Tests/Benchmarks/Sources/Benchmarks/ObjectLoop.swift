import CSQLite

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The yardsticks of managed objects: bare statements of SQLite on the table of notes.
///
/// Each prints the seconds of processor time that its statements took, as the programs do that it stands
/// beside; opening the store is not measured.
enum ObjectLoop {
  /// Runs one of `keys`, `count` and `insert`.
  static func run(_ kind: String, _ store: String, rows: Int) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open_v2(store, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let database
    else { throw BenchmarkError("\(store) cannot be opened") }
    try run("SELECT count(*) FROM ZTAG", database)
    let start = processorSeconds
    var count = 0
    switch kind {
    case "keys": count = try keys(database).count
    case "count": for _ in 0..<100 { count += try self.count(database) }
    case "insert": try insert(rows, database)
    default: throw BenchmarkError("there is no loop \(kind)")
    }
    print(#"{"seconds": \#(processorSeconds - start), "count": \#(count)}"#)
  }

  private static func keys(_ database: OpaquePointer) throws -> [Int64] {
    let statement = try prepare("SELECT Z_PK FROM ZNOTE ORDER BY Z_PK", database)
    defer { sqlite3_finalize(statement) }
    var keys: [Int64] = []
    while sqlite3_step(statement) == SQLITE_ROW { keys.append(sqlite3_column_int64(statement, 0)) }
    return keys
  }

  private static func count(_ database: OpaquePointer) throws -> Int {
    let statement = try prepare("SELECT count(*) FROM ZNOTE", database)
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { throw failure(database) }
    return Int(sqlite3_column_int64(statement, 0))
  }

  /// Inserts notes as a program without Core Data would, with the values that `ObjectRun` gives them.
  private static func insert(_ rows: Int, _ database: OpaquePointer) throws {
    try run("BEGIN IMMEDIATE", database)
    let first = try integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'", database)
    let number = try integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'", database)
    let notebooks = try integer("SELECT count(*) FROM ZNOTEBOOK", database)
    let insert = try prepare(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZBODY, ZCREATED, ZIDENTIFIER, ZISPINNED, ZMODIFIED, ZPRICE, \
      ZRATING, ZSKETCH, ZTITLE, ZWORDS, ZNOTEBOOK) VALUES (?, \(number), 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      database
    )
    defer { sqlite3_finalize(insert) }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let sketch = [UInt8](repeating: 7, count: 32)
    var identifier = [UInt8](repeating: 0, count: 16)
    for row in 0..<Int64(rows) {
      sqlite3_bind_int64(insert, 1, first + 1 + row)
      sqlite3_bind_text(insert, 2, "The body of a note, which is a line of text.", -1, transient)
      sqlite3_bind_double(insert, 3, Double(row))
      for place in 0..<8 { identifier[place] = UInt8(truncatingIfNeeded: row >> (8 * place)) }
      sqlite3_bind_blob(insert, 4, identifier, 16, transient)
      sqlite3_bind_int64(insert, 5, row % 7 == 0 ? 1 : 0)
      sqlite3_bind_double(insert, 6, Double(row) + 0.5)
      sqlite3_bind_int64(insert, 7, row)
      sqlite3_bind_double(insert, 8, Double(row) / 3)
      sqlite3_bind_blob(insert, 9, sketch, 32, transient)
      sqlite3_bind_text(insert, 10, "Note \(row)", -1, transient)
      sqlite3_bind_int64(insert, 11, row)
      sqlite3_bind_int64(insert, 12, row % notebooks + 1)
      guard sqlite3_step(insert) == SQLITE_DONE else { throw failure(database) }
      sqlite3_reset(insert)
    }
    try run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(first + Int64(rows)) WHERE Z_ENT = \(number)",
      database
    )
    try run("COMMIT", database)
  }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func integer(_ sql: String, _ database: OpaquePointer) throws -> Int64 {
    let statement = try prepare(sql, database)
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { throw failure(database) }
    return sqlite3_column_int64(statement, 0)
  }

  private static func run(_ sql: String, _ database: OpaquePointer) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure(database) }
  }

  private static func prepare(_ sql: String, _ database: OpaquePointer) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure(database)
    }
    return statement
  }

  private static func failure(_ database: OpaquePointer) -> BenchmarkError {
    BenchmarkError(String(cString: sqlite3_errmsg(database)))
  }
}
