internal import BatchMigration

extension BatchReport {
  package func lines(isVerbose: Bool) -> [StyledText] {
    let place = batch.output.map { "into \($0)" } ?? "in place"
    let part = batch.shard.map { ", part \($0)" } ?? ""
    var lines: [StyledText] = [
      "Batch to \(batch.version, .strong), \(place)\(part); ledger \(ledger)", "",
    ]
    guard totals.total.stores > 0 else {
      return lines + searchLines(isVerbose: isVerbose) + lastLines
    }
    lines += stateTable.lines(indentation: 2) + [""]
    lines += versionTable.lines(indentation: 2) + [""]
    lines += causeLines
    if isVerbose || namesLosses { lines += lossTable }
    lines += searchLines(isVerbose: isVerbose)
    if let rate = totals.rate {
      lines.append(StyledText(rateSentence(rate)))
    }
    return lines + lossLastLines(isVerbose: isVerbose) + lastLines
  }

  private var lastLines: [StyledText] {
    StyledText.lines(sentence, style)
  }

  private func lossLastLines(isVerbose: Bool) -> [StyledText] {
    guard let sentence = lossSentence else { return [] }
    let isNamed = isVerbose || namesLosses || losses?.stores ?? 0 == 0
    let more = isNamed ? "" : " \(LedgerName(ledger).command("report")) names what is lost."
    return StyledText.lines(sentence + more, .caution)
  }

  /// The totals in a sentence or two.
  package var sentence: String {
    let total = totals.total.stores
    guard total > 0 else { return "There is no store in the ledger." }
    let reached = count(.migrated, .current)
    var parts = ["\(Quantity.grouped(reached)) reached \(batch.version)"]
    let missing = StoreState.allCases.filter { StoreState.retriable.contains($0) }
      .filter { count($0) > 0 }
    if !missing.isEmpty {
      let sum = missing.reduce(0) { $0 + count($1) }
      let words = missing.map { "\(Quantity.grouped(count($0))) \($0.rawValue)" }
      parts.append("\(Quantity.grouped(sum)) did not (\(words.joined(separator: ", ")))")
    }
    let remaining = totals.remaining.stores
    if remaining > 0 {
      parts.append("\(Quantity.grouped(remaining)) \(remaining == 1 ? "remains" : "remain")")
    }
    let unsearched = totals.unsearchedRoots
    let search =
      unsearched == 0
      ? "" : " The search of \(Quantity.count(unsearched, "root")) has not ended."
    let odd =
      totals.oddities == 0
      ? ""
      : " \(Quantity.count(totals.oddities, "file")) could not be looked at, "
        + "\(totals.oddities == 1 ? "was" : "were") refused, or changed since."
    return "\(Quantity.count(total, "store")): \(parts.joined(separator: ", ")).\(search)\(odd)"
  }

  /// Whether every store that was found reached the version, or was left out on purpose, and nothing is left
  /// to find.
  package var isComplete: Bool {
    let leftOut = totals.causes.filter { $0.state == .skipped && $0.code == StoreOutcome.leftOut }
    return totals.unsearchedRoots == 0 && totals.oddities == 0
      && count(.migrated, .current) + leftOut.reduce(0) { $0 + $1.stores } == totals.total.stores
  }

  /// Whether there are stores, and each was left out.
  package var isAllLeftOut: Bool {
    totals.total.stores > 0 && isComplete && count(.migrated, .current) == 0
  }

  private var style: StyledText.Style {
    if isComplete { return .good }
    return hasFailures ? .bad : .caution
  }

  /// Whether a store ended without reaching the version, other than by the user's decision.
  var hasFailures: Bool { count(.failed, .damaged, .timedOut, .refused) > 0 }

