import ObjectModel
package import StoreAccess

// The state of policies, kept with each batch.
extension MigrationManager {
  private var information: String { SQL.identifier(associations.schema, "user_info") }
  private var states: String { SQL.identifier(associations.schema, "policy_state") }
  private var start: String { SQL.identifier(associations.schema, "policy_start") }
  private var seed: String { SQL.identifier(associations.schema, "policy_seed") }
  private var connection: PreparedDatabase { destinationContext.database }

  /// Makes the tables of saved state and of associations, where they are not there yet.
  package func createTables() throws(SQLiteError) {
    try associations.create()
    try Deduplication.createTable(on: connection, scratch: associations.schema)
    try MissedLookups.create(in: associations.schema, on: connection.connection)
    // The Julian day of 2001-01-01T00:00:00Z is 2451910.5.
    for statement in [
      "CREATE TABLE IF NOT EXISTS \(information) (name TEXT PRIMARY KEY, type INTEGER, value)",
      "CREATE TABLE IF NOT EXISTS \(states) (mapping INTEGER PRIMARY KEY, state BLOB)",
      "CREATE TABLE IF NOT EXISTS \(start) (id INTEGER PRIMARY KEY, seconds REAL)",
      "INSERT OR IGNORE INTO \(start) VALUES (1, (julianday('now') - 2451910.5) * 86400)",
    ] {
      try connection.connection.execute(statement)
    }
    try restoreNow()
  }

  /// Takes the instant at which the run began, and what its UUIDs are made of; both stay when it is
  /// resumed.
  private func restoreNow() throws(SQLiteError) {
    try connection.connection.execute(
      "CREATE TABLE IF NOT EXISTS \(seed) (id INTEGER PRIMARY KEY, bytes BLOB)"
    )
    try connection.connection.execute(
      "INSERT OR IGNORE INTO \(seed) VALUES (1, randomblob(32))"
    )
    if case .blob(let bytes)? = try connection.connection.rows("SELECT bytes FROM \(seed)").first?[
      0
    ] {
      runSeed = bytes
    }
    let row = try connection.connection.rows("SELECT seconds FROM \(start)").first
    guard case .real(let seconds)? = row?[0] else { return }
    evaluator.variables["now"] = .scalar(.date(seconds))
  }

  /// Writes ``userInfo``, the state of a mapping's policy and the count of keys that found nothing,
  /// where there is anything new.
  func saveCheckpoint(of pass: MappingPass) throws {
    if pass.policy.state == .checkpointed {
      let write = try connection.statement("REPLACE INTO \(states) VALUES (?, ?)")
      try write.statement.bind(Int64(pass.index), at: 1)
      try write.statement.bind(try pass.policy.saveState(), at: 2)
      try write.statement.run()
    }
    for (name, count) in missed.sorted(by: { ByteOrder.precedes($0.key, $1.key) }) {
      try MissedLookups.add(
        .init(mapping: pass.index, property: name, count: count),
        in: associations.schema,
        on: connection.connection
      )
    }
    missed = [:]
    guard userInfo != savedUserInfo else { return }
    try connection.connection.execute("DELETE FROM \(information)")
    let write = try connection.statement("INSERT INTO \(information) VALUES (?, ?, ?)")
    for (name, value) in userInfo.sorted(by: { ByteOrder.precedes($0.key, $1.key) }) {
      let (type, stored) = Self.row(of: value)
      try write.statement.bind(name, at: 1)
      try write.statement.bind(type, at: 2)
      try write.statement.bind(stored, at: 3)
      try write.statement.run()
    }
    savedUserInfo = userInfo
  }

  /// Takes over the ``userInfo`` of a run that was interrupted, and the instant at which it began.
  ///
  /// - Throws: An error of the database.
  package func restoreUserInfo() throws {
    try restoreNow()
    var restored: [String: AttributeValue] = [:]
    let rows = try connection.connection.rows("SELECT name, type, value FROM \(information)")
    for row in rows {
      guard let name = row[0].text, let value = Self.value(type: row[1].integer, row[2]) else {
        throw MigrationError(
          .mismatch,
          "What policies noted for the rest of the run cannot be read.",
          recovery: "Start the migration anew."
        )
      }
      restored[name] = value
    }
    userInfo = restored
    savedUserInfo = restored
  }

  /// Hands a mapping's policy the state that it saved before the run was interrupted.
  ///
  /// - Throws: The error of the policy, or an error of the database.
  package func restoreState(of pass: MappingPass) throws {
    guard pass.policy.state == .checkpointed else { return }
    let rows = try connection.connection.rows(
      "SELECT state FROM \(states) WHERE mapping = ?",
      [.integer(Int64(pass.index))]
    )
    guard let state = rows.first?[0].blob else { return }
    try pass.policy.restoreState(state)
  }

  private static func row(of value: AttributeValue) -> (Int64, SQLiteValue) {
    switch value {
    case .integer(let integer): (0, .integer(integer))
    case .real(let real): (1, .real(real))
    case .decimal(let digits): (2, .text(digits))
    case .string(let text): (3, .text(text))
    case .boolean(let flag): (4, .integer(flag ? 1 : 0))
    case .date(let seconds): (5, .real(seconds))
    case .binary(let bytes): (6, .blob(bytes))
    case .uuid(let bytes): (7, .blob(bytes))
    case .uri(let text): (8, .text(text))
    }
  }

  private static func value(type: Int64?, _ stored: SQLiteValue) -> AttributeValue? {
    switch (type, stored) {
    case (0, .integer(let integer)): .integer(integer)
    case (1, .real(let real)): .real(real)
    case (2, .text(let digits)): .decimal(digits)
    case (3, .text(let text)): .string(text)
    case (4, .integer(let flag)): .boolean(flag != 0)
    case (5, .real(let seconds)): .date(seconds)
    case (6, .blob(let bytes)): .binary(bytes)
    case (7, .blob(let bytes)): .uuid(bytes)
    case (8, .text(let text)): .uri(text)
    default: nil
    }
  }
}

extension MigrationManager {
  /// Throws the error with which a policy asked to stop.
  func throwIfCancelled() throws {
    if let cancellationError { throw cancellationError }
  }
}
