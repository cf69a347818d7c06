extension Expression {
  /// The expression with each part replaced by what a closure makes of it, parts inside first.
  ///
  /// - Complexity: O(*n*) in the parts.
  package func mapped(_ transform: (Expression) -> Expression) -> Expression {
    func all(_ list: [Expression]) -> [Expression] { list.map { $0.mapped(transform) } }
    let rebuilt: Expression
    switch self {
    case .constant, .evaluatedObject, .variable, .className: rebuilt = self
    case .keyPath(let operand, let path): rebuilt = .keyPath(operand.mapped(transform), path)
    case .function(let target, let selector, let arguments):
      rebuilt = .function(
        target.mapped(transform),
        selector: selector,
        arguments: all(arguments)
      )
    case .call(let name, let arguments): rebuilt = .call(name, all(arguments))
    case .aggregate(let members): rebuilt = .aggregate(all(members))
    case .conditional(let predicate, let first, let second):
      rebuilt = .conditional(
        predicate.mapped(transform),
        first.mapped(transform),
        second.mapped(transform)
      )
    case .subquery(let collection, let variable, let predicate):
      rebuilt = .subquery(
        collection.mapped(transform),
        variable: variable,
        predicate.mapped(transform)
      )
    case .setOperation(let operation, let left, let right):
      rebuilt = .setOperation(operation, left.mapped(transform), right.mapped(transform))
    case .fetch(let request, let context, let countOnly):
      rebuilt = .fetch(
        request.mapped(transform),
        context: context.mapped(transform),
        countOnly: countOnly
      )
    }
    return transform(rebuilt)
  }

  /// The expression and all its parts, each before those inside of it.
  package func forEachPart(_ body: (Expression) -> Void) {
    body(self)
    func all(_ list: [Expression]) { for part in list { part.forEachPart(body) } }
    switch self {
    case .constant, .evaluatedObject, .variable, .className: break
    case .keyPath(let operand, _): operand.forEachPart(body)
    case .function(let target, _, let arguments): all([target] + arguments)
    case .call(_, let arguments): all(arguments)
    case .aggregate(let members): all(members)
    case .conditional(let predicate, let first, let second):
      predicate.forEachPart(body)
      all([first, second])
    case .subquery(let collection, _, let predicate):
      collection.forEachPart(body)
      predicate.forEachPart(body)
    case .setOperation(_, let left, let right): all([left, right])
    case .fetch(let request, let context, _): all([request, context])
    }
  }
}

extension Predicate {
  /// The condition with each expression in it replaced by what a closure makes of it.
  package func mapped(_ transform: (Expression) -> Expression) -> Predicate {
    switch self {
    case .comparison(var comparison):
      comparison.left = comparison.left.mapped(transform)
      comparison.right = comparison.right.mapped(transform)
      return .comparison(comparison)
    case .all(let parts): return .all(parts.map { $0.mapped(transform) })
    case .any(let parts): return .any(parts.map { $0.mapped(transform) })
    case .not(let part): return .not(part.mapped(transform))
    }
  }

  /// All expressions in the condition with their parts.
  package func forEachPart(_ body: (Expression) -> Void) {
    switch self {
    case .comparison(let comparison):
      comparison.left.forEachPart(body)
      comparison.right.forEachPart(body)
    case .all(let parts), .any(let parts): for part in parts { part.forEachPart(body) }
    case .not(let part): part.forEachPart(body)
    }
  }
}
