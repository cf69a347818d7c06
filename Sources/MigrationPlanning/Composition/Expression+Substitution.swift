import ObjectModel

extension Expression {
  /// The expression with each part replaced for which the closure gives another, outermost first.
  ///
  /// The replacements themselves are left as they are.
  func replacing(_ replacement: (Expression) -> Expression?) -> Expression {
    if let other = replacement(self) { return other }
    func inner(_ part: Expression) -> Expression { part.replacing(replacement) }
    switch self {
    case .constant, .evaluatedObject, .variable, .className: return self
    case .keyPath(let operand, let path): return .keyPath(inner(operand), path)
    case .function(let target, let selector, let arguments):
      return .function(inner(target), selector: selector, arguments: arguments.map(inner))
    case .call(let name, let arguments): return .call(name, arguments.map(inner))
    case .aggregate(let members): return .aggregate(members.map(inner))
    case .conditional(let predicate, let first, let second):
      return .conditional(predicate.mappingExpressions(inner), inner(first), inner(second))
    case .subquery(let collection, let variable, let predicate):
      return .subquery(
        inner(collection),
        variable: variable,
        predicate.mappingExpressions(inner)
      )
    case .setOperation(let operation, let left, let right):
      return .setOperation(operation, inner(left), inner(right))
    case .fetch(let request, let context, let countOnly):
      return .fetch(inner(request), context: inner(context), countOnly: countOnly)
    }
  }

  /// Whether the condition holds of the expression or a part of it.
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
  /// The predicate with another expression for each that it compares.
  func mappingExpressions(_ transform: (Expression) -> Expression) -> Predicate {
    switch self {
    case .comparison(var comparison):
      comparison.left = transform(comparison.left)
      comparison.right = transform(comparison.right)
      return .comparison(comparison)
    case .all(let parts): return .all(parts.map { $0.mappingExpressions(transform) })
    case .any(let parts): return .any(parts.map { $0.mappingExpressions(transform) })
    case .not(let part): return .not(part.mappingExpressions(transform))
    }
  }

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
  /// What comparing two constants comes to, where that is certain.
  fileprivate var certainValue: Bool? {
    guard case .constant(let left) = left, case .constant(let right) = right,
      quantifier == .direct
    else { return nil }
    // Of two different values only nothing is certainly not the other: 1 equals 1.0.
    let isCertain = left == right || left == nil || right == nil
    guard isCertain else { return nil }
    switch relation {
    case .equal: return left == right
    case .notEqual: return left != right
    default: return nil
    }
  }
}
