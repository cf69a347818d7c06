internal import Files
internal import Foundation
internal import ModelCoding
internal import StoreAccess
internal import Waystone

extension BatchLedger {
  /// Takes stores that wait, so that no other holder gets them.
  ///
  /// - Parameters:
  ///   - count: The greatest number of stores.
  ///   - selection: The selection; its states and limit do not count, as only stores that wait can be taken.
  /// - Returns: The stores in the order of the selection, their attempts counted.
  package func claim(
    _ count: Int,
    holder: borrowing LedgerHold,
    where selection: LedgerSelection = LedgerSelection(order: .largestFirst)
  ) throws -> [LedgerStore] {
    var selection = selection
    selection.states = [.waiting]
    selection.limit = count
    let (text, values) = selection.sql
    let holder = holder.id
    return try connection.transaction {
      let known = try connection.integer("SELECT 1 FROM holder WHERE id = ?", [.text(holder)])
      guard known != nil else { throw notHeld }
      let ids = try connection.rows("SELECT id FROM store\(text)", values)
        .compactMap { $0[0].integer }
      for id in ids {
        try connection.execute(
          "UPDATE store SET state = 'running', holder = ?, attempts = attempts + 1, started = ?, "
            + "host = ? WHERE id = ?",
          [
            .text(holder), .real(Date().timeIntervalSince1970), .text(Host.name), .integer(id),
          ]
        )
      }
      return try ids.map { try store($0) }
    }
  }

  /// Updates the size, time and head of a store that is to be migrated: its file may have been repaired or
  /// replaced since it was found.
  package func note(_ id: Int64, bytes: Int64, modified: Int64?, head: String) throws {
    try connection.execute(
      "UPDATE store SET bytes = ?, modified = ?, head = ? WHERE id = ? AND state = 'running'",
      [.integer(bytes), SQLiteValue(modified), .text(head), .integer(id)]
    )
    if connection.changes != 1 { throw notRunning(id) }
  }

  /// Gives a running store back, as if it had never been begun.
  package func release(_ id: Int64) throws {
    try connection.execute(
      "UPDATE store SET \(Self.waiting), attempts = attempts - 1 WHERE id = ? AND state = 'running'",
      [.integer(id)]
    )
    if connection.changes != 1 { throw notRunning(id) }
  }

  /// Writes how an attempt on a running store ended, all of it or nothing.
  ///
  /// - Parameter retrying: Whether the store waits for another attempt; the attempt is kept all the same.
  /// - Throws: ``WaystoneError``, `mismatch` where the store is not running; `SQLiteError`.
  package func record(
    _ outcome: StoreOutcome,
    of id: Int64,
    retrying: Bool = false
  ) throws {
    precondition(outcome.state.isFinal, "an attempt ends in a final state")
    let certificate = try outcome.certificate.map { try LedgerCertificate.packed($0) }
    try connection.transaction {
      try write(outcome, of: id, state: retrying ? .waiting : outcome.state)
      if connection.changes != 1 { throw notRunning(id) }
      try connection.execute(
        "INSERT INTO attempt (store, number, state, code, message, started, seconds, host) "
          + "SELECT id, attempts, ?, ?, ?, ?, ?, ? FROM store WHERE id = ?",
        [
          .text(outcome.state.rawValue), SQLiteValue(outcome.code), SQLiteValue(outcome.message),
          .real(outcome.started.timeIntervalSince1970), .real(outcome.seconds), .text(Host.name),
          .integer(id),
        ]
      )
      try connection.execute("DELETE FROM certificate WHERE store = ?", [.integer(id)])
      if let certificate {
        try connection.execute(
          "INSERT INTO certificate (store, json) VALUES (?, ?)",
          [.integer(id), .blob(certificate)]
        )
      }
    }
  }

  private func write(_ outcome: StoreOutcome, of id: Int64, state: StoreState) throws {
    // An attempt that could not open the store does not know the version that an earlier one found.
    let isKept = outcome.state == .failed || outcome.state == .timedOut
    try connection.execute(
      """
      UPDATE store SET state = ?, holder = NULL, model = \(isKept ? "IFNULL(?, model)" : "?"),
        version = \(isKept ? "IFNULL(?, version)" : "?"), path = ?, result = ?,
        certificate = ?, source_digest = ?, result_digest = ?, code = ?, message = ?, recovery = ?,
        started = ?, seconds = ?, result_bytes = ?, memory = ?, host = ?, origin = NULL
      WHERE id = ? AND state = 'running'
      """,
      [
        .text(state.rawValue), SQLiteValue(outcome.model), SQLiteValue(outcome.version),
        .text(LedgerJSON.text(outcome.path)), SQLiteValue(outcome.result),
        SQLiteValue(outcome.certificate.map { Hexadecimal.string(SHA256.hash($0)) }),
        SQLiteValue(outcome.sourceDigest), SQLiteValue(outcome.resultDigest),
        SQLiteValue(outcome.code), SQLiteValue(outcome.message), SQLiteValue(outcome.recovery),
        .real(outcome.started.timeIntervalSince1970), .real(outcome.seconds),
        SQLiteValue(outcome.resultBytes), SQLiteValue(outcome.memory), .text(Host.name),
        .integer(id),
      ]
    )
  }

