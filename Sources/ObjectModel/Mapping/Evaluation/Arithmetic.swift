// Powers and logarithms are the C library's.
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// The functions of numbers.
enum Arithmetic {
  /// The result of a function of two numbers; nil where one is nil.
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
    switch selector {
    case "add:to:": return .real(left.real + right.real)
    case "from:subtract:": return .real(left.real - right.real)
    case "multiply:by:": return .real(left.real * right.real)
    case "divide:by:": return right.real == 0 ? .nothing : .real(left.real / right.real)
    case "modulus:by:":
      return right.real == 0
        ? .nothing : .real(left.real.truncatingRemainder(dividingBy: right.real))
    case "raise:toPower:": return .real(pow(left.real, right.real))
    default: throw EvaluationError.wrongKind(selector, .scalar(.real(0)))
    }
  }

  /// The result for whole numbers; nil where it is a double's.
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

  /// The result of a function of one number; nil for nil.
  static func call(_ selector: String, _ argument: ExpressionValue) throws -> ExpressionValue {
    guard let number = try number(argument, selector) else { return .nothing }
    switch (selector, number) {
    case ("abs:", .integer(let value)) where value != .min:
      return .scalar(.integer(Swift.abs(value)))
    case ("ceiling:", .integer(let value)), ("floor:", .integer(let value)),
      ("trunc:", .integer(let value)):
      return .scalar(.integer(value))
    case ("onesComplement:", .integer(let value)): return .scalar(.integer(~value))
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
