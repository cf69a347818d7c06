internal import MigrationPlanning
internal import ObjectModel

extension DiffReport {
  /// The difference as Markdown, for a pull request's description.
  package var markdown: String {
    var lines = ["### \(Self.code(old)) → \(Self.code(new))", "", summary.capitalizedFirst + "."]
    var entity: String?
    var isFirst = true
    for change in difference.changes where !change.isConsequence {
      if isFirst || change.entityName != entity {
        isFirst = false
        entity = change.entityName
        lines += ["", entity.map { "**\(Self.code($0))**" } ?? "**The model**", ""]
      }
      let hash = change.changesHash ? "" : " *(not in the hash)*"
      lines.append("- \(change.action.word.trimmed) \(Self.escaped(change.sentence))\(hash)")
    }
    lines += ["", step]
    if !inference.refusals.isEmpty { lines.append("") }
    for refusal in inference.refusals {
      lines.append("- **\(refusal.code.rawValue)** \(Self.escaped(refusal.sentence()))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A name as code, without what would end it.
  private static func code(_ text: String) -> String {
    "`\(TerminalText.escaped(text).map { $0 == "`" ? "'" : $0 }.asString)`"
  }

  /// Text whose characters mean nothing to Markdown or HTML.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in TerminalText.escaped(text) {
      switch character {
      case "<": result += "&lt;"
      case "&": result += "&amp;"
      case "\\", "`", "*", "_", "[", "]", "|", "#": result += "\\\(character)"
      default: result.append(character)
      }
    }
    return result
  }
}

extension [Character] {
  fileprivate var asString: String { String(self) }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  fileprivate var trimmed: String {
    var text = self[...]
    while text.hasSuffix(" ") { text = text.dropLast() }
    return String(text)
  }
}
