/// The number that SQLite gives to each row of a table, and the name by which it is asked for.
package enum RowNumber: Hashable, Sendable {
  /// The number has one of SQLite's own names, which no column takes.
  case named(String)
  /// The rows have numbers, and columns take all names of them.
  case unnamed
  /// The table is WITHOUT ROWID: its rows are known by the primary key.
  case none

  /// Reads the row number of a table from SQLite: the text of the table's statement does not reveal it.
  ///
  /// - Parameter schema: `main`, or the name of an attached database.
  /// - Throws: ``SQLiteError``.
  package init(
    of table: String,
    in schema: String,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let (prefix, table) = (SQL.identifier(schema), SQL.identifier(table))
    let tables = try connection.rows("PRAGMA \(prefix).table_list(\(table))")
    guard tables.allSatisfy({ $0.count > 4 && $0[4].integer == 0 }) else {
      self = .none
      return
    }
    let columns = try connection.rows("PRAGMA \(prefix).table_xinfo(\(table))")
    let taken = Set(columns.compactMap { $0.count > 1 ? $0[1].text?.lowercased() : nil })
    self =
      ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }.map { .named($0) } ?? .unnamed
  }

  /// The name, where there is one.
  package var name: String? {
    if case .named(let name) = self { name } else { nil }
  }
}
