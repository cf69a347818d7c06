package import StoreAccess

/// The one connection of a heavy leg, with the statements that its objects run again and again.
///
/// A connection can have one owner only; this box is what contexts, tables and passes share. It
/// belongs to one thread at a time.
package final class HeavyDatabase {
  /// The connection, with `main`, `old` and `scratch` as the leg attached them.
  package let connection: SQLiteConnection
  private var statements: [String: PreparedStatement] = [:]
  /// How often all statements were let go of.
  private(set) var generation = 0

  /// Takes a connection over.
  package init(_ connection: consuming SQLiteConnection) { self.connection = connection }

  /// The compiled statement of a text, compiled once.
  ///
  /// Whoever asks uses it to its end before anybody else may ask: loops that call foreign code take
  /// one of their own from ``cursor(_:)``. Bound values of the last use are still there.
  ///
  /// - Throws: ``SQLiteError`` where the text is no statement.
  package func statement(_ sql: String) throws(SQLiteError) -> PreparedStatement {
    if let statement = statements[sql] { return statement }
    let statement = PreparedStatement(try connection.prepare(sql))
    statements[sql] = statement
    return statement
  }

  /// A compiled statement that only the caller uses.
  ///
  /// - Throws: ``SQLiteError`` where the text is no statement.
  package func cursor(_ sql: String) throws(SQLiteError) -> PreparedStatement {
    PreparedStatement(try connection.prepare(sql))
  }

  /// Lets go of all cached statements, as before a database is detached.
  package func discardStatements() {
    statements.removeAll()
    generation += 1
  }
}

/// A place that remembers one statement of a database, without looking its text up each time.
final class StatementSlot {
  private var statement: PreparedStatement?
  private var generation = -1

  /// The compiled statement of a text, which is the same each time.
  func statement(
    _ sql: @autoclosure () -> String,
    on database: HeavyDatabase
  ) throws(SQLiteError) -> PreparedStatement {
    if generation == database.generation, let statement { return statement }
    let compiled = try database.statement(sql())
    statement = compiled
    generation = database.generation
    return compiled
  }
}

/// A compiled statement with more than one owner.
package final class PreparedStatement {
  /// The statement.
  package let statement: SQLiteStatement

  /// Takes a statement over.
  package init(_ statement: consuming SQLiteStatement) { self.statement = statement }
}
