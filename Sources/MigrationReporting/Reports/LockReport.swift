import ObjectModel
import Waystone

extension LockUpdate: Report {
  package static let verb = "lock"

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
