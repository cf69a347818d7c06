internal import MigrationPlanning
internal import ObjectModel

extension DiffReport {
  /// The difference as Markdown, for a pull request's description.
  package var markdown: String {
    var lines = [
      "### \(MarkdownText.code(old)) → \(MarkdownText.code(new))", "",
      summary.capitalizedFirst + ".",
    ]
    var entity: String?
    var isFirst = true
    for change in difference.changes where !change.isConsequence {
      if isFirst || change.entityName != entity {
        isFirst = false
        entity = change.entityName
        lines += ["", entity.map { "**\(MarkdownText.code($0))**" } ?? "**The model**", ""]
      }
      let hash = change.changesHash ? "" : " *(not in the hash)*"
      lines.append(
        "- \(change.action.word.trimmed) \(MarkdownText.escaped(change.sentence))\(hash)"
      )
    }
    lines += ["", step]
    if !inference.refusals.isEmpty { lines.append("") }
    for refusal in inference.refusals {
      lines.append("- **\(refusal.code.rawValue)** \(MarkdownText.escaped(refusal.sentence()))")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.hasSuffix(" ") { text = text.dropLast() }
    return String(text)
  }
}
