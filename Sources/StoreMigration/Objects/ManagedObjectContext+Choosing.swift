package import ObjectModel
import StoreAccess

/// The choices of a fetch.
package struct FetchChoices {
  /// Whether objects of entities below the entity count.
  package var includesSubentities = true
  /// The condition; nil for all objects.
  package var predicate: Predicate?
  /// The values of the predicate's variables.
  package var variables: [String: ExpressionValue] = [:]
  /// The order; that of the keys where nil.
  package var order: FetchOrder?
  /// The number of results that are left out at the beginning.
  package var offset = 0
  /// The greatest number of results; nil for all.
  package var limit: Int?
  /// Whether the values of an opened store's objects are read along with them.
  package var readsValues = false
  /// Whether the numbers of saves of an opened store's objects are read along with their keys.
  package var readsVersions = false

  /// The choice of all objects, without their values.
  package init() {}
}

/// An order of objects that SQL can express.
package struct FetchOrder {
  fileprivate let sql: String
}

extension ManagedObjectContext {
  /// Returns the order by the values at key paths, and then by the objects' keys; nil where SQL cannot express it.
  package func order(
    of entityName: String,
    by keys: [(path: [String], isAscending: Bool)]
  ) -> FetchOrder? {
    guard model[entityName] != nil else { return nil }
    return compiler(entityName).order(
      by: keys.map { (.keyPath(.evaluatedObject, $0.path), $0.isAscending) }
    ).map { FetchOrder(sql: $0) }
  }
}

extension ManagedObjectContext {
  /// Visits the objects that are chosen, in their order.
  ///
  /// - Parameter body: Called with each object; false ends the visit.
  /// - Throws: ``MigrationError`` where the model has no such entity, the error of an evaluation that fails, what
  ///   `body` throws, or an error of the database.
  /// - Complexity: O(*results* + *offset*), where SQL can express the predicate and has an index for it; else
  ///   O(*objects* of the entity).
  package func forEach(
    entityName: String,
    _ choices: FetchChoices,
    _ body: (ManagedObject) throws -> Bool
  ) throws {
    guard let predicate = choices.predicate else {
      return try forEach(entityName: entityName, choices, where: nil, body)
    }
    if let condition = self.condition(predicate, entityName) {
      return try forEach(entityName: entityName, choices, where: condition, body)
    }
    var evaluator = manager?.evaluator ?? ExpressionEvaluator()
    evaluator.variables.merge(choices.variables) { $1 }
    var all = choices
    (all.offset, all.limit) = (0, nil)
    var (skipped, left) = (0, choices.limit ?? .max)
    guard left > 0 else { return }
    try forEach(entityName: entityName, all, where: nil) { object in
      guard try evaluator.evaluate(predicate, with: .object(object)) else { return true }
      guard skipped >= choices.offset else {
        skipped += 1
        return true
      }
      left -= 1
      return try body(object) && left > 0
    }
  }

  /// Visits the keys of the objects that are chosen, in their order, without making the objects.
  ///
  /// - Parameter body: Called with each object's layout, key and number of saves; that is 0 where the choices do not
  ///   ask for it.
  /// - Returns: Whether SQL can express the choice; else nothing was visited.
  /// - Throws: ``MigrationError`` where the model has no such entity, or an error of the database.
  package func forEachKey(
    entityName: String,
    _ choices: FetchChoices,
    _ body: (EntityLayout, Int64, Int64) throws -> Void
  ) throws -> Bool {
    var condition: String?
    if let predicate = choices.predicate {
      condition = self.condition(predicate, entityName)
      if condition == nil { return false }
    }
    let columns = choices.readsVersions ? ", s.Z_OPT" : ""
    let cursor = try self.cursor(entityName, choices, columns, where: condition)
    while try cursor.statement.step() {
      guard let layout = try layout(number: cursor.statement.int64(1)) else { continue }
      let version = choices.readsVersions ? max(0, cursor.statement.int64(2)) : 0
      try body(layout, cursor.statement.int64(0), version)
    }
    return true
  }

