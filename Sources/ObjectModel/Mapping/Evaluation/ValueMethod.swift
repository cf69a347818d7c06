/// The methods of Foundation's values that expressions can call.
///
/// Indexes and lengths of text count UTF-16 units, as `NSString` does; half of a surrogate pair
/// becomes U+FFFD. A method that wants an argument and gets nil gives nil, except where it asks for
/// equality.
enum ValueMethod {
  /// Returns the result of a method; nil where the value has none of this name that is known.
  ///
  /// - Throws: ``EvaluationError``.
  static func call(
    _ selector: String,
    of value: ExpressionValue,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue? {
    if wantingValues.contains(selector),
      arguments.contains(where: { if case .nothing = $0 { true } else { false } })
    {
      return .nothing
    }
    switch (selector, value) {
    case ("isEqual:", _), ("isEqualToString:", .scalar(.string)),
      ("isEqualToDate:", .scalar(.date)):
      guard let other = arguments.first else { return nil }
      return .scalar(.boolean(ValueKey(value) == ValueKey(other)))
    case ("self", _), ("copy", _): return value
    case (_, .list(let members)), (_, .set(let members)):
      return try collection(selector, members, of: value, arguments)
    case (_, .scalar(.string(let text))): return try string(selector, text, arguments)
    case (_, .scalar(.date(let seconds))): return try date(selector, seconds, arguments)
    case ("absoluteString", .scalar(.uri(let text))): return .scalar(.string(text))
    case ("UUIDString", .scalar(.uuid(let bytes))): return .scalar(.string(uuid(bytes)))
    case ("length", .scalar(.binary(let bytes))): return .scalar(.integer(Int64(bytes.count)))
    case (_, .scalar(let scalar)): return try number(selector, scalar, arguments)
    case (_, .nothing), (_, .object): return nil
    }
  }

  private static let wantingValues: Set<String> = [
    "substringToIndex:", "substringFromIndex:", "stringByAppendingString:",
    "componentsSeparatedByString:", "stringByReplacingOccurrencesOfString:withString:",
    "hasPrefix:", "hasSuffix:", "containsString:", "componentsJoinedByString:", "objectAtIndex:",
    "dateByAddingTimeInterval:", "addTimeInterval:", "timeIntervalSinceDate:", "earlierDate:",
    "laterDate:", "decimalNumberByAdding:", "decimalNumberBySubtracting:",
    "decimalNumberByMultiplyingBy:", "decimalNumberByDividingBy:", "compare:",
    "firstMatchOfPattern:", "stringByReplacingMatchesOfPattern:withTemplate:",
    "component:inTimeZone:",
  ]

  private static func uuid(_ bytes: [UInt8]) -> String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += Hexadecimal.string([byte]).uppercased()
    }
    return text
  }

  private static func number(
    _ selector: String,
    _ value: AttributeValue,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue? {
    guard let number = Number(value) else { return nil }
    switch selector {
    case "stringValue", "description": return ValueCast.string(value).map { .scalar(.string($0)) }
    case "integerValue", "longLongValue", "intValue", "longValue":
      return .scalar(.integer(number.clampedWhole))
    case "doubleValue": return .real(number.real)
    case "floatValue": return .real(Double(Float(number.real)))
    case "boolValue": return .scalar(.boolean(number.real != 0))
    case "isEqualToNumber:":
      return .scalar(.boolean(ValueKey(.scalar(value)) == ValueKey(arguments.first ?? .nothing)))
    case "compare:": return try compare(.scalar(value), arguments)
    default: break
    }
    let operations = [
      "decimalNumberByAdding:": "add:to:", "decimalNumberBySubtracting:": "from:subtract:",
      "decimalNumberByMultiplyingBy:": "multiply:by:", "decimalNumberByDividingBy:": "divide:by:",
    ]
    guard let operation = operations[selector], let other = arguments.first else { return nil }
    let left = number.decimal.map { Number.decimal($0) } ?? number
    return try Arithmetic.call(operation, left.value, other)
  }

  private static func date(
    _ selector: String,
    _ seconds: Double,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue? {
    let epoch = ClassMethod.secondsFrom1970To2001
    switch selector {
    case "timeIntervalSinceReferenceDate": return .real(seconds)
    case "timeIntervalSince1970": return .real(seconds + epoch)
    case "dateByAddingTimeInterval:", "addTimeInterval:":
      guard case .scalar(let scalar) = arguments.first, let interval = Number(scalar) else {
        throw EvaluationError.wrongKind(selector, arguments.first ?? .nothing)
      }
      return .scalar(.date(seconds + interval.real))
    case "timeIntervalSinceDate:", "earlierDate:", "laterDate:":
      guard case .scalar(.date(let other)) = arguments.first else {
        throw EvaluationError.wrongKind(selector, arguments.first ?? .nothing)
      }
      return switch selector {
      case "timeIntervalSinceDate:": .real(seconds - other)
      case "earlierDate:": .scalar(.date(min(seconds, other)))
      default: .scalar(.date(max(seconds, other)))
      }
    case "compare:": return try compare(.scalar(.date(seconds)), arguments)
    // Foundation asks a calendar; this name is Waystone's.
    case "component:inTimeZone:" where arguments.count == 2:
      return try CalendarParts.part(arguments[0], of: seconds, inTimeZone: arguments[1], selector)
    default: return nil
    }
  }

  /// Returns -1, 0 or 1, as `NSComparisonResult` counts.
  static func compare(
    _ value: ExpressionValue,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    guard let order = try ValueOrder.of(value, arguments.first ?? .nothing) else { return .nothing }
    return .scalar(.integer(order == .ascending ? -1 : order == .same ? 0 : 1))
  }

  private static func collection(
    _ selector: String,
    _ members: [ExpressionValue],
    of value: ExpressionValue,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue? {
    let isList = if case .list = value { true } else { false }
    switch selector {
    case "count": return .scalar(.integer(Int64(members.count)))
    case "allObjects", "array": return .list(members)
    case "set": return .set(ValueKey.distinct(members))
    case "containsObject:":
      let key = ValueKey(arguments.first ?? .nothing)
      return .scalar(.boolean(members.contains { ValueKey($0) == key }))
    case "firstObject" where isList: return members.first ?? .nothing
    case "lastObject" where isList: return members.last ?? .nothing
    case "objectAtIndex:" where isList:
      guard case .scalar(.integer(let index)) = arguments.first else {
        throw EvaluationError.wrongKind(selector, arguments.first ?? .nothing)
      }
      guard index >= 0, index < members.count else { throw EvaluationError.outOfBounds(selector) }
      return members[Int(index)]
    case "componentsJoinedByString:" where isList:
      guard case .scalar(.string(let separator)) = arguments.first else {
        throw EvaluationError.wrongKind(selector, arguments.first ?? .nothing)
      }
      let texts = try members.map { member in
        guard case .scalar(let scalar) = member else {
          throw EvaluationError.wrongKind(selector, member)
        }
        if case .string(let text) = scalar { return text }
        guard let text = ValueCast.string(scalar) else {
          throw EvaluationError.wrongKind(selector, member)
        }
        return text
      }
      return .scalar(.string(texts.joined(separator: separator)))
    default: return nil
    }
  }
}
