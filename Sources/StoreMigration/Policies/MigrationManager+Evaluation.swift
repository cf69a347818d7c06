import ObjectModel

// The values of a mapping model's expressions.
extension MigrationManager {
  /// Returns the value of an expression of the entity mapping at hand.
  ///
  /// - Parameters:
  ///   - place: The property or the part of the mapping, for messages.
  ///   - destination: The destination object, where there is one yet.
  /// - Throws: ``MigrationError`` that names the place, or what a policy throws.
  func evaluate(
    _ expression: Expression,
    at place: String,
    source: ManagedObject?,
    destination: ManagedObject?
  ) throws -> ExpressionValue {
    lookup = (false, false)
    let value = try evaluating(place, source: source, destination: destination) {
      try evaluator.evaluate(expression, with: source.map { .object($0) } ?? .nothing)
    }
    guard lookup.isAsked else { return value }
    // The found object may lack the requested value.
    if case .nothing = value, expression.lookup != nil { lookup.isMissed = true }
    if lookup.isMissed { missed[place, default: 0] += 1 }
    return value
  }

  /// Returns whether a predicate of the entity mapping at hand holds for an object.
  func evaluate(
    _ predicate: Predicate,
    at place: String,
    for object: ManagedObject
  ) throws -> Bool {
    try evaluating(place, source: object, destination: nil) {
      try evaluator.evaluate(predicate, with: .object(object))
    }
  }

  /// Lets go of the objects for which something was evaluated.
  func forgetEvaluated() {
    guard holdsEvaluated else { return }
    holdsEvaluated = false
    evaluator.variables["source"] = .nothing
    evaluator.variables["destination"] = .nothing
  }

  private func evaluating<Value>(
    _ place: String,
    source: ManagedObject?,
    destination: ManagedObject?,
    _ body: () throws -> Value
  ) throws -> Value {
    let outer = evaluated
    evaluated = (place, source)
    holdsEvaluated = true
    defer { evaluated = outer }
    evaluator.variables["source"] = source.map { .object($0) } ?? .nothing
    evaluator.variables["destination"] = destination.map { .object($0) } ?? .nothing
    if let pass {
      let piece = pass.piece
      evaluator.variables["entityPolicy"] = .object(pass.policy)
      evaluator.variables["entityMapping"] = .object(pass.reference)
      evaluator.variables[EntityMapping.Pieces.variable] = piece?.value ?? .nothing
      evaluator.variables[EntityMapping.Pieces.indexVariable] =
        piece.map { .scalar(.integer(Int64($0.index))) } ?? .nothing
    }
    do {
      return try body()
    } catch let error as EvaluationError {
      throw MigrationError(
        .failed,
        .expressionFails,
        "\(pass?.mapping.name ?? "The mapping model"), \(place)"
          + (source.map { " (the row of \($0.entity.name) with the key \($0.key))" } ?? "")
          + ": \(error.message)",
        recovery: error.recovery
      )
    }
  }
}

/// The methods of `$manager`, `$entityPolicy` and of objects, as expressions call them.
///
/// The evaluator belongs to the manager, and so does not hold it.
struct MigrationFunctions: FunctionProvider {
  weak var manager: MigrationManager?

  func call(
    _ selector: String,
    on target: ExpressionValue?,
    targetName: String,
    arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    if case .scalar(.binary(let bytes))? = target, selector == Expression.archivedValueAtPath {
      return try ArchivedPart.value(arguments, in: bytes)
    }
    guard let manager, case .object(let object) = target else {
      throw EvaluationError.unknownMethod(selector, of: targetName)
    }
    switch object {
    case let policy as EntityMigrationPolicy:
      return try policy.call(selector, arguments: arguments, manager: manager)
    case is ManagerReference: return try manager.call(selector, arguments: arguments)
    default: throw EvaluationError.unknownMethod(selector, of: targetName)
    }
  }

  func fetch(
    _ request: ExpressionValue,
    context: ExpressionValue,
    countOnly: Bool
  ) throws -> ExpressionValue {
    guard case .object(let request as FetchRequestReference) = request,
      case .object(let context as ContextReference) = context, let context = context.context
    else {
      throw EvaluationError(
        .wrongKind,
        "FETCH was given no fetch request and context of the migration manager.",
        recovery: "Use fetchRequestForSourceEntityNamed:predicateString: and a context of $manager."
      )
    }
    let objects = try context.fetch(
      entityName: request.entityName,
      predicate: request.predicate
    )
    if countOnly { return .scalar(.integer(Int64(objects.count))) }
    return .list(objects.map { .object($0) })
  }
}
