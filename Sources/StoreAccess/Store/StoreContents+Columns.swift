// The columns that Core Data's own tables must have, checked before they are read.
extension StoreContents {
  /// Throws if one of Core Data's own tables lacks a column, or `Z_PRIMARYKEY` is absent.
  ///
  /// The persistent history needs only the columns that identify a change's entity and columns.
  /// `Z_MODELCACHE` and the history may be absent, and a file without `Z_METADATA` is no store.
  ///
  /// - Throws: ``StoreAccessError`` with `damaged`, which names the table and the columns.
  static func checkColumns(
    _ objects: [SchemaObject],
    _ connection: borrowing SQLiteConnection,
    _ schema: String
  ) throws(StoreAccessError) {
    let tables = Set(objects.lazy.filter { $0.kind == .table }.map(\.name))
    guard tables.contains(SystemTable.metadata.rawValue) else { return }
    guard tables.contains(SystemTable.primaryKey.rawValue) else {
      throw StoreAccessError(
        code: .damaged,
        message: "\(connection.path) lacks the table \(SystemTable.primaryKey.rawValue)"
      )
    }
    let wanted = SystemTable.allCases.map { ($0.rawValue, $0.columnNames) }
    for (table, columns) in wanted + [("ACHANGE", ["ZENTITY", "ZCOLUMNS"])]
    where tables.contains(table) {
      let rows = try asStoreAccess { () throws(SQLiteError) in
        try connection.rows(
          "SELECT name FROM pragma_table_info(?, ?)",
          [.text(table), .text(schema)]
        )
      }
      let names = Set(rows.compactMap { $0[0].text?.uppercased() })
      let missing = columns.filter { !names.contains($0) }
      guard !missing.isEmpty else { continue }
      throw StoreAccessError(
        code: .damaged,
        message: "\(table) of \(connection.path) lacks \(missing.joined(separator: " and "))"
      )
    }
  }
}
