import PropertyLists

/// The evaluation of `CAST(value, "type")`, and the conversions that numbers and text have methods for.
enum ValueCast {
  /// Returns the value as one of a class; nil for nil.
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
    case ("NSDecimalNumber", .string(let text)):
      let number = number(text)
      // A double has fewer digits than the text may have.
      guard case .scalar(.real) = number, let digits = DecimalNumber(rounding: trimmed(text)) else {
        return decimal(number)
      }
      return .scalar(.decimal(digits.description))
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

  /// Returns the text of a number, as `stringValue` gives it: whole doubles without a point.
  static func string(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): return String(number)
    case .boolean(let flag): return flag ? "1" : "0"
    case .decimal(let digits): return DecimalText.canonical(digits)
    case .real(let number):
      let text = "\(number)"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .string, .date, .binary, .uuid, .uri: return nil
    }
  }

  /// Returns the number that text is as a whole, white space around it aside: a whole one, a double, or
  /// a decimal number where no double is the same; nil where the text is none.
  private static func number(_ text: String) -> ExpressionValue {
    let text = trimmed(text)
    guard let number = double(spelledBy: text) else {
      return Int64(text).map { .scalar(.integer($0)) } ?? .nothing
    }
    if differs(number, from: text), let digits = DecimalNumber(rounding: text) {
      return .scalar(.decimal(digits.description))
    }
    return .real(number)
  }

  /// Returns the double that is nearest to a number that text is as a whole; nil where 64 bits hold the
  /// number, or there is none.
  private static func double(spelledBy text: String) -> Double? {
    guard Int64(text) == nil, leadingNumber(text).length == text.utf8.count else { return nil }
    return Double(text)
  }

  private static func differs(_ number: Double, from text: String) -> Bool {
    !number.isFinite || DecimalText.digits(of: "\(number)") != DecimalText.digits(of: text)
  }

  /// Returns whether text that is a number as a whole is stored as another one: it is no whole number of 64
  /// bits, and no double is as great, as small or has as many digits.
  static func isRounded(_ text: String) -> Bool {
    let text = trimmed(text)
    guard let number = double(spelledBy: text), differs(number, from: text) else { return false }
    // A whole number is one of 64 bits also where it is written with a point.
    return DecimalNumber(rounding: text)?.whole.map(String.init).map(DecimalText.digits)
      != DecimalText.digits(of: text)
  }

  private static func decimal(_ value: ExpressionValue) -> ExpressionValue {
    guard case .scalar(let scalar) = value else { return .nothing }
    if case .real(let number) = scalar {
      return number.isFinite ? .scalar(.decimal(DecimalText.plain(number))) : .nothing
    }
    return string(scalar).map { .scalar(.decimal($0)) } ?? .nothing
  }

  /// Returns the number that text begins with, as `doubleValue` gives it: 0 where it begins with none.
  static func double(_ text: String) -> Double {
    let text = String(text.drop(while: \.isWhitespace))
    return Double(String(decoding: text.utf8.prefix(leadingNumber(text).length), as: UTF8.self))
      ?? 0
  }

  /// Returns the whole number that text begins with, as `longLongValue` gives it: bounded, and 0 where
  /// it begins with none.
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

  /// Returns the text without white space at its ends.
  static func trimmed(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[first...last])
    return String(view)
  }

  /// Returns the length of the decimal number (sign, digits, fraction and exponent) that begins a text, in
  /// bytes, and its number of digits before the exponent.
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
