/// A compiled statement with more than one owner.
package final class PreparedStatement {
  /// The statement.
  package let statement: SQLiteStatement

  /// Takes a statement over.
  package init(_ statement: consuming SQLiteStatement) { self.statement = statement }
}
