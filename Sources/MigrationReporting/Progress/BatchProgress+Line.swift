package import BatchMigration

extension BatchProgress {
  /// Returns a line for a terminal of some columns: bar, stores, rate, failures and remaining time.
  package func line(columns: Int) -> StyledText {
    var tail = StyledText()
    tail += "\(doneStores) of \(Quantity.count(stores, "store"))"
    if storesPerSecond > 0 {
      let rate =
        storesPerSecond < 10
        ? "\((storesPerSecond * 10).rounded() / 10)" : "\(Int(storesPerSecond.rounded()))"
      tail += "  \(rate)/s"
      tail += "  \(Quantity.bytes(Int(bytesPerSecond)))/s"
    }
    if failures > 0 { tail += "  \("\(failures) not migrated", .bad)" }
    if let remaining { tail += "  \(Quantity.seconds(remaining)) left" }
    let fraction = bytes > 0 ? min(1, Double(doneBytes) / Double(bytes)) : 0
    return .bar(fraction, columns: columns - tail.width) + tail
  }

  /// The state for programs, one line of newline-delimited JSON.
  package var json: JSONValue {
    [
      "schema": "waystone.batch-progress/1", "event": "progress", "stores": JSONValue(stores),
      "doneStores": JSONValue(doneStores), "bytes": .integer(bytes),
      "doneBytes": .integer(doneBytes), "notMigrated": JSONValue(failures),
      "running": JSONValue(running), "storesPerSecond": .number(Quantity.rounded(storesPerSecond)),
      "bytesPerSecond": .number(bytesPerSecond.rounded()),
      "remaining": remaining.map { .number($0.rounded()) } ?? .null,
    ]
  }
}

extension BatchEvent {
  /// The event for programs, as one line of newline-delimited JSON; nil for events that other lines
  /// report.
  package var json: JSONValue? {
    func object(_ event: String, _ members: [String: JSONValue]) -> JSONValue {
      let both: [String: JSONValue] = [
        "schema": "waystone.batch-progress/1", "event": .string(event),
      ]
      return .object(both.merging(members) { $1 })
    }
    func members(_ name: String, _ outcome: StoreOutcome) -> [String: JSONValue] {
      [
        "store": .string(name), "state": .string(outcome.state.rawValue),
        "version": JSONValue(outcome.version), "code": JSONValue(outcome.code),
        "message": JSONValue(outcome.message),
        "seconds": .number(Quantity.rounded(outcome.seconds)),
      ]
    }
    switch self {
    case .searching(let root): return object("searching", ["root": .string(root)])
    case .found(let count): return object("found", ["stores": JSONValue(count)])
    case .began(let name, let bytes):
      return object("began", ["store": .string(name), "bytes": .integer(bytes)])
    case .ended(let name, let bytes, let outcome):
      return object("ended", members(name, outcome).merging(["bytes": .integer(bytes)]) { $1 })
    case .retrying(let name, let outcome, let pause):
      return object("retrying", members(name, outcome).merging(["after": .number(pause)]) { $1 })
    case .stopping(let workers): return object("stopping", ["running": JSONValue(workers)])
    case .progress: return nil
    }
  }
}
