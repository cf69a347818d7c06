/// The handling of text on a terminal: its width, and the characters that would do more than show.
package enum TerminalText {
  /// The columns at which reports break their lines where there is no terminal: files and logs are the
  /// same on every machine.
  package static let standardColumns = 96

  /// The columns within which a report breaks its lines.
  @TaskLocal package static var columns = standardColumns

  /// Returns the result of a closure for a terminal of some columns; lines keep a readable length.
  package static func fitting<Result>(_ columns: Int?, _ make: () -> Result) -> Result {
    $columns.withValue(columns.map { min(max($0, 60), 120) } ?? standardColumns, operation: make)
  }

  /// Returns the text with its control characters spelled `\u{1b}`, so that they cannot act.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isControl(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns the number of columns that the text takes, as far as a program can know.
  package static func width(_ text: String) -> Int {
    text.reduce(0) { $0 + width(of: $1) }
  }

  /// Returns the text broken into lines between words; a line is no wider than ``columns`` without the
  /// indentation, unless a single word is.
  package static func wrapped(_ text: String, indentation: Int) -> [String] {
    wrapped(text, columns: max(20, columns - indentation))
  }

  /// Returns the lines of a given width.
  package static func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, width(line) + 1 + width(String(word)) > columns {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private static func width(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.utf8.count == 1 { return 1 }
    if first.properties.isEmojiPresentation { return 2 }
    // The ranges of East Asian Width W and F that occur in names.
    switch first.value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff,
      0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x20000...0x3fffd:
      return 2
    default: return 1
    }
  }

  /// Returns whether a character is C0, DEL, C1, a mark that reorders or separates lines, or no
  /// character at all.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1f, 0x7f...0x9f, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfffe...0xffff:
      true
    default: false
    }
  }
}
