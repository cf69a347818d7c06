private import ObjectModel

/// Text that is safe to put into a statement.
package enum SQL {
  /// The name in double quotes, as SQLite reads any name.
  package static func identifier(_ name: String) -> String { quoted(name, "\"") }

  /// The name of a table of an attached database: `"schema"."table"`.
  package static func identifier(_ schema: String, _ name: String) -> String {
    identifier(schema) + "." + identifier(name)
  }

  /// The text in single quotes; for pragmas and DDL, which take no bound values.
  package static func literal(_ text: String) -> String { quoted(text, "'") }

  /// The value as SQLite spells it; blobs become `x'…'`.
  package static func literal(_ value: SQLiteValue) -> String {
    switch value {
    case .null: return "NULL"
    case .integer(let integer):
      // The smallest integer has no literal: its digits alone are a real, which minus negates.
      return integer == .min ? "(-9223372036854775807 - 1)" : String(integer)
    case .real(let real) where real.isNaN: return "NULL"
    case .real(let real) where real.isInfinite: return real < 0 ? "-9e999" : "9e999"
    case .real(let real): return "\(real)"
    // A statement ends at the first NUL.
    case .text(let text) where text.utf8.contains(0): return Self.text(ofBytes: Array(text.utf8))
    case .text(let text): return literal(text)
    case .malformedText(let bytes): return Self.text(ofBytes: bytes)
    case .blob(let bytes): return blob(bytes)
    }
  }

  private static func blob(_ bytes: [UInt8]) -> String { "x'" + Hexadecimal.string(bytes) + "'" }

  private static func text(ofBytes bytes: [UInt8]) -> String { "CAST(\(blob(bytes)) AS TEXT)" }

  private static func quoted(_ text: String, _ quote: Character) -> String {
    var result = String(quote)
    for character in text.unicodeScalars {
      if Character(character) == quote { result.append(quote) }
      result.unicodeScalars.append(character)
    }
    result.append(quote)
    return result
  }

  /// The statement's opening words for an error message: at most eight, and none that could hold a
  /// value (a literal, or anything after one).
  static func firstWords(of sql: String) -> String {
    var words: [Substring] = []
    let all = sql.split(whereSeparator: \.isWhitespace)
    for word in all.prefix(8) {
      let mayHoldValue =
        word.contains("'") || word.contains("=") || word.first?.isNumber == true
        || word.uppercased().hasPrefix("VALUES")
      if mayHoldValue || word.utf8.count > 80 { break }
      words.append(word)
    }
    return words.joined(separator: " ") + (words.count < all.count ? " …" : "")
  }
}
