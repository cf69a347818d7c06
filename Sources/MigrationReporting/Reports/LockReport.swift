package import ObjectModel

/// What became of a lock.
package struct LockReport: Report {
  package static let verb = "lock"

  let path: String
  let locked: [String]
  let added: [String]
  let accepted: String?
  let reason: String?
  let countsAll: Bool
  let findings: [Finding]

  /// A report on a lock.
  ///
  /// - Parameters:
  ///   - countsAll: Whether all versions count as shipped, since nothing says which are.
  ///   - findings: What stands against writing it.
  package init(
    path: String,
    locked: [String],
    added: [String],
    accepted: String?,
    reason: String?,
    countsAll: Bool,
    findings: [Finding]
  ) {
    self.path = path
    self.locked = locked
    self.added = added
    self.accepted = accepted
    self.reason = reason
    self.countsAll = countsAll
    self.findings = findings
  }

  /// Whether nothing stands against writing the lock.
  package var isWritable: Bool { findings.isEmpty }

  package var members: [String: JSONValue] {
    [
      "path": .string(path),
      "written": .boolean(isWritable && (!added.isEmpty || accepted != nil)),
      "locked": JSONValue(locked),
      "added": JSONValue(added),
      "accepted": JSONValue(accepted),
      "reason": JSONValue(reason),
      "findings": .array(findings.map(\.json)),
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    guard isWritable else {
      return ["\(path, .strong)  \("nothing was written", .bad)"]
        + findings.map(\.withoutFile).section("What is not as it was locked", isVerbose: true)
    }
    let count = Quantity.count(locked.count, "version")
    var lines: [StyledText] = ["\(path, .strong)  \(count)"]
    if let accepted { lines.append("  \("accepted", .caution)  \(accepted): \(reason ?? "")") }
    if added.isEmpty {
      if accepted == nil { lines.append("  Nothing is new.") }
    } else {
      let names = added.joined(separator: ", ")
      let room = TerminalText.wrapped(names, columns: 84)
      lines += room.enumerated().map { index, text in
        (index == 0 ? "  \("added", .good)     " : "            ") + StyledText(text)
      }
    }
    if countsAll, !added.isEmpty {
      let text = "All are locked: no `shipped:` in waystone.yml says which of them users have."
      lines += ["", StyledText(text, .faint)]
    }
    return lines
  }
}
