import PropertyLists

/// A number that expressions compute with.
enum Number {
  case integer(Int64)
  case real(Double)
  case decimal(DecimalNumber)

  /// The number that a value is; nil for other kinds, and for decimals that are no numbers.
  ///
  /// A decimal that is too great or too small for `NSDecimalNumber`, as a store may have it, is a double.
  init?(_ value: AttributeValue) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .boolean(let flag): self = .integer(flag ? 1 : 0)
    case .real(let number): self = .real(number)
    case .decimal(let digits):
      if let number = DecimalNumber(rounding: digits) {
        self = .decimal(number)
      } else {
        guard let number = Double(digits) else { return nil }
        self = .real(number)
      }
    case .string, .date, .binary, .uuid, .uri: return nil
    }
  }

  /// The nearest double.
  var real: Double {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .decimal(let number): number.double
    }
  }

  /// The decimal number; nil for doubles that are too great or too small to be one.
  var decimal: DecimalNumber? {
    switch self {
    case .integer(let number): DecimalNumber(number)
    case .real(let number): DecimalNumber(number)
    case .decimal(let number): number
    }
  }

  /// Whether it is a decimal number.
  var isDecimal: Bool { if case .decimal = self { true } else { false } }

  /// The value that the number is.
  var value: ExpressionValue {
    switch self {
    case .integer(let number): .scalar(.integer(number))
    case .real(let number): .real(number)
    case .decimal(let number): .scalar(.decimal(number.description))
    }
  }

  /// The number without its fraction, bounded by 64 bits.
  var clampedWhole: Int64 {
    switch self {
    case .integer(let number): number
    case .real(let number):
      Int64(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    case .decimal(let number): number.clampedWhole
    }
  }

  /// Returns the number as one of a sum, divided by how many it has.
  ///
  /// The mean of whole numbers is a double, unless they come to more than a double counts.
  func divided(by count: Int) -> ExpressionValue {
    switch self {
    case .integer(let number) where number.magnitude <= 1 << 53: .real(real / Double(count))
    case .real(let number): .real(number / Double(count))
    case .integer, .decimal:
      decimal?.divided(by: DecimalNumber(Int64(count))).map { Number.decimal($0).value } ?? .nothing
    }
  }

  /// Returns the exact order of two numbers; nil where one is not a number.
  static func order(_ left: Number, _ right: Number) -> ValueOrder? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return ValueOrder(left, right)
    case (.real(let left), .real(let right)):
      return left.isNaN || right.isNaN ? nil : ValueOrder(left, right)
    case (.integer(let left), .real(let right)): return order(left, right)
    case (.real(let left), .integer(let right)): return order(right, left).map(\.reversed)
    case (.decimal(let left), .real(let right)): return order(left, right)
    case (.real(let left), .decimal(let right)): return order(right, left).map(\.reversed)
    case (.decimal(let left), .decimal(let right)): return DecimalNumber.order(left, right)
    case (.decimal(let left), .integer(let right)):
      return DecimalNumber.order(left, DecimalNumber(right))
    case (.integer(let left), .decimal(let right)):
      return DecimalNumber.order(DecimalNumber(left), right)
    }
  }

  private static func order(_ left: Int64, _ right: Double) -> ValueOrder? {
    guard !right.isNaN else { return nil }
    guard let whole = Int64(exactly: right.rounded(.towardZero)) else {
      return right > 0 ? .ascending : .descending
    }
    return left == whole ? ValueOrder(Double(whole), right) : ValueOrder(left, whole)
  }

  private static func order(_ left: DecimalNumber, _ right: Double) -> ValueOrder? {
    if let right = DecimalNumber(right) { return DecimalNumber.order(left, right) }
    guard !right.isNaN else { return nil }
    // Greater than all decimal numbers, or nearer to zero than each that is not zero.
    return right.magnitude > 1 || left.mantissa == 0
      ? ValueOrder(0, right) : left.isNegative ? .ascending : .descending
  }
}
