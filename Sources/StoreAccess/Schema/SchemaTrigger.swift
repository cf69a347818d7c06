/// A trigger by which Core Data keeps a derived attribute up to date.
///
/// The body calls functions that only Core Data's own connections have: elsewhere it must be
/// dropped, or the functions registered, before rows of the table change.
package struct SchemaTrigger: Hashable, Sendable {
  /// The name, unique in the file.
  package let name: String
  /// The table whose changes are watched.
  package let tableName: String
  /// The statement that makes the trigger.
  package let statement: SchemaStatement

  /// The statement that makes the trigger, as Core Data writes it.
  package var sql: String { statement.sql }
}
