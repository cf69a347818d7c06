private import CSQLite

/// The time at which a transaction takes its locks (sqlite.org/lang_transaction.html).
package enum SQLiteTransactionKind: String, Hashable, Sendable {
  /// The first statement that needs a lock takes it; a snapshot for reads.
  case deferred = "DEFERRED"
  /// The write lock at once.
  case immediate = "IMMEDIATE"
}

extension SQLiteConnection {
  /// Runs the closure inside a transaction: committed when it returns, rolled back when it throws.
  ///
  /// - Throws: The error of the closure, or ``SQLiteError``.
  package func transaction<Value: ~Copyable>(
    _ kind: SQLiteTransactionKind = .immediate,
    _ body: () throws -> Value
  ) throws -> Value {
    try execute("BEGIN \(kind.rawValue)")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // Some errors (a full disk, an I/O error) have already rolled it back.
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Moves the whole `-wal` into the database and empties it (`SQLITE_CHECKPOINT_TRUNCATE`).
  ///
  /// - Returns: The frames in the `-wal` afterwards, or -1 where the database is not in WAL mode.
  /// - Throws: ``SQLiteError``; `busy` where another connection reads or writes.
  @discardableResult
  package func checkpointTruncating(
    _ schema: String = "main"
  ) throws(SQLiteError) -> Int {
    // SQLite opens the `-wal` with the first read; before that there is nothing to checkpoint.
    _ = try integer("PRAGMA \(SQL.identifier(schema)).schema_version")
    var log: Int32 = 0
    let result = unsafe sqlite3_wal_checkpoint_v2(
      handle,
      schema,
      SQLITE_CHECKPOINT_TRUNCATE,
      &log,
      nil
    )
    guard result == SQLITE_OK else { throw error(result, sql: "wal_checkpoint(TRUNCATE)") }
    return Int(log)
  }

  /// Sets a database's journal mode and checks that it was taken.
  ///
  /// - Throws: ``SQLiteError``; `busy` where another connection prevents the change.
  package func setJournalMode(
    _ mode: SQLiteJournalMode,
    of schema: String = "main"
  ) throws(SQLiteError) {
    // A connection that may not damage its file may not give up its journal either. It is only given
    // up where the whole file is thrown away if it is not finished.
    if mode == .off { setDefensive(false) }
    defer { setDefensive(true) }
    let taken = try set("journal_mode", of: schema, to: mode.rawValue)
    guard taken == mode.rawValue else {
      throw SQLiteError(
        code: .busy,
        resultCode: SQLITE_BUSY,
        message: "The journal mode of \(path) stayed \(taken ?? "unknown") instead of \(mode)"
      )
    }
  }
}

extension SQLiteConnection {
  /// Sets the number that `PRAGMA user_version` returns, also within a transaction.
  package func setUserVersion(
    _ number: Int32,
    of schema: String = "main"
  ) throws(SQLiteError) {
    try set("user_version", of: schema, to: String(number))
  }

  /// Sets the number that `PRAGMA application_id` returns, also within a transaction.
  package func setApplicationID(
    _ number: Int32,
    of schema: String = "main"
  ) throws(SQLiteError) {
    try set("application_id", of: schema, to: String(number))
  }

  /// Sets a pragma of a database.
  ///
  /// - Parameters:
  ///   - pragma: One of ``SQLiteCage/settings``.
  ///   - value: A number or a word, never text from a file.
  /// - Returns: The answer of SQLite, which some pragmas have.
  @discardableResult
  func set(
    _ pragma: String,
    of schema: String,
    to value: String
  ) throws(SQLiteError) -> String? {
    try permitting(.settings) { () throws(SQLiteError) in
      // To its end: a journal mode is committed after the row with its name, and may fail there.
      try rows("PRAGMA \(SQL.identifier(schema)).\(pragma) = \(value)").first?.first?.text
    }
  }

  /// Sets whether statements that are compiled from here on run triggers.
  ///
  /// SQLite counts those of a temporary view as it counts those of a file. They may run only where no statement
  /// writes into a file, whose own triggers would run, too.
  package func setRunsTriggers(_ isOn: Bool) {
    unsafe _ = waystone_sqlite_configure(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, isOn ? 1 : 0)
  }

  /// Sets whether the connection refuses what could damage its file.
  func setDefensive(_ isOn: Bool) {
    unsafe _ = waystone_sqlite_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, isOn ? 1 : 0)
  }
}

/// The journal mode of a database (sqlite.org/pragma.html#pragma_journal_mode).
package enum SQLiteJournalMode: String, Hashable, Sendable {
  case delete, truncate, persist, memory, wal, off
}
