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
    let room = min(30, columns - tail.width - 8)
    guard room >= 5 else { return tail }
    let filled = Int((fraction * Double(room)).rounded(.down))
    let percent = String(Int(fraction * 100))
    let padding = String(repeating: " ", count: 3 - percent.count)
    return StyledText()
      + "\(String(repeating: "━", count: filled), .good)"
      + "\(String(repeating: "━", count: room - filled), .faint)"
      + " \(padding)\(percent)%  " + tail
  }

  /// The state for programs, one line of newline-delimited JSON.
  package var json: JSONValue {
    [
      "schema": "waystone.batch-progress/1",
      "event": "progress",
      "stores": JSONValue(stores),
      "doneStores": JSONValue(doneStores),
      "bytes": .integer(bytes),
      "doneBytes": .integer(doneBytes),
      "notMigrated": JSONValue(failures),
      "running": JSONValue(running),
      "storesPerSecond": .number((storesPerSecond * 1000).rounded() / 1000),
      "bytesPerSecond": .number(bytesPerSecond.rounded()),
      "remaining": remaining.map { .number($0.rounded()) } ?? .null,
    ]
  }
}

extension BatchEvent {
  /// The event for programs, as one line of newline-delimited JSON; nil for events that other lines
  /// report.
  package var json: JSONValue? {
    var members: [String: JSONValue] = ["schema": "waystone.batch-progress/1"]
    func add(_ name: String, _ bytes: Int64) {
      members["store"] = .string(name)
      members["bytes"] = .integer(bytes)
    }
    func add(_ outcome: StoreOutcome) {
      members["state"] = .string(outcome.state.rawValue)
      members["version"] = JSONValue(outcome.version)
      members["code"] = JSONValue(outcome.code)
      members["message"] = JSONValue(outcome.message)
      members["seconds"] = .number((outcome.seconds * 1000).rounded() / 1000)
    }
    switch self {
    case .searching(let root):
      members["event"] = "searching"
      members["root"] = .string(root)
    case .found(let count):
      members["event"] = "found"
      members["stores"] = JSONValue(count)
    case .began(let name, let bytes):
      members["event"] = "began"
      add(name, bytes)
    case .ended(let name, let bytes, let outcome):
      members["event"] = "ended"
      add(name, bytes)
      add(outcome)
    case .retrying(let name, let outcome, let pause):
      members["event"] = "retrying"
      members["store"] = .string(name)
      add(outcome)
      members["after"] = .number(pause)
    case .stopping(let workers):
      members["event"] = "stopping"
      members["running"] = JSONValue(workers)
    case .progress: return nil
    }
    return .object(members)
  }
}
