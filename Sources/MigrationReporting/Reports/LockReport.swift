import ObjectModel
package import Waystone

/// A report on the contents of a lock that was written, or would be.
package struct LockReport: Report, MemberEncodable {
  package static let verb = "lock"

  private let update: LockUpdate
  /// Whether nothing was written, since that was wished.
  private let isDryRun: Bool

  /// - Parameter isDryRun: Whether nothing was written, since that was wished.
  package init(_ update: LockUpdate, isDryRun: Bool) {
    self.update = update
    self.isDryRun = isDryRun
  }

  package var members: JSONMembers {
    [
      "path": update.path, "dryRun": isDryRun, "written": update.writes && !isDryRun,
      "locked": update.locked, "added": update.added, "notLocked": update.unlocked,
      "accepted": update.accepted, "reason": update.reason, "findings": update.findings,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    let isDoubtful = update.findings.contains { $0.code.has(.openOrder) }
    let drifts = update.findings.map(\.withoutFile)
      .section(
        isDoubtful ? "Settle first" : "What is not as it was locked",
        isVerbose: true
      )
    guard update.isWritable || update.writes else {
      return ["\(update.path, .strong)  \("nothing was written", .bad)"] + notLocked + drifts
    }
    let count = Quantity.count(update.locked.count, "version")
    var lines: [StyledText] = ["\(update.path, .strong)  \(count)"]
    if isDryRun, update.writes { lines[0] += "  \("not written, --dry-run", .faint)" }
    if let accepted = update.accepted {
      lines.append("  \("accepted", .caution)    \(accepted): \(update.reason ?? "")")
    }
    if update.added.isEmpty {
      if update.accepted == nil { lines.append("  Nothing is added.") }
    } else {
      lines += list(update.added, under: "\("added", .good)       ")
    }
    return lines + notLocked + drifts
  }

  /// The versions that stay out, and how to lock them.
  private var notLocked: [StyledText] {
    guard !update.unlocked.isEmpty, update.findings.isEmpty else { return [] }
    let names = update.unlocked.map(\.shellWord).joined(separator: " ")
    let them = update.unlocked.count == 1 ? "it" : "them"
    let advice =
      update.isGuess
      ? "No `shipped:` in waystone.yml says what users have: the current version may not be out."
      : "To `check` \(update.unlocked.count == 1 ? "it is" : "they are") new."
    return list(update.unlocked, under: "\("not locked", .caution)  ") + [""]
      + StyledText.lines("\(advice) When users have \(them): `waystone lock \(names)`.", .faint)
  }

  /// Returns names after a word of 12 columns.
  private func list(_ names: [String], under word: StyledText) -> [StyledText] {
    TerminalText.wrapped(names.joined(separator: ", "), indentation: 14).enumerated()
      .map { index, text in
        "  " + (index == 0 ? word : "            ") + StyledText(text)
      }
  }
}
