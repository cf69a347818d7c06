import ObjectModel

/// Splits a predicate's format string into words, signs and literals.
struct PredicateLexer {
  enum Token: Hashable, Sendable {
    /// A name, key path or keyword.
    case word(String)
    /// A variable's name, without the dollar.
    case variable(String)
    case sign(String)
    case literal(AttributeValue)
  }

  private var rest: ArraySlice<UInt8>

  private init(_ text: String) { rest = Array(text.utf8)[...] }

  /// The tokens of the text; nil where it has something else.
  static func tokens(of text: String) -> [Token]? {
    var lexer = PredicateLexer(text)
    var tokens: [Token] = []
    while let byte = lexer.skipSpace() {
      guard let token = lexer.token(startingWith: byte) else { return nil }
      tokens.append(token)
    }
    return tokens
  }

  private mutating func skipSpace() -> UInt8? {
    while let byte = rest.first, byte == 0x20 || (0x09...0x0d).contains(byte) { rest.removeFirst() }
    return rest.first
  }

  private mutating func token(startingWith byte: UInt8) -> Token? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return quoted(byte)
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return number()
    case UInt8(ascii: "$"):
      rest.removeFirst()
      let name = take(Self.isNamePart)
      return name.isEmpty ? nil : .variable(name)
    case _ where Self.isNamePart(byte): return .word(take(Self.isNamePart))
    default:
      for sign in ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"]
      where rest.starts(with: sign.utf8) {
        rest.removeFirst(2)
        return .sign(sign)
      }
      rest.removeFirst()
      let sign = String(decoding: [byte], as: UTF8.self)
      return "=<>!()[],".contains(sign) ? .sign(sign) : nil
    }
  }

  private mutating func take(_ isPart: (UInt8) -> Bool) -> String {
    let part = rest.prefix(while: isPart)
    rest = rest.dropFirst(part.count)
    return String(decoding: part, as: UTF8.self)
  }

  private mutating func quoted(_ mark: UInt8) -> Token? {
    rest.removeFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == mark { return .literal(.string(String(decoding: text, as: UTF8.self))) }
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      switch escaped {
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): text.append(escaped)
      default: return nil
      }
    }
    return nil
  }

  private mutating func number() -> Token? {
    let sign = rest.first == UInt8(ascii: "-")
    if sign { rest.removeFirst() }
    let digits = take { (0x30...0x39).contains($0) || $0 == 0x2e || $0 | 0x20 == 0x65 }
    var text = (sign ? "-" : "") + digits
    // An exponent's own sign is not one of the digits.
    if digits.last == "e" || digits.last == "E", let next = rest.first, next == 0x2b || next == 0x2d
    {
      rest.removeFirst()
      text += (next == 0x2d ? "-" : "+") + take { (0x30...0x39).contains($0) }
    }
    if let integer = Int64(text) { return .literal(.integer(integer)) }
    return Double(text).map { .literal(.real($0)) }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f, 0x2e, 0x40, 0x23, 0x80...0xff: true
    default: false
    }
  }
}
