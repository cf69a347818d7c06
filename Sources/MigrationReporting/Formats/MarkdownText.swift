/// The form of foreign text in Markdown, as GitHub reads it.
enum MarkdownText {
  /// Returns a name as code, without the characters that would end it.
  static func code(_ text: String) -> String {
    let name = String(TerminalText.escaped(text).map { $0 == "`" ? "'" : $0 })
    return name.isEmpty ? "" : "`\(name)`"
  }

  /// Returns a name as code within a table's cell, where a bar would end the cell.
  static func cellCode(_ text: String) -> String {
    var result = ""
    for character in code(text) { result += character == "|" ? "\\|" : String(character) }
    return result
  }

  /// Returns text whose characters mean nothing to Markdown or HTML.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in TerminalText.escaped(text).unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      // No mention, which would notify a user.
      case "@": result += "&#64;"
      case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "$", "!":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
