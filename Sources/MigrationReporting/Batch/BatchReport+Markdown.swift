internal import BatchMigration

extension BatchReport {
  /// The most causes and oddities that are named: GitHub takes no long summaries.
  private static let most = 20

  /// The report as a summary for a pull request, without single stores.
  package var markdown: String {
    var lines = ["## Waystone batch", "", MarkdownText.escaped(sentence), ""]
    lines += ["| State | Stores | Bytes |", "| --- | ---: | ---: |"]
    for state in StoreState.allCases {
      guard let sum = totals.states[state] else { continue }
      let bytes = Quantity.bytes(Int(sum.bytes))
      lines.append("| \(state.rawValue) | \(Quantity.grouped(sum.stores)) | \(bytes) |")
    }
    let states = StoreState.allCases.filter { totals.states[$0] != nil }
    if !versions.isEmpty {
      let heads = states.map(\.rawValue).joined(separator: " | ")
      lines += ["", "| Version | \(heads) |", "| --- |\(states.map { _ in " ---: |" }.joined())"]
      for (version, sums) in versions {
        let cells = states.map { sums[$0].map { Quantity.grouped($0.stores) } ?? "" }
        let name = version.map(MarkdownText.cellCode) ?? "not known"
        lines.append("| \(name) | \(cells.joined(separator: " | ")) |")
      }
    }
    if !totals.causes.isEmpty { lines += ["", "### Causes", ""] }
    for cause in totals.causes.prefix(Self.most) {
      let code = cause.code.map { " \(MarkdownText.code($0))" } ?? ""
      let words = [cause.message, cause.recovery].compactMap { $0 }.map(MarkdownText.escaped)
      lines.append(
        "- **\(cause.state.rawValue)**\(code), \(MarkdownText.escaped(Self.stores(of: cause))), such as "
          + ([MarkdownText.code(cause.example) + "."] + words).joined(separator: " ")
      )
    }
    lines += more(totals.causes.count, "cause")
    if !lossLines.isEmpty {
      lines += ["", "### Lost in migrations", ""]
      lines += ["| Lost | What | Count | Stores |", "| --- | --- | ---: | ---: |"]
    }
    for line in lossLines.prefix(Self.most) {
      lines.append(
        "| \(MarkdownText.escaped(line.name)) | \(line.what) | \(Quantity.grouped(Int(line.count))) | "
          + "\(Quantity.grouped(line.stores)) |"
      )
    }
    if lossLines.count > Self.most { lines.append("") }
    lines += more(lossLines.count, "loss")
    if let sentence = lossSentence { lines += ["", MarkdownText.escaped(sentence)] }
    if !oddities.isEmpty { lines += ["", "### Not looked at, or refused", ""] }
    for oddity in oddities.prefix(Self.most) {
      lines.append("- \(MarkdownText.code(oddity.name)): \(MarkdownText.escaped(oddity.reason))")
    }
    lines += more(totals.oddities, "file")
    return lines.joined(separator: "\n") + "\n"
  }

  private func more(_ count: Int, _ noun: String) -> [String] {
    count > Self.most ? ["- and \(Quantity.count(count - Self.most, "more \(noun)"))"] : []
  }
}
