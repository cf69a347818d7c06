/// A word, sign or literal of a format string, and where it begins.
struct FormatToken: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A name or keyword; after `#` it is escaped, and no keyword.
    case word(String, isEscaped: Bool)
    /// A function's name with its colons: `modulus:by:`.
    case selector(String)
    /// A variable's name, without the dollar.
    case variable(String)
    case sign(String)
    case text(String)
    /// A whole number without its sign.
    case integer(UInt64)
    case real(Double)
    /// The argument for `%@`.
    case argument(AttributeValue?)
    case end
  }

  let kind: Kind
  /// The offset of the token, in bytes.
  let offset: Int

  /// The keyword that the token may be, in capitals.
  var keyword: String? {
    if case .word(let word, isEscaped: false) = kind { word.uppercased() } else { nil }
  }

  /// The token in words, for messages.
  var name: String {
    switch kind {
    case .word(let word, _): "\u{201c}\(word)\u{201d}"
    case .selector(let name): "\u{201c}\(name)\u{201d}"
    case .variable(let name): "\u{201c}$\(name)\u{201d}"
    case .sign(let sign): "\u{201c}\(sign)\u{201d}"
    case .text: "a string"
    case .integer, .real: "a number"
    case .argument: "an argument"
    case .end: "the end of the text"
    }
  }
}

/// The names that a format string can spell as they are.
package enum FormatName {
  /// The words that Apple reserves; as a key, each needs a `#` before it.
  static let reserved: Set<String> = [
    "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI",
    "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE",
    "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST",
    "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  /// Returns whether a byte can begin a name; bytes of scalars beyond ASCII always can.
  static func isStart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x41...0x5a, 0x61...0x7a, 0x5f, 0x80...0xff: true
    default: false
    }
  }

  /// Returns whether a byte can continue a name.
  static func isPart(_ byte: UInt8) -> Bool { isStart(byte) || (0x30...0x39).contains(byte) }

  /// Returns whether the text is a name, such as a variable's.
  package static func isName(_ text: String) -> Bool {
    text.utf8.first.map(isStart) == true && text.utf8.allSatisfy(isPart)
  }

  /// Returns whether the text can be part of a key path: a name, or an operator such as `@count`.
  static func isKey(_ text: String) -> Bool {
    isName(text.hasPrefix("@") ? String(text.dropFirst()) : text)
  }

  /// Returns whether keys can be spelled as a path; the key of a composite's element contains a dot.
  static func areKeys(_ path: [String]) -> Bool {
    path.allSatisfy { key in
      key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        .allSatisfy(isLaterKey)
    }
  }

  /// Returns whether the text can follow a dot, where it may begin with a digit.
  static func isLaterKey(_ text: String) -> Bool {
    isKey(text) || !text.isEmpty && text.utf8.allSatisfy(isPart)
  }
}
