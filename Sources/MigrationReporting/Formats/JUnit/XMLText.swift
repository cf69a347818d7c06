/// The text of an XML 1.0 document.
enum XMLText {
  /// Returns the text between tags, with its line breaks.
  ///
  /// Characters that no XML document can hold, not even as references, are spelled `\u{1b}`, and so
  /// are the marks that reorder text.
  static func content(_ text: String) -> String { escaped(text) }

  /// Returns the text of an attribute's value, without its quotes; line breaks are spelled too.
  static func attribute(_ text: String) -> String { escaped(TerminalText.escaped(text)) }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      // Only `]]>` must not occur in text, but readers expect all of them escaped.
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "\n"
      default: result += TerminalText.escaped(String(scalar))
      }
    }
    return result
  }
}
