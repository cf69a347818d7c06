import CSQLite

/// A digest of the main table of a migrated store, and of its indexes, so that no contender is measured
/// doing less.
///
/// Types are not compared: a peer may declare a column otherwise, so that SQLite keeps 5 as 5.0.
struct ResultDigest: Equatable {
  private(set) var rowCount = 0
  /// The columns of each index.
  private(set) var indexes: [[String]] = []
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Reads the named columns of `ZNOTE` in the order of its primary key.
  init(of store: String, columns: [String]) throws {
    let query = """
      SELECT group_concat(i.name, ',') FROM pragma_index_list('ZNOTE') AS l, \
      pragma_index_info(l.name) AS i GROUP BY l.name ORDER BY 1
      """
    indexes = try Database.rows(of: query, in: store)
    let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    var digest = self
    try Database.forEachRow(of: "SELECT \(list) FROM ZNOTE ORDER BY Z_PK", in: store) { row in
      digest.rowCount += 1
      for column in 0..<Int32(columns.count) { digest.add(sqlite3_column_value(row, column)) }
    }
    self = digest
  }

  private mutating func add(_ value: OpaquePointer?) {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: add(byte: 0)
    case SQLITE_INTEGER, SQLITE_FLOAT:
      add(byte: 1)
      let bits = sqlite3_value_double(value).bitPattern
      for shift in stride(from: 0, to: 64, by: 8) {
        add(byte: UInt8(truncatingIfNeeded: bits >> shift))
      }
    case let type:
      add(byte: type == SQLITE_TEXT ? 2 : 3)
      let count = Int(sqlite3_value_bytes(value))
      guard let start = sqlite3_value_blob(value) else { return }
      for byte in UnsafeRawBufferPointer(start: start, count: count) { add(byte: byte) }
    }
  }

  private mutating func add(byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
