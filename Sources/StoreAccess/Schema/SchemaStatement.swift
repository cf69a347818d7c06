/// A CREATE statement that can be aimed at any database of a connection.
///
/// SQLite keeps the text from the object's name on, without the database's name, so that the schema of
/// the file is Core Data's own text for every target of the statement.
package struct SchemaStatement: Hashable, Sendable {
  /// The words before the object's name: `CREATE TABLE`.
  let verb: String
  /// The object's name and all that follows.
  let rest: String

  /// The statement as Core Data writes it.
  package var sql: String { "\(verb) \(rest)" }

  /// Returns the statement for an attached database, or `main`.
  package func sql(in schema: String) -> String {
    "\(verb) \(SchemaName.sql(schema)).\(rest)"
  }
}
