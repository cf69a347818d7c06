/// Decimal numbers as text in plain notation, as ``AttributeValue/decimal(_:)`` has them.
package enum DecimalText {
  /// The shortest digits that mean the number, without an exponent.
  package static func plain(_ number: Double) -> String {
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
