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
    case .text(let text): return literal(text)
    case .blob(let bytes):
      let digits = Array("0123456789abcdef".utf8)
      let hexadecimal = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
      return "x'" + String(decoding: hexadecimal, as: UTF8.self) + "'"
    }
  }

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

extension SQL {
  /// A table as a term of FROM that is read itself and never through an index of it, which could say
  /// something else.
  ///
  /// A row is still found by its key, which is the table's own. SQLite makes no index of its own for
  /// such a term either: joined by anything but the key, it is walked for each row of the other.
  package static func scan(_ schema: String, _ name: String, as alias: String? = nil) -> String {
    identifier(schema, name) + (alias.map { " AS \($0)" } ?? "") + " NOT INDEXED"
  }
}
