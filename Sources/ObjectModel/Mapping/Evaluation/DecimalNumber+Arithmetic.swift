import PropertyLists

// Arithmetic as `NSDecimalNumber` has it by default: results have up to 38 digits, further ones are rounded,
// halves away from zero, and there are no exponents beyond -128 and 127.
extension DecimalNumber {
  /// The number of digits that a result keeps.
  private static let precision = 38

  static let zero = DecimalNumber(isNegative: false, mantissa: 0, exponent: 0)
  private static let one = DecimalNumber(isNegative: false, mantissa: 1, exponent: 0)

  /// A whole number.
  init(_ number: Int64) {
    self =
      Self.rounded(number < 0, WideNumber(UInt128(number.magnitude)), exponent: 0) ?? .zero
  }

  /// Creates the number that a double means; nil where no decimal number is as great or as small.
  ///
  /// A whole number of 64 bits is itself; any other has the shortest digits that mean the double. So `0.1` is
  /// the decimal 0.1, although no double is.
  init?(_ number: Double) {
    if let whole = Int64(exactly: number) {
      self.init(whole)
    } else {
      guard number.isFinite else { return nil }
      self.init(rounding: "\(number)")
    }
  }

  /// Creates the number that text of any length spells, rounded to 38 digits; nil for other text, and for
  /// numbers that are too great or too small.
  init?(rounding text: some StringProtocol) {
    var rest = Array(text.utf8)[...]
    let sign = rest.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest.removeFirst() }
    var digits: [UInt8] = []
    var (hasDigits, isFraction, scale) = (false, false, 0)
    while let byte = rest.first, byte | 0x20 != UInt8(ascii: "e") {
      rest.removeFirst()
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
        continue
      }
      guard (0x30...0x39).contains(byte) else { return nil }
      hasDigits = true
      if isFraction { scale += 1 }
      if byte > 0x30 || !digits.isEmpty { digits.append(byte & 0x0f) }
    }
    guard hasDigits else { return nil }
    var exponent = 0
    if !rest.isEmpty {
      let power = String(decoding: rest.dropFirst(), as: UTF8.self)
      guard let power = Int32(power) else { return nil }
      exponent = Int(power)
    }
    exponent -= scale
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    // One digit more than are kept decides how the last one is rounded.
    let kept = digits.prefix(Self.precision + 1)
    exponent += digits.count - kept.count
    guard kept.isEmpty || exponent + max(0, kept.count - Self.precision) >= -128 else { return nil }
    let mantissa = kept.prefix(Self.precision).reduce(0 as UInt128) { $0 * 10 + UInt128($1) }
    var wide = WideNumber(mantissa)
    if kept.count > Self.precision {
      wide = wide.scaled(1) + WideNumber(UInt128(kept.last ?? 0))
    }
    guard let number = Self.rounded(sign == UInt8(ascii: "-"), wide, exponent: exponent) else {
      return nil
    }
    self = number
  }

  /// Returns the number with these digits in its shortest form, rounded to 38 digits and to the least
  /// exponent; nil where it is too great.
  private static func rounded(
    _ isNegative: Bool,
    _ digits: WideNumber,
    exponent: Int
  ) -> DecimalNumber? {
    let count = digits.digitCount
    let dropped = max(count - precision, -128 - exponent, 0)
    guard dropped <= count else { return .zero }
    var wide = digits
    if dropped > 0 {
      wide = (digits.shortened(dropped - 1) + WideNumber(5)).shortened(1)
    }
    var (mantissa, exponent) = (wide.low, exponent + dropped)
    guard mantissa > 0 else { return .zero }
    while exponent > 127 {
      guard mantissa < WideNumber.powers[precision - 1] else { return nil }
      mantissa *= 10
      exponent -= 1
    }
    while exponent < 127, mantissa.isMultiple(of: 10) {
      mantissa /= 10
      exponent += 1
    }
    guard let exponent = Int8(exactly: exponent) else { return nil }
    return DecimalNumber(isNegative: isNegative, mantissa: mantissa, exponent: exponent)
  }
}

extension DecimalNumber {
  /// The nearest double.
  var double: Double { Double("\(isNegative ? "-" : "")\(mantissa)e\(exponent)") ?? 0 }

  /// The number as a whole one of 64 bits, where it is one.
  var whole: Int64? {
    guard mantissa > 0 else { return 0 }
    guard (0...18).contains(exponent) else { return nil }
    let (number, overflow) = mantissa.multipliedReportingOverflow(
      by: WideNumber.powers[Int(exponent)]
    )
    guard !overflow, let number = Int128(exactly: number) else { return nil }
    return Int64(exactly: isNegative ? -number : number)
  }

  /// The number without its fraction, bounded by 64 bits.
  var clampedWhole: Int64 { rounded(.towardZero).whole ?? (isNegative ? .min : .max) }

  /// Whether the number has no fraction.
  var isWhole: Bool { exponent >= 0 || rounded(.towardZero) == self }

  var magnitude: DecimalNumber {
    DecimalNumber(isNegative: false, mantissa: mantissa, exponent: exponent)
  }

  private var negated: DecimalNumber {
    DecimalNumber(isNegative: !isNegative && mantissa > 0, mantissa: mantissa, exponent: exponent)
  }