  /// Removes a store that proved to be another program's database, and counts it with the files that are no
  /// stores.
  ///
  /// It stays where the user named it, or where another holder runs it.
  package func setAside(_ id: Int64, state: StoreState) throws {
    try connection.transaction {
      let condition = "id = ? AND state = ? AND named = 0"
      let values: [SQLiteValue] = [.integer(id), .text(state.rawValue)]
      try connection.execute(
        "INSERT OR REPLACE INTO other (name, bytes, modified, head) "
          + "SELECT name, bytes, modified, head FROM store WHERE \(condition)",
        values
      )
      guard connection.changes == 1 else { return }
      for table in ["attempt", "certificate"] {
        try connection.execute("DELETE FROM \(table) WHERE store = ?", [.integer(id)])
      }
      try connection.execute("DELETE FROM store WHERE \(condition)", values)
    }
  }

  /// Leaves stores that wait out.
  ///
  /// - Parameter selection: The selection; its states do not count, as only stores that wait can be left out.
  /// - Returns: The number of these stores.
  @discardableResult
  package func skip(where selection: LedgerSelection, reason: String) throws -> Int {
    var selection = selection
    selection.states = [.waiting]
    let (text, values) = selection.sql
    try connection.execute(
      "UPDATE store SET state = 'skipped', code = ?, message = ? WHERE id IN "
        + "(SELECT id FROM store\(text))",
      [.text(StoreOutcome.leftOut), .text(reason)] + values
    )
    return Int(connection.changes)
  }

  /// Lets stores wait for another attempt; the record of their attempts stays.
  ///
  /// - Parameters:
  ///   - states: The states of these stores, of ``StoreState/retriable``.
  ///   - codes: Their codes; nil for all.
  /// - Returns: The number of these stores.
  /// - Throws: ``WaystoneError``, `badArgument` for another state; `SQLiteError`.
  @discardableResult
  package func retry(states: Set<StoreState>, codes: Set<String>? = nil) throws -> Int {
    if let other = states.subtracting(StoreState.retriable).map(\.rawValue).min() {
      throw WaystoneError(
        .badArgument,
        "Stores that are \(other) cannot be tried again.",
        recovery: "Name states of stores that were not brought to the version: "
          + StoreState.retriable.map(\.rawValue).sorted().joined(separator: ", ") + "."
      )
    }
    var selection = LedgerSelection(states: states)
    selection.codes = codes
    return try connection.transaction { try wait(where: selection) }
  }

  /// Lets stores wait again whose results are gone from the output tree, so that they are made again.
  ///
  /// - Returns: The number of these stores.
  /// - Throws: ``WaystoneError``: `badArgument` for stores that were replaced, `missingFile` where the
  ///   tree of one itself is gone, since then it may only not be mounted; `FileError`, `SQLiteError`.
  package func retryMissing() throws -> Int {
    guard try description.output != nil else {
      throw WaystoneError(
        .badArgument,
        "This batch replaced its stores: a missing one has no source from which to make it again.",
        recovery: "Put its original back: `waystone rollback STORE --force`."
      )
    }
    let missing = try missingResults(isStrict: true)
    // A merged ledger has results in several trees.
    for tree in Set(missing.map(\.tree)).sorted() where try !FileSystem.exists(tree) {
      throw WaystoneError(
        .missingFile,
        "The output tree \(tree) is not there, with all results in it.",
        recovery:
          "Mount it, or move it back. To make all results again, begin a batch with a new ledger."
      )
    }
    try connection.transaction {
      for result in missing {
        var selection = LedgerSelection(states: [.migrated, .current])
        selection.store = result.store
        try wait(where: selection)
      }
    }
    return missing.count
  }

  /// Lets stores wait as if they had never been begun, within a transaction.
  ///
  /// - Returns: The number of these stores.
  @discardableResult
  private func wait(where selection: LedgerSelection) throws -> Int {
    let (text, values) = selection.sql
    try connection.execute(
      "DELETE FROM certificate WHERE store IN (SELECT id FROM store\(text))",
      values
    )
    try connection.execute(
      """
      UPDATE store SET \(Self.waiting), path = NULL, result = NULL, certificate = NULL,
        source_digest = NULL, result_digest = NULL, code = NULL, message = NULL, recovery = NULL,
        seconds = NULL, result_bytes = NULL, memory = NULL, origin = NULL
      WHERE id IN (SELECT id FROM store\(text))
      """,
      values
    )
    return Int(connection.changes)
  }

  /// The assignments, in SQL, that make a store wait again.
  static let waiting = "state = 'waiting', holder = NULL, started = NULL, host = NULL"

  private func notRunning(_ id: Int64) -> WaystoneError {
    WaystoneError(
      .mismatch,
      "Store \(id) of the ledger \(path) is not running.",
      recovery: "Run the batch again: it goes on with what the ledger says."
    )
  }

  private var notHeld: WaystoneError {
    WaystoneError(
      .mismatch,
      "The ledger \(path) does not know this process any more.",
      recovery: "Run the batch again: it goes on with what the ledger says."
    )
  }
}
