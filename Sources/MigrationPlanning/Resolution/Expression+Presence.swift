import ObjectModel

extension Expression {
  /// Whether it has a value for every object, also for one whose properties have none.
  ///
  /// A condition that compares a path with nil decides about it: `TERNARY($source.t == nil, "", $source.t)` has a
  /// value for all.
  var alwaysHasValue: Bool { hasValue(where: []) }

  /// Returns whether it has a value for every object for which these paths have one.
  private func hasValue(where known: Set<Expression>) -> Bool {
    switch self {
    case .constant(let value): value != nil
    case .keyPath: known.contains(self)
    case .conditional(let condition, let first, let second):
      first.hasValue(where: known.union(condition.pathsWithValue(whereItHolds: true)))
        && second.hasValue(where: known.union(condition.pathsWithValue(whereItHolds: false)))
    case .call("now", _): true
    case .call("castObject:toType:", let list):
      list.count == 2 && Self.castsOfAll.contains(list[1]) && list[0].hasValue(where: known)
    case .call(let selector, let list):
      Self.functionsOfAll.contains(selector)
        && list.allSatisfy { $0.hasValue(where: known) }
    case .function(.className(let name), let selector, []):
      Self.methodsOfClasses.contains("\(name) \(selector)")
    case .function(let target, "stringByAppendingString:", let list):
      target.hasValue(where: known) && list.allSatisfy { $0.hasValue(where: known) }
    default: false
    }
  }

  /// The functions that give a value for each value.
  private static let functionsOfAll: Set<String> = [
    "uppercase:", "lowercase:", "canonical:", "length:", "noindex:", "count:",
  ]

  /// The types as which each value that can be converted has a value.
  private static let castsOfAll: Set<Expression> = [
    .constant(.string("NSString")), .constant(.string("NSDate")), .constant(.string("NSURL")),
  ]

  /// The methods of classes that give a value.
  private static let methodsOfClasses: Set<String> = [
    "NSDate date", "NSDate now", "NSDate distantPast", "NSDate distantFuture", "NSString string",
    "NSDecimalNumber zero", "NSDecimalNumber one",
  ]
}

extension Predicate {
  /// Returns the paths that have a value for every object for which the condition holds, or does not.
  fileprivate func pathsWithValue(whereItHolds holds: Bool) -> Set<Expression> {
    switch self {
    case .comparison(let comparison):
      guard comparison.quantifier == .direct,
        comparison.relation == (holds ? .notEqual : .equal)
      else { return [] }
      let sides = [comparison.left, comparison.right]
      return sides.contains(.constant(nil)) ? Set(sides.filter(\.isPath)) : []
    case .not(let part): return part.pathsWithValue(whereItHolds: !holds)
    case .all(let parts): return Self.paths(of: parts, holds, isOfEach: holds)
    case .any(let parts): return Self.paths(of: parts, holds, isOfEach: !holds)
    }
  }

  /// - Parameter isOfEach: Whether all of the conditions hold, or none does; else one of them.
  private static func paths(
    of parts: [Predicate],
    _ holds: Bool,
    isOfEach: Bool
  ) -> Set<Expression> {
    let paths = parts.map { $0.pathsWithValue(whereItHolds: holds) }
    guard let first = paths.first else { return [] }
    return paths.dropFirst().reduce(first) { isOfEach ? $0.union($1) : $0.intersection($1) }
  }
}

extension Expression {
  fileprivate var isPath: Bool { if case .keyPath = self { true } else { false } }
}