  /// Returns the sum; nil where it is too great.
  func adding(_ other: DecimalNumber) -> DecimalNumber? {
    if mantissa == 0 { return other }
    if other.mantissa == 0 { return self }
    guard exponent >= other.exponent else { return other.adding(self) }
    let gap = Int(exponent) - Int(other.exponent)
    let wide = WideNumber(mantissa)
    let shift = min(gap, 2 * Self.precision - wide.digitCount)
    let great = wide.scaled(shift)
    // Digits behind the last one of the other number count only where it is subtracted.
    var small = WideNumber(other.mantissa).shortened(gap - shift)
    let isCut = gap > shift && small.scaled(min(gap - shift, 38)) != WideNumber(other.mantissa)
    let least = Int(exponent) - shift
    guard isNegative != other.isNegative else {
      return Self.rounded(isNegative, great + small, exponent: least)
    }
    if isCut { small = small + WideNumber(1) }
    return great < small
      ? Self.rounded(other.isNegative, small - great, exponent: least)
      : Self.rounded(isNegative, great - small, exponent: least)
  }

  /// Returns the difference; nil where it is too great.
  func subtracting(_ other: DecimalNumber) -> DecimalNumber? { adding(other.negated) }

  /// Returns the product; nil where it is too great.
  func multiplied(by other: DecimalNumber) -> DecimalNumber? {
    Self.rounded(
      isNegative != other.isNegative,
      WideNumber(mantissa, times: other.mantissa),
      exponent: Int(exponent) + Int(other.exponent)
    )
  }

  /// Returns the quotient; nil where it is too great, or the divisor is zero.
  func divided(by other: DecimalNumber) -> DecimalNumber? {
    guard other.mantissa > 0 else { return nil }
    let wide = WideNumber(mantissa)
    let shift = 2 * Self.precision - wide.digitCount
    var (quotient, remainder) = wide.scaled(shift).divided(by: other.mantissa)
    var least = Int(exponent) - Int(other.exponent) - shift
    if quotient.digitCount <= Self.precision {
      // One digit more decides how the last one is rounded.
      let next = WideNumber(remainder, times: 10).divided(by: other.mantissa).quotient
      quotient = quotient.scaled(1) + next
      least -= 1
    }
    return Self.rounded(isNegative != other.isNegative, quotient, exponent: least)
  }

  /// Returns the remainder of a division toward zero, which is exact; nil where the divisor is zero.
  func remainder(dividingBy other: DecimalNumber) -> DecimalNumber? {
    guard other.mantissa > 0 else { return nil }
    var gap = Int(exponent) - Int(other.exponent)
    guard gap >= 0 else {
      let divisor = WideNumber(other.mantissa).scaled(min(-gap, 38))
      guard gap >= -38, divisor.high == 0 else { return self }
      return Self.rounded(isNegative, WideNumber(mantissa % divisor.low), exponent: Int(exponent))
    }
    var rest = mantissa % other.mantissa
    while gap > 0 {
      rest =
        WideNumber(rest, times: WideNumber.powers[min(gap, 38)])
        .divided(by: other.mantissa).remainder
      gap -= min(gap, 38)
    }
    return Self.rounded(isNegative, WideNumber(rest), exponent: Int(other.exponent))
  }

  /// Returns a whole power, each product of it rounded; nil where it is too great.
  func raised(to power: Int64) -> DecimalNumber? {
    guard power >= 0 else {
      return raised(to: -max(power, -.max)).flatMap { DecimalNumber.one.divided(by: $0) }
    }
    var result = DecimalNumber.one
    var (factor, rest) = (self, power)
    while true {
      if !rest.isMultiple(of: 2) {
        guard let product = result.multiplied(by: factor) else { return nil }
        result = product
      }
      rest /= 2
      guard rest > 0 else { return result }
      guard let square = factor.multiplied(by: factor) else { return nil }
      factor = square
    }
  }

  /// Returns the whole number that a rule, one of `up`, `down` and `towardZero`, makes of the number.
  func rounded(_ rule: FloatingPointRoundingRule) -> DecimalNumber {
    guard exponent < 0, mantissa > 0 else { return self }
    let whole = WideNumber(mantissa).shortened(-Int(exponent)).low
    let isAway = rule == .up && !isNegative || rule == .down && isNegative
    // A number without a fraction has no exponent below zero in its shortest form.
    return Self.rounded(isNegative, WideNumber(isAway ? whole + 1 : whole), exponent: 0) ?? self
  }

  /// Returns the order of two numbers.
  static func order(_ left: DecimalNumber, _ right: DecimalNumber) -> ValueOrder {
    guard left.mantissa > 0, right.mantissa > 0, left.isNegative == right.isNegative else {
      return ValueOrder(left.sign, right.sign)
    }
    let (one, other) = (WideNumber(left.mantissa), WideNumber(right.mantissa))
    let gap = Int(left.exponent) - Int(right.exponent)
    let sizes = (one.digitCount + gap, other.digitCount)
    let order =
      sizes.0 != sizes.1
      ? ValueOrder(sizes.0, sizes.1)
      : ValueOrder(one.scaled(max(gap, 0)), other.scaled(max(-gap, 0)))
    return left.isNegative ? order.reversed : order
  }

  /// -1, 0 or 1.
  private var sign: Int { mantissa == 0 ? 0 : isNegative ? -1 : 1 }
}
