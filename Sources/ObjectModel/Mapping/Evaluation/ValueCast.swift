/// `CAST(value, "type")`, and the conversions that numbers and text have methods for.
enum ValueCast {
  /// The value as one of a class; nil for nil.
  ///
  /// - Throws: ``EvaluationError`` for other classes and for values that they cannot be made of.
  static func cast(_ value: ExpressionValue, to type: ExpressionValue) throws -> ExpressionValue {
    guard case .scalar(.string(let name)) = type else {
      throw EvaluationError.wrongKind("CAST to a type", type)
    }
    // A name that is none of a type may be a text of the data.
    let deed = types.contains(name) ? "CAST to \(name)" : "CAST to a type that is not known"
    guard case .scalar(let scalar) = value else {
      if case .nothing = value { return .nothing }
      throw EvaluationError.wrongKind(deed, value)
    }
    switch (name, scalar) {
    case ("NSString", .string), ("NSNumber", .integer), ("NSNumber", .real),
      ("NSNumber", .decimal), ("NSNumber", .boolean), ("NSDecimalNumber", .decimal),
      ("NSDate", .date), ("NSData", .binary), ("NSUUID", .uuid), ("NSURL", .uri):
      return value
    case ("NSString", .uri(let text)): return .scalar(.string(text))
    case ("NSString", _): if let text = string(scalar) { return .scalar(.string(text)) }
    case ("NSNumber", .string(let text)): return number(text)
    case ("NSNumber", .date(let seconds)): return .real(seconds)
    case ("NSDecimalNumber", .string(let text)): return decimal(number(text))
    case ("NSDecimalNumber", .integer), ("NSDecimalNumber", .real), ("NSDecimalNumber", .boolean):
      return decimal(value)
    case ("NSDate", _): if let seconds = Number(scalar) { return .scalar(.date(seconds.real)) }
    case ("NSURL", .string(let text)): return .scalar(.uri(text))
    default: break
    }
    throw EvaluationError.wrongKind(deed, value)
  }

  private static let types: Set<String> = [
    "NSString", "NSNumber", "NSDecimalNumber", "NSDate", "NSData", "NSUUID", "NSURL",
  ]

  /// The text of a number, as `stringValue` gives it: whole doubles without a point.
  static func string(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): return String(number)
    case .boolean(let flag): return flag ? "1" : "0"
    case .decimal(let digits): return digits
    case .real(let number):
      let text = "\(number)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .string, .date, .binary, .uuid, .uri: return nil
    }
  }

  /// The number that text is as a whole, white space around it aside; nil where it is none.
  private static func number(_ text: String) -> ExpressionValue {
    let text = trimmed(text)
    if let whole = Int64(text) { return .scalar(.integer(whole)) }
    guard leadingNumber(text).length == text.utf8.count, let number = Double(text) else {
      return .nothing
    }
    return .real(number)
  }

  /// Whether text that is a number as a whole is read as another one: no double is as great, as small or
  /// has as many digits.
  static func isRounded(_ text: String) -> Bool {
    guard case .scalar(.real(let number)) = number(text) else { return false }
    return !number.isFinite || DecimalText.digits(of: "\(number)") != DecimalText.digits(of: text)
  }

  private static func decimal(_ value: ExpressionValue) -> ExpressionValue {
    guard case .scalar(let scalar) = value else { return .nothing }
    if case .real(let number) = scalar {
      return number.isFinite ? .scalar(.decimal(DecimalText.plain(number))) : .nothing
    }
    return string(scalar).map { .scalar(.decimal($0)) } ?? .nothing
  }

  /// The number that text begins with, as `doubleValue` gives it: 0 where it begins with none.
  static func double(_ text: String) -> Double {
    let text = String(text.drop(while: \.isWhitespace))
    return Double(String(decoding: text.utf8.prefix(leadingNumber(text).length), as: UTF8.self))
      ?? 0
  }

  /// The whole number that text begins with, as `longLongValue` gives it: bounded, and 0 where it
  /// begins with none.
  static func integer(_ text: String) -> Int64 {
    var bytes = Array(text.drop(while: \.isWhitespace).utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative || bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
    var value: Int64 = 0
    for byte in bytes {
      guard (0x30...0x39).contains(byte) else { break }
      let digit = Int64(byte - 0x30)
      let (tens, isTooGreat) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tens.addingReportingOverflow(isNegative ? -digit : digit)
      if isTooGreat || overflow { return isNegative ? .min : .max }
      value = sum
    }
    return value
  }

  /// The text without white space at its ends.
  static func trimmed(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[first...last])
    return String(view)
  }

  /// How many bytes of text are a decimal number: sign, digits, fraction and exponent.
  private static func leadingNumber(_ text: String) -> (length: Int, digits: Int) {
    let bytes = Array(text.utf8)
    var end = 0
    var digits = 0
    func skipDigits() -> Int {
      let start = end
      while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 }
      return end - start
    }
    if end < bytes.count, bytes[end] == 0x2b || bytes[end] == 0x2d { end += 1 }
    digits = skipDigits()
    if end < bytes.count, bytes[end] == 0x2e {
      end += 1
      digits += skipDigits()
    }
    guard digits > 0 else { return (0, 0) }
    let mantissa = end
    if end < bytes.count, bytes[end] | 0x20 == 0x65 {
      end += 1
      if end < bytes.count, bytes[end] == 0x2b || bytes[end] == 0x2d { end += 1 }
      if skipDigits() == 0 { end = mantissa }
    }
    return (end, digits)
  }
}
