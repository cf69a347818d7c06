import PropertyLists

/// The form of decimal numbers as text in plain notation, as ``AttributeValue/decimal(_:)`` has them.
package enum DecimalText {
  /// The text of `NSDecimalNumber.notANumber`, which Core Data writes into a column of decimal numbers.
  package static let notANumber = "NaN"

  /// The significant part of a number: the digits between its first and its last that is not zero, and the
  /// power of ten of the last.
  struct Digits: Hashable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0
  }

  /// Returns the digits of a number in decimal notation, with an exponent or without.
  static func digits(of text: String) -> Digits {
    var result = Digits()
    var isFraction = false
    var rest = ValueCast.trimmed(text).utf8[...]
    while let byte = rest.first {
      rest.removeFirst()
      switch byte {
      case UInt8(ascii: "-"): result.isNegative = true
      case UInt8(ascii: "."): isFraction = true
      case 0x30...0x39:
        result.digits.append(byte)
        if isFraction { result.exponent -= 1 }
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        let power = Int(String(decoding: rest.drop { $0 == UInt8(ascii: "+") }, as: UTF8.self))
        // No exponent that is greater than every number is that of a double.
        result.exponent = result.exponent.addingReportingOverflow(power ?? .max / 2).partialValue
        rest = rest[rest.endIndex...]
      default: break
      }
    }
    while result.digits.last == 0x30 {
      result.digits.removeLast()
      result.exponent += 1
    }
    result.digits = Array(result.digits.drop { $0 == 0x30 })
    return result.digits.isEmpty ? Digits() : result
  }

  /// Returns the number that a column has for the digits of a decimal number, and whether it is that
  /// very number; nil where they are none, as ``notANumber``.
  ///
  /// SQLite keeps a whole number as an integer where 64 bits hold it, and any other as the nearest double.
  package static func stored(_ digits: String) -> (value: AttributeValue, isExact: Bool)? {
    guard let number = DecimalNumber(rounding: digits) else {
      return Double(digits).flatMap { $0.isNaN ? nil : (.real($0), true) }
    }
    if let whole = number.whole { return (.integer(whole), true) }
    let real = number.double
    return (.real(real), DecimalNumber(real) == number)
  }

  /// Returns whether digits spell a number without a fraction.
  package static func isWhole(_ digits: String) -> Bool {
    DecimalNumber(rounding: digits)?.isWhole == true
  }

  /// Returns the digits without zeros at their ends; those of a number that is too great or too small
  /// as they are.
  static func canonical(_ digits: String) -> String {
    DecimalNumber(rounding: digits)?.description ?? digits
  }

  /// Returns the digits of the number, without an exponent: all of a 64-bit integer, else the shortest.
  package static func plain(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return String(whole) }
    let text = "\(number)"
    let parts = text.split(separator: "e", maxSplits: 1)
    guard parts.count == 2, let exponent = Int(parts[1]) else {
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let isNegative = parts[0].hasPrefix("-")
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
    let whole = mantissa.first.map(String.init) ?? "0"
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
    let digits = whole + fraction
    let point = whole.count + exponent
    let plain: String
    if point <= 0 {
      plain = "0." + String(repeating: "0", count: -point) + digits
    } else if point >= digits.count {
      plain = digits + String(repeating: "0", count: point - digits.count)
    } else {
      plain = "\(digits.prefix(point)).\(digits.dropFirst(point))"
    }
    return (isNegative ? "-" : "") + plain
  }
}