  /// Returns the number of objects that are chosen; nil where SQL cannot express the choice.
  ///
  /// - Throws: ``MigrationError`` where the model has no such entity, or an error of the database.
  /// - Complexity: Without a predicate that of SQLite's `count(*)`; changes that are not saved are counted apart.
  package func count(entityName: String, _ choices: FetchChoices) throws -> Int? {
    var count: Int
    if let predicate = choices.predicate {
      guard let condition = self.condition(predicate, entityName) else { return nil }
      if hasChanges { try save() }
      let rows = try source(entityName, choices, where: condition)
      let cursor = try database.cursor("SELECT COUNT(*) FROM \(rows)")
      count = try cursor.statement.step() ? Int(cursor.statement.int64(0)) : 0
    } else {
      count = try self.count(
        entityName: entityName,
        includesSubentities: choices.includesSubentities
      )
    }
    count = max(0, count - choices.offset)
    return min(count, choices.limit ?? count)
  }

  /// Returns the predicate in SQL on the row `s`; nil where SQL cannot express it.
  private func condition(_ predicate: Predicate, _ entityName: String) -> String? {
    // Variables are the caller's, and mean something else to the compiler.
    predicate.description.contains("$") ? nil : compiled(predicate, entityName)
  }

  /// Returns the rows `s` of an entity, and the condition that they are chosen.
  private func source(
    _ entityName: String,
    _ choices: FetchChoices,
    where condition: String?
  ) throws -> String {
    let layout = try layout(of: entityName)
    let numbers = numbers(entityName, choices.includesSubentities)
    let filter = condition.map { " AND (\($0))" } ?? ""
    // The view costs a look into the pending rows for each row of the file.
    let table = try pendingRows?.fileOnly(layout.tableName) ?? layout.table
    return "\(table) AS s WHERE s.Z_ENT IN (\(numbers))\(filter)"
  }

  private func cursor(
    _ entityName: String,
    _ choices: FetchChoices,
    _ columns: String,
    where condition: String?
  ) throws -> PreparedStatement {
    if hasChanges { try save() }
    let part =
      choices.offset > 0 || choices.limit != nil
      ? " LIMIT \(choices.limit ?? -1) OFFSET \(choices.offset)" : ""
    let rows = try source(entityName, choices, where: condition)
    return try database.cursor(
      "SELECT s.Z_PK, s.Z_ENT\(columns) FROM \(rows) ORDER BY \(choices.order?.sql ?? "s.Z_PK")\(part)"
    )
  }

  /// Visits the objects that a condition in SQL chooses.
  func forEach(
    entityName: String,
    _ choices: FetchChoices,
    where condition: String?,
    _ body: (ManagedObject) throws -> Bool
  ) throws {
    let isOpened = configuration.isOfOpenedStore
    let readsValues = isOpened && choices.readsValues
    let columns = readsValues ? try RowColumns(of: layout(of: entityName), in: self) : nil
    let cursor = try self.cursor(
      entityName,
      choices,
      columns?.list ?? (isOpened ? ", s.Z_OPT" : ""),
      where: condition
    )
    var last: (layout: EntityLayout, places: [Int])?
    while try cursor.statement.step() {
      let (key, number) = (cursor.statement.int64(0), cursor.statement.int64(1))
      guard let object = try object(number: number, key: key) else { continue }
      if isOpened, object.unsaved == nil, object.values.isEmpty || object.readAlong != 0 {
        object.refetch(max(0, cursor.statement.int64(2)))
        if let columns {
          if last?.layout !== object.layout {
            last = (object.layout, columns.places(of: object.layout))
          }
          object.values = cursor.statement.values(of: last?.places ?? [])
          object.readAlong = round
          for value in object.values { note(value) }
        }
      }
      guard try body(object) else { return }
    }
  }
}
