extension String {
  /// The text on one line: line ends and invisible characters are escaped as in a YAML string.
  ///
  /// Names come from untrusted files, and a comment ends at the end of its line.
  package var onOneLine: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}", "\u{feff}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text as a YAML string in quotation marks, on one line.
  package var inYAMLQuotes: String {
    let escaped = replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"" + escaped.onOneLine + "\""
  }

  /// The text as a YAML scalar, in quotation marks where it could be read as something else.
  package var yamlScalar: String {
    let isPlain =
      !isEmpty && first != "-" && last != " " && first != " "
      && !["null", "true", "false", "yes", "no", "on", "off", "~"].contains(lowercased())
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: " _./+-()".utf8.contains(byte)
        }
      }
    return isPlain ? self : inYAMLQuotes
  }
}
