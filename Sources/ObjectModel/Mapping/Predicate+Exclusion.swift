extension Predicate {
  /// Returns whether the form of both conditions proves that no object meets both: they concern the same
  /// value, and one contradicts the other, or they require different numbers, texts or truth values.
  package func excludes(_ other: Predicate) -> Bool {
    switch (self, other) {
    case (.not(let denied), _) where denied == other: true
    case (_, .not(let denied)) where denied == self: true
    case (.all(let parts), _): parts.contains { $0.excludes(other) }
    case (_, .all(let parts)): parts.contains { excludes($0) }
    case (.any(let parts), _): parts.allSatisfy { $0.excludes(other) }
    case (_, .any(let parts)): parts.allSatisfy { excludes($0) }
    case (.comparison(let first), .comparison(let second)): first.excludes(second)
    default: false
    }
  }
}

extension Predicate.Comparison {
  fileprivate func excludes(_ other: Self) -> Bool {
    guard left == other.left, quantifier == .direct, other.quantifier == .direct,
      isCaseInsensitive == other.isCaseInsensitive,
      isDiacriticInsensitive == other.isDiacriticInsensitive
    else { return false }
    if right == other.right { return relation.isContrary(of: other.relation) }
    guard relation == .equal, other.relation == .equal, !isCaseInsensitive, !isDiacriticInsensitive,
      case .constant(let value) = right, case .constant(let another) = other.right
    else { return false }
    return switch (value, another) {
    case (.integer, .integer), (.string, .string), (.boolean, .boolean): true
    case (nil, _), (_, nil): true
    default: false
    }
  }
}

extension Predicate.Relation {
  /// Returns whether no two values are in both relations.
  fileprivate func isContrary(of other: Self) -> Bool {
    switch (self, other) {
    case (.equal, .notEqual), (.notEqual, .equal), (.lessThan, .greaterThanOrEqual),
      (.greaterThanOrEqual, .lessThan), (.lessThan, .greaterThan), (.greaterThan, .lessThan),
      (.lessThanOrEqual, .greaterThan), (.greaterThan, .lessThanOrEqual), (.equal, .lessThan),
      (.lessThan, .equal), (.equal, .greaterThan), (.greaterThan, .equal):
      true
    default: false
    }
  }
}
