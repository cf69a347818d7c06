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
    default:
      throw MigrationError(
        .failed,
        "The migration manager has no method for the selector \(selector) with"
          + " \(arguments.count) arguments.",
        recovery: "Correct the expression, or do it in a policy."
      )
    }
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
    for property: PropertyMapping,
    source: ManagedObject?,
    destination: ManagedObject
  ) throws -> ExpressionValue {
    switch expression {
    case .constant(let value): return value.map { .scalar($0) } ?? .nothing
    case .variable("source"): return source.map { .object($0) } ?? .nothing
    case .variable("destination"): return .object(destination)
    case .keyPath(.variable("source"), let path) where path.count == 1:
      return try source?.value(forKey: path[0]) ?? .nothing
    case .function(.variable("manager"), let selector, let arguments):
      let values = try arguments.map {
        try evaluate($0, for: property, source: source, destination: destination)
      }
      return try call(selector, arguments: values)
    case .function(.variable("entityPolicy"), let selector, let arguments):
      let values = try arguments.map {
        try evaluate($0, for: property, source: source, destination: destination)
      }
      return try currentPass().policy.call(selector, arguments: values, manager: self)
    default:
      throw MigrationError(
        .refused,
        "The expression of \(property.name) cannot be evaluated object by object.",
        recovery: "Write it otherwise, or as a policy."
      )
    }
  }
}
