import StoreAccess

/// Where the value of a destination column comes from, for the row `s` of a source table.
package enum ColumnValue: Hashable, Sendable {
  /// Nothing.
  case null
  /// A column of the source row, bit for bit.
  case column(String)
  /// The same SQL literal for every row.
  case constant(String)
  /// A column of the source row, or a SQL literal where it is NULL.
  case defaulted(String, String)
  /// Any SQL expression over the source row `s`.
  case expression(String)

  /// The SQL expression, the source row being `s`.
  package var sql: String {
    switch self {
    case .null: "NULL"
    case .column(let name): "s.\(SQL.identifier(name))"
    case .constant(let literal): literal
    case .defaulted(let name, let literal): "COALESCE(s.\(SQL.identifier(name)), \(literal))"
    case .expression(let sql): sql
    }
  }
}
