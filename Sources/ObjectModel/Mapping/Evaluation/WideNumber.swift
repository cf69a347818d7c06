/// A whole number of 256 bits, which holds each product of two numbers of 38 digits.
struct WideNumber: Hashable, Comparable {
  private(set) var high: UInt128
  private(set) var low: UInt128

  /// The powers of ten that 128 bits hold, from 10⁰ to 10³⁸.
  static let powers: [UInt128] = (0..<38).reduce(into: [1]) { powers, index in
    powers.append(powers[index] * 10)
  }

  init(_ low: UInt128, high: UInt128 = 0) {
    (self.high, self.low) = (high, low)
  }

  /// The product of two numbers of 128 bits.
  init(_ left: UInt128, times right: UInt128) {
    (high, low) = left.multipliedFullWidth(by: right)
  }

  static func < (left: WideNumber, right: WideNumber) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  static func + (left: WideNumber, right: WideNumber) -> WideNumber {
    let (low, carry) = left.low.addingReportingOverflow(right.low)
    return WideNumber(low, high: left.high &+ right.high &+ (carry ? 1 : 0))
  }

  static func - (left: WideNumber, right: WideNumber) -> WideNumber {
    let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
    return WideNumber(low, high: left.high &- right.high &- (borrow ? 1 : 0))
  }

  /// Returns the number times ten to a power of up to 76, which 256 bits must hold.
  func scaled(_ power: Int) -> WideNumber {
    var (result, rest) = (self, power)
    while rest > 0 {
      let factor = Self.powers[min(rest, 38)]
      let product = result.low.multipliedFullWidth(by: factor)
      result = WideNumber(product.low, high: product.high &+ result.high &* factor)
      rest -= min(rest, 38)
    }
    return result
  }

  /// Returns the whole quotient of a division by a number that is not zero, and the remainder.
  func divided(by divisor: UInt128) -> (quotient: WideNumber, remainder: UInt128) {
    let (first, rest) = high.quotientAndRemainder(dividingBy: divisor)
    guard rest > 0 else {
      let (second, remainder) = low.quotientAndRemainder(dividingBy: divisor)
      return (WideNumber(second, high: first), remainder)
    }
    let (second, remainder) = divisor.dividingFullWidth((rest, low))
    return (WideNumber(second, high: first), remainder)
  }

  /// Returns the number divided by a power of ten, without what is behind the point.
  func shortened(_ count: Int) -> WideNumber {
    var (result, rest) = (self, count)
    while rest > 0 {
      result = result.divided(by: Self.powers[min(rest, 38)]).quotient
      rest -= min(rest, 38)
    }
    return result
  }

  /// The number of decimal digits; 0 for zero.
  var digitCount: Int {
    if high > 0 { return 38 + shortened(38).digitCount }
    return Self.powers.firstIndex { $0 > low } ?? 39
  }
}
