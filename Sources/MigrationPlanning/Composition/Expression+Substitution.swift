import ObjectModel

extension Expression {
  /// Returns the expression with each part replaced for which the closure gives another, outermost
  /// first.
  ///
  /// The replacements themselves are left as they are.
  func replacing(_ replacement: (Expression) -> Expression?) -> Expression {
    replacement(self) ?? mappingParts { $0.replacing(replacement) }
  }

  /// Returns whether the condition holds of the expression or a part of it.
  func contains(_ condition: (Expression) -> Bool) -> Bool {
    var isFound = false
    _ = replacing { part in
      if condition(part) { isFound = true }
      return isFound ? part : nil
    }
    return isFound
  }
}

extension Predicate {
  /// The predicate without parts whose value is certain.
  var simplified: Predicate {
    switch self {
    case .comparison(let comparison):
      return comparison.certainValue.map { $0 ? .all([]) : .any([]) } ?? self
    case .all(let parts):
      let rest = parts.map(\.simplified).filter { $0.constantValue != true }
      if rest.contains(where: { $0.constantValue == false }) { return .any([]) }
      return rest.count == 1 ? rest[0] : .all(rest)
    case .any(let parts):
      let rest = parts.map(\.simplified).filter { $0.constantValue != false }
      if rest.contains(where: { $0.constantValue == true }) { return .all([]) }
      return rest.count == 1 ? rest[0] : .any(rest)
    case .not(let part):
      let inner = part.simplified
      return inner.constantValue.map { $0 ? .any([]) : .all([]) } ?? .not(inner)
    }
  }

  /// The value of a predicate that is always true or always false; nil for any other.
  var constantValue: Bool? {
    switch self {
    case .all(let parts) where parts.isEmpty: true
    case .any(let parts) where parts.isEmpty: false
    default: nil
    }
  }
}

extension Predicate.Comparison {
  /// The result of comparing two constants; nil where it is not certain.
  fileprivate var certainValue: Bool? {
    guard case .constant(let left) = left, case .constant(let right) = right,
      quantifier == .direct
    else { return nil }
    // Two different values are certainly unequal only where one is nothing: 1 equals 1.0.
    let isCertain = left == right || left == nil || right == nil
    guard isCertain else { return nil }
    switch relation {
    case .equal: return left == right
    case .notEqual: return left != right
    default: return nil
    }
  }
}
