public import ObjectModel

// What expressions can ask of `$manager`.
extension MigrationManager {
  /// Answers `FUNCTION($manager, "selector:", …)`.
  ///
  /// - Throws: ``MigrationError`` where the manager has no such method, or an argument is not what
  ///   the method takes.
  public func call(
    _ selector: String,
    arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    switch (selector, arguments.count) {
    case (Expression.destinationInstancesForEntityMapping, 2):
      return .list(
        try destinationInstances(
          forEntityMappingNamed: text(arguments[0], selector),
          sourceInstances: objects(arguments[1], selector)
        ).map { .object($0) }
      )
    case (Expression.destinationInstancesForSourceRelationship, 2):
      return .list(
        try destinationInstances(
          forSourceRelationshipNamed: text(arguments[0], selector),
          sourceInstances: objects(arguments[1], selector)
        ).map { .object($0) }
      )
    case ("sourceInstancesForEntityMappingNamed:destinationInstances:", 2):
      return .list(
        try sourceInstances(
          forEntityMappingNamed: text(arguments[0], selector),
          destinationInstances: objects(arguments[1], selector)
        ).map { .object($0) }
      )
    case (Expression.sourceInstanceForKey, 3):
      return try lookup(sourceContext, arguments, selector)
    case (Expression.destinationInstanceForKey, 3):
      return try lookup(destinationContext, arguments, selector)
    default:
      throw MigrationError(
        .failed,
        "The migration manager has no method for the selector \(selector) with"
          + " \(arguments.count) arguments.",
        recovery: "Correct the expression, or do it in a policy."
      )
    }
  }

  private func lookup(
    _ context: ManagedObjectContext,
    _ arguments: [ExpressionValue],
    _ selector: String
  ) throws -> ExpressionValue {
    let found = try KeyLookup(context: context, scratch: associations.schema).object(
      ofEntity: text(arguments[0], selector),
      where: text(arguments[1], selector),
      equals: arguments[2]
    )
    return found.map { .object($0) } ?? .nothing
  }

  /// Removes what lookups left in the destination; called before the store is finished.
  ///
  /// - Throws: An error of the database.
  package func dropLookups() throws {
    try KeyLookup(context: destinationContext, scratch: associations.schema).drop()
  }

  private func text(_ value: ExpressionValue, _ selector: String) throws -> String {
    guard case .scalar(.string(let text)) = value else { throw unfit(selector, "text") }
    return text
  }

  private func objects(_ value: ExpressionValue, _ selector: String) throws -> [ManagedObject] {
    let members: [ExpressionValue]
    switch value {
    case .nothing: return []
    case .list(let list), .set(let list): members = list
    default: members = [value]
    }
    return try members.map { member in
      guard case .object(let object as ManagedObject) = member else {
        throw unfit(selector, "managed objects")
      }
      return object
    }
  }

  private func unfit(_ selector: String, _ expected: String) -> MigrationError {
    MigrationError(
      .failed,
      "An argument of the migration manager's \(selector) is not \(expected).",
      recovery: "Correct the expression."
    )
  }

  /// The value of a mapping's expression for one object.
  func evaluate(
    _ expression: Expression,
    source: ManagedObject?,
    destination: ManagedObject?
  ) throws -> ExpressionValue {
    switch expression {
    case .constant(let value): return value.map { .scalar($0) } ?? .nothing
    case .variable("source"): return source.map { .object($0) } ?? .nothing
    case .variable("destination"): return destination.map { .object($0) } ?? .nothing
    case .variable(EntityMapping.Pieces.variable): return pass?.piece?.value ?? .nothing
    case .variable(EntityMapping.Pieces.indexVariable):
      return pass?.piece.map { .scalar(.integer(Int64($0.index))) } ?? .nothing
    case .keyPath(let operand, let path):
      var value = try evaluate(operand, source: source, destination: destination)
      for key in path {
        guard case .object(let object) = value else { return .nothing }
        value = try object.value(forKey: key)
      }
      return value
    case .function(.variable("manager"), let selector, let arguments):
      let values = try arguments.map {
        try evaluate($0, source: source, destination: destination)
      }
      return try call(selector, arguments: values)
    case .function(.variable("entityPolicy"), let selector, let arguments):
      let values = try arguments.map {
        try evaluate($0, source: source, destination: destination)
      }
      return try currentPass().policy.call(selector, arguments: values, manager: self)
    default:
      throw MigrationError(
        .refused,
        "The expression \(expression) cannot be evaluated object by object.",
        recovery: "Write it otherwise, or as a policy."
      )
    }
  }
}
