package import StoreAccess

/// A connection of an object hop, with the statements that its objects run again and again.
///
/// A connection can have one owner only; contexts, tables and passes share this box. It belongs to one
/// thread at a time. Queued writes are done before it hands out the connection or a statement.
package final class PreparedDatabase {
  /// The statements that are written after their callers have continued.
  let queue: StatementQueue
  private let ownConnection: SQLiteConnection
  private var statements: [String: PreparedStatement] = [:]
  /// The number of times that all statements were discarded.
  private(set) var generation = 0

  /// Takes a connection over.
  ///
  /// - Parameters:
  ///   - isWrittenOnThread: Whether a thread of its own may write the queue: no code reads from the
  ///     connection while a pass goes from row to row.
  ///   - enoughValues: The values with which a thread is worth its start.
  package init(
    _ connection: consuming SQLiteConnection,
    isWrittenOnThread: Bool = false,
    enoughValues: Int = 16_384
  ) {
    ownConnection = connection
    queue = StatementQueue(hasThread: isWrittenOnThread, enoughValues: enoughValues)
  }

  /// The connection, with `main`, `old` and `scratch` as the hop attached them.
  package var connection: SQLiteConnection {
    _read {
      // A write settles first, since a failure may have ended the transaction; a commit does, too.
      try? queue.settle()
      yield ownConnection
    }
  }

  /// Writes the queue.
  ///
  /// - Throws: ``SQLiteError`` where that fails, or has failed before.
  func settle() throws(SQLiteError) { try queue.settle() }

  /// Returns the compiled statement of a text, compiled once.
  ///
  /// A caller uses it to its end before the next may ask for it: loops that call foreign code take
  /// one of their own from ``cursor(_:)``. Bound values of the last use are still there.
  ///
  /// - Throws: ``SQLiteError`` where the text is no statement.
  package func statement(_ sql: String) throws(SQLiteError) -> PreparedStatement {
    try settle()
    if let statement = statements[sql] { return statement }
    let statement = PreparedStatement(try ownConnection.prepare(sql))
    statements[sql] = statement
    return statement
  }

  /// Returns a compiled statement that only the caller uses.
  ///
  /// - Throws: ``SQLiteError`` where the text is no statement.
  package func cursor(_ sql: String) throws(SQLiteError) -> PreparedStatement {
    try settle()
    return PreparedStatement(try ownConnection.prepare(sql))
  }

  /// Lets go of all cached statements, as before a database is detached.
  package func discardStatements() throws(SQLiteError) {
    try settle()
    statements.removeAll()
    generation += 1
  }
}

/// A place that remembers one statement of a database, without looking its text up each time.
final class StatementSlot {
  private var statement: PreparedStatement?
  private var generation = -1

  /// Returns the compiled statement of a text, which is the same each time.
  func statement(
    _ sql: @autoclosure () -> String,
    on database: PreparedDatabase
  ) throws(SQLiteError) -> PreparedStatement {
    try database.settle()
    return try queued(sql(), on: database)
  }

  /// Returns the same statement, which only the queue of the database runs.
  func queued(
    _ sql: @autoclosure () -> String,
    on database: PreparedDatabase
  ) throws(SQLiteError) -> PreparedStatement {
    if generation == database.generation, let statement { return statement }
    let compiled = try database.statement(sql())
    statement = compiled
    generation = database.generation
    return compiled
  }
}
