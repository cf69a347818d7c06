extension SQLiteConnection {
  /// Returns the one number that a query counts.
  ///
  /// - Throws: ``SQLiteError``; also where it gives none, which is then no 0.
  package func count(_ sql: String) throws(SQLiteError) -> Int64 { try counts(sql)[0] }

  /// Returns the numbers that a query counts, a column each.
  ///
  /// - Throws: ``SQLiteError``; also where the first row lacks one.
  package func counts(_ sql: String) throws(SQLiteError) -> [Int64] {
    let statement = try prepare(sql)
    var counts: [Int64] = []
    if try statement.step() {
      for column in 0..<statement.columnCount where statement.storageClass(column) == .integer {
        counts.append(statement.int64(column))
      }
    }
    guard statement.columnCount > 0, counts.count == statement.columnCount else {
      throw SQLiteError(
        code: .other,
        message: "“\(SQL.firstWords(of: sql))” on \(path) counted nothing"
      )
    }
    return counts
  }
}
