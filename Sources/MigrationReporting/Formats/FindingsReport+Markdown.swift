internal import ObjectModel

extension FindingsReport {
  /// The findings as Markdown, for a pull request or GitHub's summary of a step.
  package var markdown: String {
    let failing = failures.count
    var lines = ["## Waystone \(verb)", ""]
    lines.append(
      failing == 0
        ? "Nothing fails." : "\(Quantity.count(failing, "finding")) must be seen to."
    )
    return (lines + findingLines).joined(separator: "\n") + "\n"
  }

  /// The findings as tables: those that need attention, then notes and accepted ones, folded.
  var findingLines: [String] {
    let open = entries.filter { $0.acceptance == nil }
    var lines: [String] = []
    let shown = Finding.Severity.allCases.reversed().filter { $0 > .note }.flatMap { severity in
      open.filter { $0.finding.severity == severity }
    }
    if !shown.isEmpty {
      lines += [
        "", "### Findings", "", "| | Code | Where | What, and what to do |", "|---|---|---|---|",
      ]
      lines += shown.map { entry in
        let finding = entry.finding
        return "| \(finding.severity.mark) | \(finding.code.rawValue) | \(Self.place(finding)) | "
          + "\(MarkdownText.escaped(finding.message)) *\(MarkdownText.escaped(finding.remedy))* |"
      }
    }
    let notes = open.filter { $0.finding.severity == .note }
    if !notes.isEmpty {
      lines += Self.folded(Quantity.count(notes.count, "note"), "| Code | Where | What |") {
        notes.map { entry in
          "| \(entry.finding.code.rawValue) | \(Self.place(entry.finding)) | "
            + "\(MarkdownText.escaped(entry.finding.message)) |"
        }
      }
    }
    let accepted = entries.filter { $0.acceptance != nil }
    if !accepted.isEmpty {
      let heading = "\(Quantity.grouped(accepted.count)) accepted"
      lines += Self.folded(heading, "| Code | Where | What | Accepted because |") {
        accepted.map { entry in
          "| \(entry.finding.code.rawValue) | \(Self.place(entry.finding)) | "
            + "\(MarkdownText.escaped(entry.finding.message)) | "
            + "\(MarkdownText.escaped(entry.acceptance ?? "")) |"
        }
      }
    }
    return lines
  }

  private static func place(_ finding: Finding) -> String {
    var parts: [String] = []
    if let version = finding.place.version { parts.append(MarkdownText.cellCode(version)) }
    if let subject = finding.place.subject { parts.append(MarkdownText.cellCode(subject)) }
    if parts.isEmpty, let file = finding.place.file { parts.append(MarkdownText.cellCode(file)) }
    return parts.joined(separator: " ")
  }

  private static func folded(
    _ summary: String,
    _ head: String,
    _ rows: () -> [String]
  ) -> [String] {
    let columns = head.count { $0 == "|" } - 1
    return ["", "<details><summary>\(summary)</summary>", "", head]
      + ["|" + String(repeating: "---|", count: columns)] + rows() + ["", "</details>"]
  }
}

extension Finding.Severity {
  /// The word for it, with a character that shows it without colour.
  var mark: String {
    switch self {
    case .note: "ℹ️ note"
    case .warning: "⚠️ warning"
    case .error: "❌ error"
    }
  }
}
