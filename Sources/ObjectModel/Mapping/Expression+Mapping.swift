extension Expression {
  /// Returns the expression with each part directly inside of it replaced by a closure's result.
  package func mappingParts(_ transform: (Expression) -> Expression) -> Expression {
    switch self {
    case .constant, .evaluatedObject, .variable, .className: self
    case .keyPath(let operand, let path): .keyPath(transform(operand), path)
    case .function(let target, let selector, let arguments):
      .function(transform(target), selector: selector, arguments: arguments.map(transform))
    case .call(let name, let arguments): .call(name, arguments.map(transform))
    case .aggregate(let members): .aggregate(members.map(transform))
    case .conditional(let predicate, let first, let second):
      .conditional(predicate.mappingExpressions(transform), transform(first), transform(second))
    case .subquery(let collection, let variable, let predicate):
      .subquery(
        transform(collection),
        variable: variable,
        predicate.mappingExpressions(transform)
      )
    case .setOperation(let operation, let left, let right):
      .setOperation(operation, transform(left), transform(right))
    case .fetch(let request, let context, let countOnly):
      .fetch(transform(request), context: transform(context), countOnly: countOnly)
    }
  }

  /// Returns the expression with each part replaced by the closure's result for it, inner parts first.
  ///
  /// - Complexity: O(*n*) in the parts.
  package func mapped(_ transform: (Expression) -> Expression) -> Expression {
    transform(mappingParts { $0.mapped(transform) })
  }

  /// Calls a closure with the expression and all its parts, each before the parts inside of it.
  package func forEachPart(_ body: (Expression) -> Void) {
    body(self)
    _ = mappingParts { part in
      part.forEachPart(body)
      return part
    }
  }
}

extension Predicate {
  /// Returns the predicate with another expression for each that it compares.
  package func mappingExpressions(_ transform: (Expression) -> Expression) -> Predicate {
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

  /// Calls a closure with all comparisons of the condition; those within expressions are not among them.
  package func forEachComparison(_ body: (Comparison) -> Void) {
    switch self {
    case .comparison(let comparison): body(comparison)
    case .all(let parts), .any(let parts): for part in parts { part.forEachComparison(body) }
    case .not(let part): part.forEachComparison(body)
    }
  }

  /// Calls a closure with all expressions in the condition and their parts.
  package func forEachPart(_ body: (Expression) -> Void) {
    _ = mappingExpressions { part in
      part.forEachPart(body)
      return part
    }
  }
}
