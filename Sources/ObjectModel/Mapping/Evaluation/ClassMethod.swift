/// The class methods of Foundation that expressions can call.
enum ClassMethod {
  /// The seconds between the two moments that dates are counted from.
  static let secondsFrom1970To2001 = 978_307_200.0

  /// Returns the result of a class method; nil where the class has none of this name that is known.
  ///
  /// - Parameter now: The result of `+[NSDate date]`.
  /// - Throws: ``EvaluationError``.
  static func call(
    _ selector: String,
    of name: String,
    _ arguments: [ExpressionValue],
    now: ExpressionValue?
  ) throws -> ExpressionValue? {
    switch (name, selector) {
    case (LibraryFunction.className, _) where selector != "now":
      return try LibraryFunction.call(selector, arguments)
    case ("NSDate", "date"), ("NSDate", "now"), (LibraryFunction.className, "now"):
      guard let now else {
        throw EvaluationError.unsupported("The current time", "no time was given")
      }
      return now
    case ("NSString", "string"): return .scalar(.string(""))
    case ("NSString", "stringWithString:"):
      return try argument(arguments, selector) { if case .string = $0 { $0 } else { nil } }
    case ("NSURL", "URLWithString:"):
      return try argument(arguments, selector) {
        if case .string(let text) = $0 { .uri(text) } else { nil }
      }
    case ("NSDate", "dateWithTimeIntervalSinceReferenceDate:"):
      return try argument(arguments, selector) { Number($0).map { .date($0.real) } }
    case ("NSDate", "dateWithTimeIntervalSince1970:"):
      return try argument(arguments, selector) {
        Number($0).map { .date($0.real - secondsFrom1970To2001) }
      }
    case ("NSDate", "distantPast"): return .scalar(.date(-63_114_076_800))
    case ("NSDate", "distantFuture"): return .scalar(.date(63_113_904_000))
    case ("NSArray", "array"): return .list([])
    case ("NSSet", "set"): return .set([])
    case ("NSNull", "null"): return .nothing
    case ("NSDecimalNumber", "zero"): return .scalar(.decimal("0"))
    case ("NSDecimalNumber", "one"): return .scalar(.decimal("1"))
    case ("NSDecimalNumber", "decimalNumberWithString:"):
      return try ValueCast.cast(
        arguments.first ?? .nothing,
        to: .scalar(.string("NSDecimalNumber"))
      )
    case ("NSNumber", "numberWithBool:"):
      return try argument(arguments, selector) { Number($0).map { .boolean($0.real != 0) } }
    case ("NSNumber", "numberWithInt:"), ("NSNumber", "numberWithInteger:"),
      ("NSNumber", "numberWithLong:"), ("NSNumber", "numberWithLongLong:"):
      return try ValueMethod.call("integerValue", of: arguments.first ?? .nothing, [])
    case ("NSNumber", "numberWithDouble:"), ("NSNumber", "numberWithFloat:"):
      return try argument(arguments, selector) { Number($0).map { .real($0.real) } }
    default: return nil
    }
  }

  private static func argument(
    _ arguments: [ExpressionValue],
    _ selector: String,
    _ convert: (AttributeValue) -> AttributeValue?
  ) throws -> ExpressionValue {
    guard case .scalar(let scalar) = arguments.first, let value = convert(scalar) else {
      if case .nothing? = arguments.first { return .nothing }
      throw EvaluationError.wrongKind(selector, arguments.first ?? .nothing)
    }
    return .scalar(value)
  }
}
