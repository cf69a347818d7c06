/// An action on a whole store before or after the objects are mapped.
public enum MigrationAction: Hashable, Sendable {
  /// SQL statements, run in one transaction.
  case sql(String)
  /// The handler that the program registered under this name, such as a stage's `didMigrate`.
  case handler(String)
}
