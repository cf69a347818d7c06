/// A lexer that splits a format string into words, signs and literals.
struct FormatLexer {
  /// More text than any expression has.
  static let maximumLength = 1_000_000

  private static let doubleSigns: Set<String> = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "**", ":=",
  ]

  let bytes: [UInt8]
  var position = 0
  private var tokens: [FormatToken] = []
  /// The arguments for `%@` and `%K`, in turn.
  private var arguments: ArraySlice<AttributeValue?>

  private init(_ bytes: [UInt8], _ arguments: [AttributeValue?]) {
    self.bytes = bytes
    self.arguments = arguments[...]
  }

  /// Returns the tokens of the text; the last one is its end.
  ///
  /// - Throws: ``FormatError``.
  /// - Complexity: O(n) in the length of the text.
  static func tokens(
    of bytes: [UInt8],
    arguments: [AttributeValue?] = []
  ) throws(FormatError) -> [FormatToken] {
    var lexer = FormatLexer(bytes, arguments)
    guard bytes.count <= maximumLength else {
      throw lexer.error(
        at: 0,
        "The text has more than \(maximumLength) bytes.",
        recovery: "Split it into several expressions."
      )
    }
    while let byte = lexer.skipSpace() {
      let start = lexer.position
      if byte == UInt8(ascii: "%") {
        lexer.tokens += try lexer.argument().map { FormatToken(kind: $0, offset: start) }
        continue
      }
      let kind = try lexer.token(startingWith: byte)
      lexer.tokens.append(FormatToken(kind: kind, offset: start))
    }
    guard lexer.arguments.isEmpty else {
      throw lexer.error(
        at: bytes.count,
        "There are more arguments than the text has places for.",
        recovery: "Write %@ for a value, and %K for a key; in quotation marks they are text."
      )
    }
    return lexer.tokens + [FormatToken(kind: .end, offset: bytes.count)]
  }

  /// Returns the byte at a distance from the lexer's position.
  func byte(_ distance: Int = 0) -> UInt8? {
    position + distance < bytes.count ? bytes[position + distance] : nil
  }

  func error(at offset: Int, _ message: String, recovery: String) -> FormatError {
    FormatError(bytes, offset: offset, message, recovery: recovery)
  }

  mutating func take(_ isPart: (UInt8) -> Bool) -> String {
    let start = position
    while let byte = byte(), isPart(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func skipSpace() -> UInt8? {
    while let byte = byte(), byte == 0x20 || (0x09...0x0d).contains(byte) { position += 1 }
    return byte()
  }

  private mutating func token(startingWith first: UInt8) throws(FormatError) -> FormatToken.Kind {
    let isAfterDot = tokens.last?.kind == .sign(".")
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try quoted(first))
    case 0x30...0x39 where isAfterDot: return .word(take(FormatName.isPart), isEscaped: false)
    case 0x30...0x39: return try number()
    case UInt8(ascii: "."):
      // A dot begins a number only where no value precedes it.
      if let next = byte(1), (0x30...0x39).contains(next), !endsValue { return try number() }
      position += 1
      return .sign(".")
    case UInt8(ascii: "$"):
      position += 1
      let name = take(FormatName.isPart)
      guard FormatName.isName(name) else {
        throw error(
          at: position,
          "A variable's name is missing after \u{201c}$\u{201d}.",
          recovery: "Write a name such as $source."
        )
      }
      return .variable(name)
    case UInt8(ascii: "#"), UInt8(ascii: "@"):
      position += 1
      let name = take(FormatName.isPart)
      guard FormatName.isName(name) else { throw unexpected(at: position - name.utf8.count - 1) }
      let isOperator = first == UInt8(ascii: "@")
      return .word((isOperator ? "@" : "") + name, isEscaped: true)
    case _ where FormatName.isStart(first): return word()
    default: return try sign()
    }
  }

  /// Reads the next argument: a value for `%@`, the names of a key path for `%K`.
  private mutating func argument() throws(FormatError) -> [FormatToken.Kind] {
    let place = byte(1)
    guard place == UInt8(ascii: "@") || place == UInt8(ascii: "K"), !arguments.isEmpty else {
      throw error(
        at: position,
        "There are no arguments to take the place of \u{201c}%\u{201d}.",
        recovery: "Write the key or the value itself; a remainder is modulus:by:(a, b)."
      )
    }
    let argument = arguments.removeFirst()
    if place == UInt8(ascii: "@") {
      position += 2
      return [.argument(argument)]
    }
    guard case .string(let path) = argument else {
      throw error(
        at: position,
        "What stands for \u{201c}%K\u{201d} is no text.",
        recovery: "Give a key, or keys with dots between them."
      )
    }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard keys.allSatisfy(FormatName.isKey) else {
      throw error(
        at: position,
        "What stands for \u{201c}%K\u{201d} is no key path.",
        recovery: "Give a key, or keys with dots between them."
      )
    }
    position += 2
    return Array(
      keys.map { [FormatToken.Kind.word($0, isEscaped: true)] }
        .joined(separator: [.sign(".")])
    )
  }

  /// Whether the last token ends a value, after which a dot leads to a key.
  private var endsValue: Bool {
    switch tokens.last?.kind {
    case .word, .variable, .text, .integer, .real, .argument, .sign(")"), .sign("]"), .sign("}"):
      true
    default: false
    }
  }

  private mutating func word() -> FormatToken.Kind {
    let start = position
    let name = take(FormatName.isPart)
    guard byte() == UInt8(ascii: ":"), byte(1) != UInt8(ascii: "=") else {
      return .word(name, isEscaped: false)
    }
    while byte() == UInt8(ascii: ":"), byte(1) != UInt8(ascii: "=") {
      position += 1
      _ = take(FormatName.isPart)
    }
    return .selector(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func sign() throws(FormatError) -> FormatToken.Kind {
    if let next = byte(1) {
      let sign = String(decoding: [bytes[position], next], as: UTF8.self)
      if Self.doubleSigns.contains(sign) {
        position += 2
        return .sign(sign)
      }
    }
    let sign = String(decoding: [bytes[position]], as: UTF8.self)
    guard "=<>!()[]{},+-*/".contains(sign) else { throw unexpected(at: position) }
    position += 1
    return .sign(sign)
  }

  private func unexpected(at offset: Int) -> FormatError {
    error(
      at: offset,
      "This character has no meaning here.",
      recovery: "Put text into quotation marks; see Apple's Predicate Format String Syntax."
    )
  }
}
