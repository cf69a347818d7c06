import PropertyLists

// Powers and logarithms are the C library's.
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The functions of numbers.
enum Arithmetic {
  /// Returns the result of a function of two numbers; nil where one is nil.
  static func call(
    _ selector: String,
    _ left: ExpressionValue,
    _ right: ExpressionValue
  ) throws -> ExpressionValue {
    guard let left = try number(left, selector), let right = try number(right, selector) else {
      return .nothing
    }
    if case (.integer(let left), .integer(let right)) = (left, right),
      let result = try whole(selector, left, right)
    {
      return result
    }
    if selector == "raise:toPower:" { return power(left, right) }
    if let result = decimal(selector, left, right) { return result }
    switch selector {
    case "add:to:": return .real(left.real + right.real)
    case "from:subtract:": return .real(left.real - right.real)
    case "multiply:by:": return .real(left.real * right.real)
    case "divide:by:": return right.real == 0 ? .nothing : .real(left.real / right.real)
    case "modulus:by:":
      return right.real == 0
        ? .nothing : .real(left.real.truncatingRemainder(dividingBy: right.real))
    default: throw EvaluationError.wrongKind(selector, .scalar(.real(0)))
    }
  }

  /// Returns the result for decimal numbers, and for whole ones that overflowed, which is nil (the
  /// value) where there is no such number; nil where it is a double's.
  private static func decimal(
    _ selector: String,
    _ left: Number,
    _ right: Number
  ) -> ExpressionValue? {
    if case .real = left, !right.isDecimal { return nil }
    if case .real = right, !left.isDecimal { return nil }
    // A double that is too great for a decimal number has no sum or product with one.
    guard let left = left.decimal, let right = right.decimal else { return .nothing }
    let result: DecimalNumber?
    switch selector {
    case "add:to:": result = left.adding(right)
    case "from:subtract:": result = left.subtracting(right)
    case "multiply:by:": result = left.multiplied(by: right)
    case "divide:by:": result = left.divided(by: right)
    case "modulus:by:": result = left.remainder(dividingBy: right)
    default: return nil
    }
    return result.map { Number.decimal($0).value } ?? .nothing
  }

  /// Returns a power, which is a double where its exponent has a fraction, a number is a double, or whole
  /// numbers have one that a double counts.
  private static func power(_ left: Number, _ right: Number) -> ExpressionValue {
    let real = pow(left.real, right.real)
    if case (.integer, .integer) = (left, right) {
      guard real.magnitude >= 0x1p53, let power = right.decimal?.whole else { return .real(real) }
      return left.decimal?.raised(to: power).map { Number.decimal($0).value } ?? .real(real)
    }
    guard left.isDecimal || right.isDecimal, let base = left.decimal,
      let power = right.decimal?.whole
    else { return .real(real) }
    return base.raised(to: power).map { Number.decimal($0).value } ?? .nothing
  }

  /// Returns the result for whole numbers; nil where 64 bits do not hold it.
  private static func whole(
    _ selector: String,
    _ left: Int64,
    _ right: Int64
  ) throws -> ExpressionValue? {
    let result: (partialValue: Int64, overflow: Bool)
    switch selector {
    case "add:to:": result = left.addingReportingOverflow(right)
    case "from:subtract:": result = left.subtractingReportingOverflow(right)
    case "multiply:by:": result = left.multipliedReportingOverflow(by: right)
    case "divide:by:":
      if right == 0 { return .nothing }
      result = left.dividedReportingOverflow(by: right)
    case "modulus:by:":
      if right == 0 { return .nothing }
      return .scalar(.integer(left.remainderReportingOverflow(dividingBy: right).partialValue))
    case "bitwiseAnd:with:": return .scalar(.integer(left & right))
    case "bitwiseOr:with:": return .scalar(.integer(left | right))
    case "bitwiseXor:with:": return .scalar(.integer(left ^ right))
    case "leftshift:by:": return .scalar(.integer(left << right))
    case "rightshift:by:": return .scalar(.integer(left >> right))
    default: return nil
    }
    return result.overflow ? nil : .scalar(.integer(result.partialValue))
  }

  /// Returns the result of a function of one number; nil for nil.
  static func call(_ selector: String, _ argument: ExpressionValue) throws -> ExpressionValue {
    guard let number = try number(argument, selector) else { return .nothing }
    switch (selector, number) {
    case ("abs:", .integer(let value)) where value != .min:
      return .scalar(.integer(Swift.abs(value)))
    case ("ceiling:", .integer(let value)), ("floor:", .integer(let value)),
      ("trunc:", .integer(let value)):
      return .scalar(.integer(value))
    case ("onesComplement:", .integer(let value)): return .scalar(.integer(~value))
    case ("abs:", .integer(let value)): return Number.decimal(DecimalNumber(value).magnitude).value
    case ("abs:", .decimal(let value)): return Number.decimal(value.magnitude).value
    case ("ceiling:", .decimal(let value)): return Number.decimal(value.rounded(.up)).value
    case ("floor:", .decimal(let value)): return Number.decimal(value.rounded(.down)).value
    case ("trunc:", .decimal(let value)): return Number.decimal(value.rounded(.towardZero)).value
    default: break
    }
    switch selector {
    case "abs:": return .real(number.real.magnitude)
    case "ceiling:": return .real(number.real.rounded(.up))
    case "floor:": return .real(number.real.rounded(.down))
    case "trunc:": return .real(number.real.rounded(.towardZero))
    case "sqrt:": return .real(number.real.squareRoot())
    case "exp:": return .real(exp(number.real))
    case "log:": return .real(log10(number.real))
    case "ln:": return .real(log(number.real))
    default: throw EvaluationError.wrongKind(selector, argument)
    }
  }

  private static func number(_ value: ExpressionValue, _ selector: String) throws -> Number? {
    switch value {
    case .nothing: return nil
    case .scalar(let scalar):
      if let number = Number(scalar) { return number }
    case .object, .list, .set: break
    }
    throw EvaluationError.wrongKind(selector, value)
  }
}
