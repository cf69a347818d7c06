package import BatchMigration

extension BatchForecast: Report, MemberEncodable {
  package static let verb = "batch-forecast"

  package var members: JSONMembers {
    [
      "stores": stores, "bytes": bytes, "seconds": seconds?.rounded(), "versions": groups,
      "oddities": oddityCount, "oddFiles": oddities, "notReached": notReached.byName,
    ]
  }

  private var stores: Int { groups.map(\.stores).reduce(0, +) }
  private var bytes: Int64 { groups.map(\.bytes).reduce(0, +) }
  private var seconds: Double? { bytesPerSecond.map { Double(bytes) / $0 } }

  package func lines(isVerbose: Bool) -> [StyledText] {
    guard stores > 0 else { return oddLines(isVerbose: isVerbose) + ["No store waits."] }
    var lines = ordered.flatMap(\.lines)
    let odd = oddLines(isVerbose: isVerbose)
    if !odd.isEmpty { lines += [""] + odd.dropLast() }
    let size = Quantity.bytes(Int(bytes))
    let time =
      seconds.map { "about \(Quantity.seconds($0)) of one worker" }
      ?? "how long they take is known once some are migrated"
    lines += ["", "\(Quantity.count(stores, "store"), .strong), \(size); \(time)."]
    return lines
  }

  /// Returns lines on files that could not be read, in the form of a run's report.
  private func oddLines(isVerbose: Bool) -> [StyledText] {
    BatchReport.oddLines(
      oddities,
      count: oddityCount,
      ledger: nil,
      isVerbose: isVerbose
    )
  }

  /// Refused first, then those that lose something, then by name.
  private var ordered: [Group] {
    groups.sorted { first, second in
      let keys = [first, second].map { (-$0.refused, $0.losses.isEmpty ? 1 : 0, $0.title) }
      return keys[0] < keys[1]
    }
  }
}

extension BatchForecast.Group: MemberEncodable {
  var stores: Int { states.values.reduce(0, +) }
  fileprivate var refused: Int {
    states.filter { ![.migrated, .current, .skipped].contains($0.key) }.values.reduce(0, +)
  }
  fileprivate var title: String {
    guard let version else { return "of no known version" }
    return model.map { version.hasPrefix("\($0)/") ? version : "\($0)/\(version)" } ?? version
  }

  package var members: JSONMembers {
    [
      "model": model, "version": version, "path": path, "stores": stores, "bytes": bytes,
      "states": states.byName,
      "losses": losses.sorted { $0.key < $1.key }.map {
        ["message": $0.key, "stores": $0.value] as JSONMembers
      },
      "refusals": refusals.sorted { $0.key.message < $1.key.message }.map {
        [
          "code": $0.key.code, "message": $0.key.message, "recovery": $0.key.recovery,
          "stores": $0.value,
        ] as JSONMembers
      },
    ]
  }

  fileprivate var lines: [StyledText] {
    var head =
      "\(title, .strong)  \(Quantity.count(stores, "store")), \(Quantity.bytes(Int(bytes)))"
      as StyledText
    if path.count > 1 { head += "  \(path.joined(separator: " → "), .faint)" }
    var lines = [head]
    let words: [(StoreState, String)] = [
      (.migrated, "can be migrated"), (.current, "current already"), (.skipped, "left out"),
    ]
    for (state, word) in words {
      if let count = states[state] { lines.append("  \(count) \(word)") }
    }
    let causes = refusals.sorted { ($1.value, $0.key.message) < ($0.value, $1.key.message) }
    for (reason, count) in causes.prefix(10) {
      lines.append("  \("\(count) refused", .bad)")
      lines += TerminalText.wrapped("\(reason.code)  \(reason.message)", indentation: 4)
        .map { "    \($0)" }
      lines += TerminalText.wrapped(reason.recovery, indentation: 4).map { "    \($0)" }
    }
    if refusals.count > 10 { lines.append("  \(refusals.count - 10) more causes") }
    for (loss, count) in losses.sorted(by: { $0.key < $1.key }) {
      lines += TerminalText.wrapped("in \(Quantity.count(count, "store")): \(loss)", indentation: 2)
        .map { "  \($0, .caution)" }
    }
    return lines
  }
}

extension [StoreState: Int] {
  /// The numbers by the states' names.
  fileprivate var byName: [String: Int] {
    [String: Int](uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}
