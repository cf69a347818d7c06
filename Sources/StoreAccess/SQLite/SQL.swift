private import ObjectModel

/// The spelling of names and values as SQL text that is safe in a statement.
package enum SQL {
  /// Returns the name in double quotes, as SQLite reads any name.
  package static func identifier(_ name: String) -> String { quoted(name, "\"") }

  /// Returns the name of a table of an attached database: `"schema"."table"`.
  package static func identifier(_ schema: String, _ name: String) -> String {
    identifier(schema) + "." + identifier(name)
  }

  /// Returns the text in single quotes; for pragmas and DDL, which take no bound values.
  package static func literal(_ text: String) -> String { quoted(text, "'") }

  /// Returns the value as SQLite spells it; blobs become `x'…'`.
  package static func literal(_ value: SQLiteValue) -> String {
    switch value {
    case .null: return "NULL"
    case .integer(let integer):
      // The smallest integer has no literal: its digits alone are a real, which minus negates.
      return integer == .min ? "(-9223372036854775807 - 1)" : String(integer)
    case .real(let real) where real.isNaN: return "NULL"
    case .real(let real) where real.isInfinite: return real < 0 ? "-9e999" : "9e999"
    case .real(let real): return number(real)
    // A statement ends at the first NUL.
    case .text(let text) where text.utf8.contains(0): return Self.text(ofBytes: Array(text.utf8))
    case .text(let text): return literal(text)
    case .malformedText(let bytes): return Self.text(ofBytes: bytes)
    case .blob(let bytes): return blob(bytes)
    }
  }

  /// Returns conditions with a word between each two, in parentheses.
  ///
  /// The text is a tree that is not deep, since SQLite refuses one of more than 1,000 levels, and a
  /// plain row of conditions is as deep as it is long.
  package static func joined(_ conditions: some Collection<String>, _ word: String) -> String {
    func sql(_ parts: ArraySlice<String>) -> String {
      if parts.count <= 8 { return "(\(parts.joined(separator: " \(word) ")))" }
      let middle = parts.startIndex + parts.count / 2
      return "(\(sql(parts[..<middle])) \(word) \(sql(parts[middle...])))"
    }
    return sql(Array(conditions)[...])
  }

  /// Returns the double exactly: of long literals SQLite rounds the last digits, so these are written
  /// as a whole number and powers of two, whose product or quotient is exact at each step.
  private static func number(_ real: Double) -> String {
    let text = "\(real)"
    if real == 0 { return real.sign == .minus ? "(0.0 * -1)" : text }
    if text.utf8.count <= 15, !text.contains("e") { return text }
    let digits = Int64(real.significand * 0x1p52)
    let spare = digits.trailingZeroBitCount
    let exponent = Int(real.exponent) - 52 + spare
    var factors = "(\(real < 0 ? "-" : "")\(digits >> spare) * 1.0"
    for place in stride(from: 0, to: abs(exponent), by: 62) {
      factors += " \(exponent < 0 ? "/" : "*") \(1 << min(62, abs(exponent) - place))"
    }
    return factors + ")"
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

  /// Returns whether a text holds nothing to compile: space, comments and semicolons
  /// (sqlite.org/lang_comment.html).
  static func isEmpty(_ text: some Collection<UInt8>) -> Bool {
    var rest = text[...]
    while let byte = rest.first {
      switch byte {
      // SQLite's own list of space, which has the form feed and not the vertical tab.
      case 0x20, 0x09, 0x0a, 0x0c, 0x0d, UInt8(ascii: ";"): rest = rest.dropFirst()
      case UInt8(ascii: "-") where rest.dropFirst().first == UInt8(ascii: "-"):
        rest = rest.drop { $0 != 0x0a }
      case UInt8(ascii: "/") where rest.dropFirst().first == UInt8(ascii: "*"):
        rest = rest.dropFirst(2)
        while let inner = rest.first {
          rest = rest.dropFirst()
          guard inner == UInt8(ascii: "*"), rest.first == UInt8(ascii: "/") else { continue }
          rest = rest.dropFirst()
          break
        }
      default: return false
      }
    }
    return true
  }

  /// Returns a text in upper case as SQLite sees it, which knows no other letters than those of ASCII.
  static func uppercased(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x61...0x7a).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
  }

  /// Returns whether a text has another in it, byte by byte.
  static func contains(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { text[$0...].starts(with: part) }
  }

  /// Returns the words of a statement in upper case, those within quotes and comments too.
  static func words(_ sql: String) -> Set<String> {
    Set(
      sql.utf8.split { byte in
        let isWord =
          byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
          || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
        return !isWord
      }.map { uppercased(String(decoding: $0, as: UTF8.self)) }
    )
  }

  /// Returns the statement's opening words for an error message: at most eight, and none that could
  /// hold a value (a literal, or anything after one).
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

extension SQL {
  /// Returns a table as a term of FROM that is read itself and never through an index of it, which could
  /// differ.
  ///
  /// A row is still found by its key, which is the table's own. SQLite makes no index of its own for
  /// such a term either: joined by anything but the key, it is scanned for each row of the other.
  package static func scan(_ schema: String, _ name: String, as alias: String? = nil) -> String {
    identifier(schema, name) + (alias.map { " AS \($0)" } ?? "") + " NOT INDEXED"
  }
}
