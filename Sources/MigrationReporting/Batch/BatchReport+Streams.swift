package import BatchMigration
internal import ObjectModel
internal import Waystone

extension BatchReport {
  /// The forms of a report that name every store.
  package enum Stream: Hashable, Sendable {
    /// The report with an object for each store.
    case json
    /// A row for each store (RFC 4180).
    case csv
    /// A test case for each store, and for each file that could not be read.
    case junit
  }

  /// Hands a form of the report over piece by piece: only some stores are in memory at once.
  ///
  /// Within ``BatchLedger/snapshot(_:)`` with the report's own making, all of it is of one moment.
  ///
  /// - Throws: The errors of the sink, `WaystoneError`, `SQLiteError`.
  package func write(
    _ stream: Stream,
    of ledger: borrowing BatchLedger,
    to sink: (String) throws -> Void
  ) throws {
    switch stream {
    case .json: try writeJSON(of: ledger, to: sink)
    case .csv: try writeCSV(of: ledger, to: sink)
    case .junit: try writeJUnit(of: ledger, to: sink)
    }
  }

  private func writeJSON(
    of ledger: borrowing BatchLedger,
    to sink: (String) throws -> Void
  ) throws {
    // Names of members are printed in order, and no text in JSON has a line break: so each of the two
    // lists is in the text once, as its own empty line.
    var json = try json
    json["oddFiles"] = []
    json["stores"] = []
    let whole = json.prettyPrinted
    let parts = whole.split(separator: "\n  \"oddFiles\": []", omittingEmptySubsequences: false)
    let rest = parts[1].split(separator: "\n  \"stores\": []", omittingEmptySubsequences: false)
    var text = PieceWriter()
    try text.add(String(parts[0]) + "\n  \"oddFiles\": [", to: sink)
    var isFirst = true
    try ledger.oddities { name, reason in
      let line = try JSONValue(encoding: SearchTally.Oddity(name: name, reason: reason))
      try text.add((isFirst ? "" : ",") + "\n    " + line.compact, to: sink)
      isFirst = false
    }
    try text.add((isFirst ? "]" : "\n  ]") + String(rest[0]) + "\n  \"stores\": [", to: sink)
    isFirst = true
    try ledger.stores { store in
      let members = named(store).members(losses: try Self.losses(of: store, in: ledger))
      let line = try JSONValue(encoding: members)
      try text.add((isFirst ? "" : ",") + "\n    " + line.compact, to: sink)
      isFirst = false
    }
    try text.add((isFirst ? "]" : "\n  ]") + String(rest[1]) + "\n", to: sink)
    try text.finish(to: sink)
  }

  /// Returns a store with the commands of its advice made such that they are of this ledger.
  private func named(_ store: LedgerStore) -> LedgerStore {
    var store = store
    store.recovery = store.recovery.map(LedgerName(ledger).advice)
    return store
  }

  /// Returns the losses of a store's migration; nil where it has no certificate, or an unreadable one.
  private static func losses(
    of store: LedgerStore,
    in ledger: borrowing BatchLedger
  ) throws -> MigrationLosses? {
    do {
      return try ledger.losses(of: store)
    } catch let error as WaystoneError where error.code == .badFile {
      // The report has their number.
      return nil
    }
  }

  private func writeCSV(
    of ledger: borrowing BatchLedger,
    to sink: (String) throws -> Void
  ) throws {
    var text = PieceWriter()
    try text.add(CSVRow.line(LedgerStore.columns), to: sink)
    try ledger.stores { store in
      let losses = try Self.losses(of: store, in: ledger)
      try text.add(CSVRow.line(named(store).cells(losses: losses)), to: sink)
    }
    try text.finish(to: sink)
  }

  private func writeJUnit(
    of ledger: borrowing BatchLedger,
    to sink: (String) throws -> Void
  ) throws {
    let (before, after) = JUnitDocument.around(
      suite: "batch to \(batch.version)",
      of: "waystone batch",
      JUnitDocument.Counts(
        tests: totals.total.stores + totals.oddities,
        failures: count(.refused, .damaged, .failed, .timedOut) + totals.oddities,
        skipped: count(.skipped, .waiting, .running)
      )
    )
    var text = PieceWriter()
    try text.add(before.joined(separator: "\n") + "\n", to: sink)
    try ledger.stores { store in
      try text.add(
        JUnitDocument.lines(of: named(store).testCase).joined(separator: "\n") + "\n",
        to: sink
      )
    }
    try ledger.oddities { name, reason in
      try text.add(
        JUnitDocument.lines(of: Self.testCase(of: name, reason)).joined(separator: "\n") + "\n",
        to: sink
      )
    }
    try text.add(after.joined(separator: "\n") + "\n", to: sink)
    try text.finish(to: sink)
  }
}

extension BatchReport {
  /// Returns the test case of a file that could not be read, was refused, or changed since; without it,
  /// a failed batch would be green.
  private static func testCase(of name: String, _ reason: String) -> JUnitDocument.Case {
    JUnitDocument.Case(
      name: name,
      className: "files",
      outcome: .failed(type: "oddFile", message: reason, text: TerminalText.escaped(reason))
    )
  }
}

/// A writer that collects small pieces of text into larger ones.
private struct PieceWriter: ~Copyable {
  private static let size = 1 << 16
  private var text = ""

  mutating func add(_ piece: String, to sink: (String) throws -> Void) throws {
    text += piece
    if text.utf8.count >= Self.size { try finish(to: sink) }
  }

  mutating func finish(to sink: (String) throws -> Void) throws {
    if !text.isEmpty { try sink(text) }
    text = ""
  }
}