  private var stateTable: TextTable {
    var table = TextTable([
      ("state", .left), ("stores", .right), ("bytes", .right), ("results", .right),
      ("worker time", .right),
    ])
    for state in StoreState.allCases {
      guard let sum = totals.states[state] else { continue }
      table.append([
        StyledText(state.rawValue, state.style), StyledText(Quantity.grouped(sum.stores)),
        StyledText(Quantity.bytes(Int(sum.bytes))),
        StyledText(sum.resultBytes > 0 ? Quantity.bytes(Int(sum.resultBytes)) : ""),
        StyledText(sum.seconds > 0 ? Quantity.seconds(sum.seconds) : ""),
      ])
    }
    return table
  }

  private var versionTable: TextTable {
    var table = TextTable([
      ("version", .left), ("stores", .right), ("reached", .right), ("not reached", .right),
      ("remain", .right),
    ])
    for (version, sums) in versions {
      func cell(_ states: [StoreState]) -> StyledText {
        let stores = states.reduce(0) { $0 + (sums[$1]?.stores ?? 0) }
        return StyledText(stores > 0 ? Quantity.grouped(stores) : "")
      }
      table.append([
        version.map { StyledText($0) } ?? "\("not known", .faint)", cell(StoreState.allCases),
        cell([.migrated, .current]), cell(Array(StoreState.retriable)), cell([.waiting, .running]),
      ])
    }
    return table
  }

  private var causeLines: [StyledText] {
    totals.causes.flatMap { cause -> [StyledText] in
      // A code that repeats the state's word adds nothing.
      let code = cause.code.flatMap { $0 == cause.state.rawValue ? nil : " \($0)" } ?? ""
      let stores = Self.stores(of: cause)
      let example = cause.stores > 1 ? "\(stores), such as \(cause.example)" : cause.example
      return ["\(cause.state.rawValue, cause.state.style)\(code)  \(example)"]
        + [cause.message, cause.recovery].compactMap { $0 }.flatMap {
          TerminalText.wrapped($0, indentation: 4).map { StyledText("    " + $0) }
        } + [""]
    }
  }

  private func searchLines(isVerbose: Bool) -> [StyledText] {
    var lines = Self.oddLines(
      oddities,
      count: totals.oddities,
      ledger: LedgerName(ledger),
      isVerbose: isVerbose
    )
    if totals.files > 0 {
      lines.append(
        "\(Quantity.count(totals.files, "file")) searched; "
          + (totals.others == 1
            ? "1 is no store" : "\(Quantity.grouped(totals.others)) are no stores")
      )
    }
    return lines
  }

  /// Returns lines on files that could not be read, were refused, or are another store since, and an
  /// empty line.
  static func oddLines(
    _ oddities: [SearchTally.Oddity],
    count: Int,
    ledger: LedgerName?,
    isVerbose: Bool
  ) -> [StyledText] {
    let shown = isVerbose ? oddities : Array(oddities.prefix(10))
    guard !shown.isEmpty else { return [] }
    var lines: [StyledText] = ["\("not looked at, refused or changed since", .caution)"]
    lines += shown.map { "  \($0.name): \($0.reason)" }
    if count > shown.count {
      let command = ledger.map { ": \($0.command("report", "--format json")) names them all" }
      lines.append("  and \(count - shown.count) more\(command ?? "")")
    }
    return lines + [""]
  }

  private func rateSentence(_ rate: Double) -> String {
    let tenths = Int((min(rate, 1e9) * 10).rounded())
    let speed = "\(Quantity.grouped(tenths / 10)).\(tenths % 10) stores a second"
    let remaining = totals.remaining.stores
    guard remaining > 0, rate > 0 else { return speed }
    return "\(speed); the rest takes about \(Quantity.seconds(Double(remaining) / rate))"
  }
}

extension StoreState {
  /// The style of the state on a terminal.
  var style: StyledText.Style {
    switch self {
    case .migrated, .current: .good
    case .refused, .damaged, .failed, .timedOut: .bad
    case .skipped: .caution
    case .waiting, .running: .faint
    }
  }
}
