import Files
import ObjectModel

/// The number of rows of a table that no model explains, and a hash of them in the order in which the table
/// keeps them.
package struct TableDigest: Hashable, Sendable {
  /// The number of rows.
  package let rowCount: Int64
  /// The hash, in hexadecimal digits.
  package let hash: String

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - table: The table as a term of `FROM` that is scanned.
  ///   - columns: The names of its columns.
  /// - Throws: ``SQLiteError``, `interrupted` where the connection's progress closure stops it.
  /// - Complexity: One pass over the rows.
  package init(
    of table: String,
    columns: [String],
    _ connection: borrowing SQLiteConnection
  ) throws {
    var digester = EntityDigester(.init(externalData: nil, allowsMissingFiles: true))
    for column in columns { digester.add(text: Array(column.utf8)) }
    let list = columns.map { SQL.identifier($0) }.joined(separator: ", ")
    let statement = try connection.prepare("SELECT \(list) FROM \(table)")
    var count: Int64 = 0
    while try statement.step() {
      count += 1
      for place in columns.indices {
        try digester.add(statement, place, statement.storageClass(place), .plain)
      }
      digester.flush(beyond: 1 << 16)
    }
    rowCount = count
    hash = digester.finish()
  }
}
