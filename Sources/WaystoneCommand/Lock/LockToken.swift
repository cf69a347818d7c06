/// A word of a line of the lock: bare, or in quotes where it holds what would end it.
enum LockToken {
  /// The word as the file has it.
  ///
  /// - Parameter isValue: Whether it stands after `=`, where another `=` does not matter.
  static func encoded(_ text: String, isValue: Bool = false) -> String {
    let isBare = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      case UInt8(ascii: "="): isValue
      default: "_./+@:()-".utf8.contains(byte)
      }
    }
    guard !isBare || text.isEmpty else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // Whatever an editor may take for the end of a line.
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// A word that was read.
  struct Word: Hashable {
    /// What stands before `=`, or all of it.
    var name: String
    /// What stands after `=`.
    var value: String?
    /// Whether the name was in quotes.
    var isQuoted: Bool
  }

  /// The words of a line; nil where a quote is not closed or something stands where nothing may.
  static func words(of line: ArraySlice<UInt8>) -> [Word]? {
    var words: [Word] = []
    var rest = line
    while true {
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      guard let first = rest.first else { return words }
      guard let name = text(&rest, endsAtEquals: true) else { return nil }
      var word = Word(name: name, value: nil, isQuoted: first == UInt8(ascii: "\""))
      if rest.first == UInt8(ascii: "=") {
        rest.removeFirst()
        guard let value = text(&rest, endsAtEquals: false) else { return nil }
        word.value = value
      }
      guard rest.isEmpty || rest.first == UInt8(ascii: " ") else { return nil }
      words.append(word)
    }
  }

  private static func text(_ rest: inout ArraySlice<UInt8>, endsAtEquals: Bool) -> String? {
    guard rest.first == UInt8(ascii: "\"") else {
      let bytes = rest.prefix { byte in
        byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\"")
          && !(endsAtEquals && byte == UInt8(ascii: "="))
      }
      rest = rest[bytes.endIndex...]
      return String(validating: bytes, as: UTF8.self)
    }
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return String(validating: bytes, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = escaped(&rest) else { return nil }
        bytes += escaped.utf8
      default: bytes.append(byte)
      }
    }
    return nil
  }

  private static func escaped(_ rest: inout ArraySlice<UInt8>) -> String? {
    switch rest.popFirst() {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard rest.popFirst() == UInt8(ascii: "{") else { return nil }
      let digits = rest.prefix { $0 != UInt8(ascii: "}") }
      guard digits.count <= 6, digits.endIndex < rest.endIndex,
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(value)
      else { return nil }
      rest = rest[digits.endIndex...].dropFirst()
      return String(Character(scalar))
    default: return nil
    }
  }
}
