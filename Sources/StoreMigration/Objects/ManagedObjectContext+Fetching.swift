public import ObjectModel
import StoreAccess

extension ManagedObjectContext {
  /// Returns the objects of an entity that match a predicate, in order of their keys.
  ///
  /// - Parameters:
  ///   - includesSubentities: Whether objects of entities below it count, as Core Data's do.
  ///   - predicate: The condition; nil for all objects.
  /// - Throws: ``MigrationError`` where the model has no such entity, the error of an evaluation
  ///   that fails, or an error of the database.
  /// - Complexity: O(*objects* of the entity); all that are given are in memory. See
  ///   ``forEach(entityName:includesSubentities:predicate:_:)`` for many.
  public func fetch(
    entityName: String,
    includesSubentities: Bool = true,
    predicate: Predicate? = nil
  ) throws -> [ManagedObject] {
    var objects: [ManagedObject] = []
    try forEach(
      entityName: entityName,
      includesSubentities: includesSubentities,
      predicate: predicate
    ) { object in
      objects.append(object)
      return true
    }
    return objects
  }

  /// Visits the objects of an entity that match a predicate, in order of their keys.
  ///
  /// - Parameter body: Called with each object; false ends the visit.
  /// - Throws: As ``fetch(entityName:includesSubentities:predicate:)``, and the errors of `body`.
  public func forEach(
    entityName: String,
    includesSubentities: Bool = true,
    predicate: Predicate?,
    _ body: (ManagedObject) throws -> Bool
  ) throws {
    try forEach(
      entityName: entityName,
      includesSubentities: includesSubentities,
      predicate: predicate,
      variables: [:],
      body
    )
  }

  /// Visits the objects of an entity that match a predicate with variables, in order of their keys.
  package func forEach(
    entityName: String,
    includesSubentities: Bool,
    predicate: Predicate?,
    variables: [String: ExpressionValue],
    _ body: (ManagedObject) throws -> Bool
  ) throws {
    var choices = FetchChoices()
    choices.includesSubentities = includesSubentities
    choices.predicate = predicate
    choices.variables = variables
    try forEach(entityName: entityName, choices, body)
  }

  /// Returns the predicate in SQL on the row `s`; nil where SQL cannot express it.
  func compiled(_ predicate: Predicate, _ entityName: String) -> String? {
    guard model[entityName] != nil else { return nil }
    return compiler(entityName).compile(predicate)
  }

  /// Returns the compiler of expressions on the row `s` of an entity.
  func compiler(_ entityName: String) -> ExpressionCompiler {
    ExpressionCompiler(
      schema: schema,
      database: configuration.schemaName,
      entity: entityName,
      alias: "s",
      now: manager?.now
    )
  }

  /// Returns the number of objects of an entity.
  ///
  /// - Throws: ``MigrationError`` where the model has no such entity, or an error of the database.
  public func count(entityName: String, includesSubentities: Bool = true) throws -> Int {
    if hasChanges { try save() }
    let layout = try layout(of: entityName)
    func sql() -> String {
      let numbers = numbers(entityName, includesSubentities)
      return pendingRows.map { $0.countSQL(of: layout, numbers) }
        ?? "SELECT COUNT(*) FROM \(layout.table) WHERE Z_ENT IN (\(numbers))"
    }
    let slot = includesSubentities ? layout.counts.below : layout.counts.alone
    let query = try slot.statement(sql(), on: database)
    let count = try query.statement.step() ? query.statement.int64(0) : 0
    query.statement.reset()
    return Int(count)
  }

  /// Visits the objects of an entity in order of their keys, holding none of them.
  ///
  /// - Parameters:
  ///   - includesSubentities: Whether objects of entities below it count.
  ///   - condition: A condition in SQL on the row `s`, or nil.
  ///   - body: Called with each object; false ends the visit.
  /// - Throws: ``MigrationError`` where the model has no such entity, what `body` throws, or an
  ///   error of the database.
  package func forEach(
    entityName: String,
    includesSubentities: Bool,
    where condition: String? = nil,
    _ body: (ManagedObject) throws -> Bool
  ) throws {
    var choices = FetchChoices()
    choices.includesSubentities = includesSubentities
    try forEach(entityName: entityName, choices, where: condition, body)
  }

  func numbers(_ entityName: String, _ includesSubentities: Bool) -> String {
    let numbers =
      includesSubentities
      ? schema.entityNumbers(below: entityName)
      : schema.entityNumber(entityName).map { [$0] } ?? []
    return PendingRows.list(numbers)
  }
}
