// Numbers and strings.
extension FormatLexer {
  /// Reads a number: `12`, `0x1F`, `0o17`, `0b101`, `1.5`, `1e-3`.
  ///
  /// Whole decimal numbers that do not fit 64 bits become doubles.
  mutating func number() throws(FormatError) -> FormatToken.Kind {
    let start = position
    if let radix = radix {
      position += 2
      let digits = take(FormatName.isPart)
      guard let value = UInt64(digits, radix: radix) else { throw badNumber(at: start) }
      return .integer(value)
    }
    let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
    var text = take(isDigit)
    var isWhole = true
    if byte() == UInt8(ascii: "."), byte(1).map(isDigit) == true {
      position += 1
      text = (text.isEmpty ? "0" : text) + "." + take(isDigit)
      isWhole = false
    }
    if byte().map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      position += 1
      text += "e"
      if let sign = byte(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        position += 1
        text += sign == UInt8(ascii: "-") ? "-" : "+"
      }
      text += take(isDigit)
      isWhole = false
    }
    if isWhole, let value = UInt64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite, byte().map(FormatName.isPart) != true else {
      throw badNumber(at: start)
    }
    return .real(value)
  }

  private var radix: Int? {
    guard byte() == UInt8(ascii: "0"), let letter = byte(1) else { return nil }
    return switch letter | 0x20 {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  private func badNumber(at offset: Int) -> FormatError {
    error(
      at: offset,
      "This is no number, or one that is too great.",
      recovery: "Write digits, as in 12, 1.5, 1e-3, 0x1F or 0o17."
    )
  }

  /// Reads text in quotation marks, with the escapes of C.
  mutating func quoted(_ mark: UInt8) throws(FormatError) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = byte() {
      position += 1
      if byte == mark { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        text += try escaped().utf8
      } else {
        text.append(byte)
      }
    }
    throw error(
      at: start,
      "The string that begins here does not end.",
      recovery: "Close it with the quotation mark that opens it."
    )
  }

  private mutating func escaped() throws(FormatError) -> String {
    let start = position - 1
    defer { position += 1 }
    switch byte() {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0c}"
    case UInt8(ascii: "v"): return "\u{0b}"
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "'"): return "'"
    case UInt8(ascii: "x"): return try scalar(digits: 2, from: start)
    case UInt8(ascii: "u"): return try scalar(digits: 4, from: start)
    case UInt8(ascii: "U"): return try scalar(digits: 8, from: start)
    default: throw badEscape(at: start)
    }
  }

  /// Reads the scalar of so many hexadecimal digits; the lexer's position then is their last digit.
  private mutating func scalar(digits: Int, from start: Int) throws(FormatError) -> String {
    var value = try code(digits: digits, from: start)
    if (0xd800...0xdbff).contains(value), byte(1) == UInt8(ascii: "\\"),
      byte(2) == UInt8(ascii: "u")
    {
      position += 2
      let low = try code(digits: 4, from: start)
      guard (0xdc00...0xdfff).contains(low) else { throw badEscape(at: start) }
      value = 0x10000 + (value - 0xd800) << 10 + (low - 0xdc00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw badEscape(at: start) }
    return String(scalar)
  }

  private mutating func code(digits: Int, from start: Int) throws(FormatError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      position += 1
      guard let byte = byte(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
        value < 1 << 28
      else { throw badEscape(at: start) }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private func badEscape(at offset: Int) -> FormatError {
    error(
      at: offset,
      "This escape in a string is not known.",
      recovery: "Write \\\\ for a backslash; \\n, \\t, \\r, \\\", \\' and \\u0041 are known too."
    )
  }
}
