internal import StoreAccess
internal import Waystone

/// The tables of a ledger, as the steps that led to them.
///
/// `user_version` counts the steps that a file has. A later Waystone adds a step, and changes none.
package struct LedgerSchema: Sendable {
  /// The statements of each step.
  package let steps: [StaticString]

  /// The tables that the steps make.
  package init(steps: [StaticString]) { self.steps = steps }

  /// The number that `user_version` has after the last step.
  var number: Int32 { Int32(steps.count) }

  /// The tables of this Waystone.
  package static let current = LedgerSchema(steps: [
    """
    CREATE TABLE batch (id TEXT NOT NULL, created REAL NOT NULL, tool TEXT NOT NULL,
      version TEXT NOT NULL, output TEXT, options TEXT NOT NULL, shard TEXT);
    CREATE TABLE root (path TEXT PRIMARY KEY, searched REAL, files INTEGER, others INTEGER);
    CREATE TABLE oddity (name TEXT PRIMARY KEY, reason TEXT NOT NULL);
    CREATE TABLE store (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,
      place TEXT NOT NULL, destination TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL,
      modified INTEGER, head TEXT NOT NULL, model TEXT, version TEXT,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'migrated', 'current', 'refused',
        'damaged', 'failed', 'timed-out', 'skipped')),
      holder TEXT, attempts INTEGER NOT NULL DEFAULT 0, path TEXT, result TEXT, certificate TEXT,
      source_digest TEXT, result_digest TEXT, code TEXT, message TEXT, recovery TEXT, started REAL,
      seconds REAL, result_bytes INTEGER, memory INTEGER, host TEXT);
    CREATE INDEX store_state ON store (state, bytes);
    CREATE TABLE attempt (store INTEGER NOT NULL REFERENCES store, number INTEGER NOT NULL,
      state TEXT NOT NULL, code TEXT, message TEXT, started REAL NOT NULL, seconds REAL,
      host TEXT NOT NULL, PRIMARY KEY (store, number)) WITHOUT ROWID;
    CREATE TABLE certificate (store INTEGER PRIMARY KEY REFERENCES store, json BLOB NOT NULL);
    CREATE TABLE holder (id TEXT PRIMARY KEY, host TEXT NOT NULL, process INTEGER NOT NULL,
      begun REAL NOT NULL);
    """,
    """
    ALTER TABLE oddity ADD COLUMN root TEXT;
    ALTER TABLE store ADD COLUMN named INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE other (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, modified INTEGER,
      head TEXT NOT NULL);
    """,
    """
    ALTER TABLE oddity RENAME TO earlier;
    CREATE TABLE oddity (root TEXT NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL,
      PRIMARY KEY (root, name, reason)) WITHOUT ROWID;
    INSERT INTO oddity SELECT IFNULL(root, ''), name, reason FROM earlier;
    DROP TABLE earlier;
    """,
    "ALTER TABLE store ADD COLUMN origin TEXT",
  ])

  /// Runs the steps that a database lacks, in one transaction.
  func bring(_ connection: borrowing SQLiteConnection, from number: Int32) throws {
    try connection.transaction {
      for step in steps.dropFirst(Int(number)) { try connection.execute(script: step) }
      try connection.setUserVersion(self.number)
      try connection.setApplicationID(StoreFiles.ledgerMark)
    }
  }

  /// Refuses a database that is no ledger, or one of a later Waystone.
  ///
  /// - Parameter schema: `main`, or the name of an attached database.
  /// - Returns: The number of steps that it has.
  /// - Throws: ``WaystoneError``, `badFile`; `SQLiteError` where it cannot be read.
  func check(
    _ connection: borrowing SQLiteConnection,
    _ schema: String = "main",
    path: String
  ) throws -> Int32 {
    let quoted = SQL.identifier(schema)
    let application = try connection.integer("PRAGMA \(quoted).application_id")
    guard application == Int64(StoreFiles.ledgerMark) else { throw Self.noLedger(path) }
    let found = try connection.integer("PRAGMA \(quoted).user_version") ?? 0
    guard found <= Int64(number) else {
      throw WaystoneError(
        .badFile,
        "\(path) is a ledger of a later Waystone (form \(found); this one knows \(number)).",
        recovery: "Use the Waystone that wrote it, or a later one."
      )
    }
    guard found >= 1 else { throw Self.noLedger(path) }
    try checkObjects(connection, schema, steps: Int(found), path: path)
    return Int32(found)
  }

  /// Compares the tables with those that the steps make: a file from elsewhere can have the number.
  private func checkObjects(
    _ connection: borrowing SQLiteConnection,
    _ schema: String,
    steps count: Int,
    path: String
  ) throws {
    let model = try SQLiteConnection(path: "", access: .inMemory)
    for step in steps.prefix(count) { try model.execute(script: step) }
    func objects(
      _ connection: borrowing SQLiteConnection,
      _ schema: String
    ) throws -> [[SQLiteValue]] {
      // The tables of ANALYZE are not the ledger's, and do no harm.
      try connection.rows(
        """
        SELECT type, name, tbl_name, sql FROM \(SQL.identifier(schema, "sqlite_schema"))
        WHERE name NOT GLOB 'sqlite_stat[14]' ORDER BY type, name
        """
      )
    }
    guard try objects(connection, schema) == objects(model, "main") else {
      throw WaystoneError(
        .badFile,
        "\(path) has other tables than a ledger has.",
        recovery: "Take the ledger from a backup, or begin a batch with a new one."
      )
    }
  }

  private static func noLedger(_ path: String) -> WaystoneError {
    WaystoneError(
      .badFile,
      "\(path) is not a ledger of a batch.",
      recovery: "Name the ledger with --ledger, or choose another name for a new one."
    )
  }
}
