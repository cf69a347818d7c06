// Key paths, with the collection operators of key-value coding.
extension ExpressionEvaluator {
  /// Returns the value at the end of a path.
  func value(
    atPath path: ArraySlice<String>,
    of value: ExpressionValue
  ) throws -> ExpressionValue {
    var value = value
    var rest = path
    while let key = rest.popFirst() {
      if key.utf8.first == UInt8(ascii: "@") { return try apply(key, to: value, rest) }
      value = try Self.value(forKey: key, of: value)
    }
    return value
  }

  private static func value(
    forKey key: String,
    of value: ExpressionValue
  ) throws -> ExpressionValue {
    if key == "self" { return value }
    switch value {
    case .nothing: return .nothing
    case .object(let object): return try object.value(forKey: key)
    case .scalar:
      if let result = try ValueMethod.call(key, of: value, []) { return result }
      throw EvaluationError(
        .unknownKey,
        "The key \(key) is not one of \(value.kind).",
        recovery: "Check the path."
      )
    case .list(let members):
      return .list(try members.flatMap { try spread(self.value(forKey: key, of: $0)) })
    case .set(let members):
      let values = try members.flatMap { try spread(self.value(forKey: key, of: $0)) }
      return .set(ValueKey.distinct(values))
    }
  }

  /// Returns the members of a collection, or the one value.
  private static func spread(_ value: ExpressionValue) -> [ExpressionValue] {
    value.members ?? [value]
  }

  /// Returns the result of a collection operator on the values at the rest of the path.
  private func apply(
    _ name: String,
    to collection: ExpressionValue,
    _ path: ArraySlice<String>
  ) throws -> ExpressionValue {
    if case .nothing = collection { return .nothing }
    guard let members = collection.members else {
      throw EvaluationError.wrongKind("The operator \(name)", collection)
    }
    if name == "@count" { return .scalar(.integer(Int64(members.count))) }
    var values = try members.map { try value(atPath: path, of: $0) }
    let isEmpty = values.isEmpty
    let areAll = values.count
    values.removeAll { if case .nothing = $0 { true } else { false } }
    switch name {
    case "@sum": return try CollectionFunction.sum(values)
    case "@avg":
      // Nil counts as zero, and nothing at all has the average zero.
      if isEmpty { return .scalar(.real(0)) }
      return try CollectionFunction.sum(values).divided(by: areAll)
    case "@max": return try CollectionFunction.extreme(values, .max)
    case "@min": return try CollectionFunction.extreme(values, .min)
    case "@unionOfObjects": return .list(values)
    case "@distinctUnionOfObjects": return .list(ValueKey.distinct(values))
    case "@unionOfArrays", "@unionOfSets": return .list(values.flatMap { $0.members ?? [$0] })
    case "@distinctUnionOfArrays":
      return .list(ValueKey.distinct(values.flatMap { $0.members ?? [$0] }))
    case "@distinctUnionOfSets":
      return .set(ValueKey.distinct(values.flatMap { $0.members ?? [$0] }))
    default:
      throw EvaluationError(
        .unknownKey,
        "The collection operator \(name) is not known.",
        recovery: "Use @count, @sum, @avg, @max, @min, or a union of objects, arrays or sets."
      )
    }
  }
}
