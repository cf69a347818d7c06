/// A decimal number as `NSDecimalNumber` holds it: up to 38 digits and an exponent of ten.
package struct DecimalNumber: Hashable, Sendable {
  /// Whether the number is below zero.
  package let isNegative: Bool
  /// The digits as one whole number.
  package let mantissa: UInt128
  /// The power of ten that multiplies the digits: -128 to 127.
  package let exponent: Int8

  /// The number with these parts.
  package init(isNegative: Bool, mantissa: UInt128, exponent: Int8) {
    self.isNegative = isNegative
    self.mantissa = mantissa
    self.exponent = exponent
  }

  /// The number that plain decimal text such as "-12.50" or "1e3" spells; nil for other text and for
  /// numbers that do not fit.
  package init?(_ text: some StringProtocol) {
    var mantissa: UInt128 = 0
    var scale = 0
    var hasDigits = false
    var rest = Array(text.utf8)[...]
    let sign = rest.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    var isFraction = false
    while let character = rest.first, character | 0x20 != UInt8(ascii: "e") {
      rest.removeFirst()
      if character == UInt8(ascii: "."), !isFraction {
        isFraction = true
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character) else { return nil }
      let (tens, overflow) = mantissa.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt128(character & 0x0f))
      guard !overflow, !carry else { return nil }
      mantissa = sum
      hasDigits = true
      if isFraction { scale += 1 }
    }
    var exponent = 0
    if !rest.isEmpty {
      guard let number = Int16(String(decoding: rest.dropFirst(), as: UTF8.self)) else {
        return nil
      }
      exponent = Int(number)
    }
    guard hasDigits, let exponent = Int8(exactly: exponent - scale) else { return nil }
    self.init(isNegative: sign == UInt8(ascii: "-"), mantissa: mantissa, exponent: exponent)
  }
}

extension DecimalNumber: CustomStringConvertible {
  /// The number in plain decimal digits, with as many after the point as the exponent requires.
  package var description: String {
    let digits = String(mantissa)
    let sign = isNegative && mantissa != 0 ? "-" : ""
    guard exponent < 0 else {
      return mantissa == 0 ? "0" : sign + digits + String(repeating: "0", count: Int(exponent))
    }
    let scale = -Int(exponent)
    let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
    return "\(sign)\(padded.dropLast(scale)).\(padded.suffix(scale))"
  }
}

extension DecimalNumber {
  /// The number that an archived `NSDecimalNumber` holds, nil where its parts contradict each other.
  ///
  /// `NS.mantissa` is 16 bytes in 16-bit words, each in the byte order `NS.mantissa.bo` (1: little
  /// endian, 2: big endian, as `CFByteOrder`); `NS.length` words of them count.
  init?(_ object: ArchivedObject) {
    guard let data = object["NS.mantissa"]?.data, data.count == 16,
      let exponent = (object["NS.exponent"]?.integer ?? 0) as Int64?,
      let exponent = Int8(exactly: exponent),
      let length = object["NS.length"]?.integer ?? 0 as Int64?, (0...8).contains(length)
    else { return nil }
    let isBigEndian = object["NS.mantissa.bo"]?.integer == 2
    let isNegative = object["NS.negative"]?.boolean ?? false
    // Foundation marks not-a-number as a negative number without words.
    guard length > 0 || !isNegative else { return nil }
    var mantissa: UInt128 = 0
    for word in (0..<Int(length)).reversed() {
      let (first, second) = (UInt128(data[2 * word]), UInt128(data[2 * word + 1]))
      mantissa = mantissa << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
    }
    self.init(isNegative: isNegative, mantissa: mantissa, exponent: exponent)
  }
}
