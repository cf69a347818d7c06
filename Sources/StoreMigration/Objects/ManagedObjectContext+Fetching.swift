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
  /// - Throws: As ``fetch(entityName:includesSubentities:predicate:)``, and what `body` throws.
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
    guard let predicate else {
      try forEach(entityName: entityName, includesSubentities: includesSubentities, body)
      return
    }
    // Variables are the caller's, and mean something else to the compiler.
    if !predicate.description.contains("$"), let condition = compiled(predicate, entityName) {
      try forEach(
        entityName: entityName,
        includesSubentities: includesSubentities,
        where: condition,
        body
      )
      return
    }
    var evaluator = manager?.evaluator ?? ExpressionEvaluator()
    evaluator.variables.merge(variables) { $1 }
    try forEach(entityName: entityName, includesSubentities: includesSubentities) { object in
      try evaluator.evaluate(predicate, with: .object(object)) ? body(object) : true
    }
  }

  /// Returns the predicate in SQL on the row `s`; nil where SQL cannot express it.
  private func compiled(_ predicate: Predicate, _ entityName: String) -> String? {
    guard model[entityName] != nil else { return nil }
    return ExpressionCompiler(
      schema: schema,
      database: configuration.schemaName,
      entity: entityName,
      alias: "s",
      now: manager?.now
    ).compile(predicate)
  }

  /// Returns the number of objects of an entity.
  ///
  /// - Throws: ``MigrationError`` where the model has no such entity, or an error of the database.
  public func count(entityName: String, includesSubentities: Bool = true) throws -> Int {
    if hasChanges { try save() }
    let layout = try layout(of: entityName)
    let numbers = numbers(entityName, includesSubentities)
    let sql = "SELECT COUNT(*) FROM \(layout.table) WHERE Z_ENT IN (\(numbers))"
    let query = try database.statement(sql)
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
    if hasChanges { try save() }
    let layout = try layout(of: entityName)
    let numbers = numbers(entityName, includesSubentities)
    let filter = condition.map { " AND (\($0))" } ?? ""
    let version = configuration.isOfOpenedStore ? ", s.Z_OPT" : ""
    let cursor = try database.cursor(
      "SELECT s.Z_PK, s.Z_ENT\(version) FROM \(layout.table) AS s"
        + " WHERE s.Z_ENT IN (\(numbers))\(filter) ORDER BY s.Z_PK"
    )
    while try cursor.statement.step() {
      let (key, number) = (cursor.statement.int64(0), cursor.statement.int64(1))
      guard let object = try object(number: number, key: key) else { continue }
      if configuration.isOfOpenedStore, object.unsaved == nil, object.values.isEmpty {
        object.version = max(0, cursor.statement.int64(2))
      }
      guard try body(object) else { return }
    }
  }

  private func numbers(_ entityName: String, _ includesSubentities: Bool) -> String {
    let numbers =
      includesSubentities
      ? schema.entityNumbers(below: entityName)
      : schema.entityNumber(entityName).map { [$0] } ?? []
    return numbers.map { String($0) }.joined(separator: ", ")
  }
}
