/// The columns and the row key of a table that is carried as it is.
package struct UnmodeledTable {
  /// A row's key, the same in every copy of the table.
  package enum Key: Hashable {
    /// The row's number, by its name: a column declared so, or one of SQLite's own names.
    case number(String)
    /// The primary key of a table without row numbers.
    case columns([String])
    /// The table has no usable key: columns have taken all names of the row's number.
    case nothing
  }

  /// The table.
  package let name: String
  /// The columns that are stored, by their names; generated ones are not.
  package let columns: [String]
  /// The key of a row.
  package let key: Key

  /// Reads a table's columns and key.
  ///
  /// - Parameter database: `main`, or the name of an attached database.
  /// - Throws: ``SQLiteError``.
  package init(
    _ name: String,
    in database: String,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    self.name = name
    let rows = try connection.rows(
      "SELECT name, pk, type FROM pragma_table_info(?, ?) ORDER BY cid",
      [.text(name), .text(database)]
    )
    columns = rows.compactMap { $0[0].text }
    let keys = rows.filter { $0[1].integer ?? 0 > 0 }
      .sorted { $0[1].integer ?? 0 < $1[1].integer ?? 0 }
    if keys.count == 1, keys[0][2].text?.uppercased() == "INTEGER", let name = keys[0][0].text {
      key = .number(name)
      return
    }
    switch try RowNumber(of: name, in: database, on: connection) {
    case .named(let name): key = .number(name)
    case .unnamed: key = .nothing
    case .none: key = .columns(keys.compactMap { $0[0].text })
    }
  }

  /// The columns, and the row's number where no column is it.
  package var allColumns: [String] {
    if case .number(let name) = key, !columns.contains(name) { [name] + columns } else { columns }
  }
}
