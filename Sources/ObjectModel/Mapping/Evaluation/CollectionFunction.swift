/// The functions of the members of collections.
enum CollectionFunction {
  /// Returns the members of a collection, those that are nil left out; nil for nil.
  private static func values(
    of value: ExpressionValue,
    _ name: String
  ) throws -> [ExpressionValue]? {
    if case .nothing = value { return nil }
    guard let members = value.members else { throw EvaluationError.wrongKind(name, value) }
    return members.filter { if case .nothing = $0 { false } else { true } }
  }

  /// Returns the result of one of `NSExpression`'s functions of a collection.
  static func call(_ selector: String, _ argument: ExpressionValue) throws -> ExpressionValue {
    if selector == "count:" {
      if case .nothing = argument { return .nothing }
      guard let members = argument.members else {
        throw EvaluationError.wrongKind(selector, argument)
      }
      return .scalar(.integer(Int64(members.count)))
    }
    guard let values = try values(of: argument, selector) else { return .nothing }
    switch selector {
    case "sum:": return try sum(values)
    case "min:": return try extreme(values, .min)
    case "max:": return try extreme(values, .max)
    case "mode:": return .list(try mode(values))
    default: break
    }
    let numbers = try values.map { try number($0, selector) }
    guard !numbers.isEmpty else { return .nothing }
    switch selector {
    case "average:": return try mean(numbers)
    case "stddev:":
      let reals = numbers.map(\.real)
      let mean = reals.reduce(0, +) / Double(reals.count)
      let squares = reals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return .real((squares / Double(reals.count)).squareRoot())
    default:
      let sorted = numbers.sorted { Number.order($0, $1) == .ascending }
      let middle = sorted.count / 2
      return try mean(
        sorted.count.isMultiple(of: 2) ? [sorted[middle - 1], sorted[middle]] : [sorted[middle]]
      )
    }
  }

  private static func mean(_ numbers: [Number]) throws -> ExpressionValue {
    try sum(numbers.map(\.value)).divided(by: numbers.count)
  }

  /// An end of an order.
  enum Extreme: String {
    case min, max
  }

  /// Returns the sum of numbers, in their order; zero where there are none.
  static func sum(_ values: [ExpressionValue]) throws -> ExpressionValue {
    try values.reduce(.scalar(.integer(0))) { try Arithmetic.call("add:to:", $0, $1) }
  }

  /// Returns the least or greatest of values without nil; nil where there are none.
  static func extreme(_ values: [ExpressionValue], _ end: Extreme) throws -> ExpressionValue {
    guard var best = values.first else { return .nothing }
    // A single value is checked too.
    for value in values {
      let order = try ValueOrder.of(value, best)
      if order == (end == .max ? .descending : .ascending) { best = value }
    }
    return best
  }

  /// Returns the values that occur most often, the least first.
  private static func mode(_ values: [ExpressionValue]) throws -> [ExpressionValue] {
    var counts: [ValueKey: Int] = [:]
    for value in values { counts[ValueKey(value), default: 0] += 1 }
    let greatest = counts.values.max() ?? 0
    let modes = ValueKey.distinct(values).filter { counts[ValueKey($0)] == greatest }
    return try modes.sorted { try ValueOrder.of($0, $1) == .ascending }
  }

  private static func number(_ value: ExpressionValue, _ name: String) throws -> Number {
    guard case .scalar(let scalar) = value, let number = Number(scalar) else {
      throw EvaluationError.wrongKind(name, value)
    }
    return number
  }

  /// Returns two collections put together, without duplicates; nil on the right is an empty one.
  static func combine(
    _ left: ExpressionValue,
    _ operation: Expression.SetOperation,
    _ right: ExpressionValue
  ) throws -> ExpressionValue {
    if case .nothing = left { return .nothing }
    guard let first = left.members else {
      throw EvaluationError.wrongKind(operation.rawValue, left)
    }
    var second: [ExpressionValue] = []
    if let members = right.members {
      second = members
    } else if case .nothing = right {
    } else {
      throw EvaluationError.wrongKind(operation.rawValue, right)
    }
    let keys = Set(second.map(ValueKey.init))
    return switch operation {
    case .union: .set(ValueKey.distinct(first + second))
    case .intersect: .set(ValueKey.distinct(first.filter { keys.contains(ValueKey($0)) }))
    case .minus: .set(ValueKey.distinct(first.filter { !keys.contains(ValueKey($0)) }))
    }
  }
}

extension ExpressionValue {
  /// Returns the number, or nil where it is none.
  static func real(_ number: Double) -> ExpressionValue {
    number.isNaN ? .nothing : .scalar(.real(number))
  }

  /// Returns the value as one of a sum, divided by how many it has.
  func divided(by count: Int) -> ExpressionValue {
    guard case .scalar(let value) = self, let number = Number(value) else { return .nothing }
    return number.divided(by: count)
  }
}
