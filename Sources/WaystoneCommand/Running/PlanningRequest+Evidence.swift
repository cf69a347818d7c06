internal import MigrationPlanning
internal import StoreAccess
internal import StoreMigration

extension PlanningRequest {
  /// Lends what the store's data says to a closure; nil where the plan is for no store.
  ///
  /// The store is open meanwhile, and closed before this returns.
  ///
  /// - Parameter acceptsDamage: Whether a store of which rows cannot be read is planned for.
  /// - Throws: `StoreAccessError` where it cannot be read, or was written to meanwhile.
  func asking<Value>(
    _ console: Console,
    acceptsDamage: Bool = false,
    _ body: (StoreEvidence?) throws -> Value
  ) throws -> Value {
    guard let store, source != destination else { return try body(nil) }
    let questions = try StoreQuestions(
      reading: console.resolved(store.path),
      model: source.model,
      acceptsDamage: acceptsDamage
    )
    let value: Value
    do {
      value = try body(StoreEvidence(graph: graph, source: source, checker: questions))
    } catch {
      // There may be no plan only because the store could not be read.
      try questions.checkUnchanged()
      throw error
    }
    try questions.checkUnchanged()
    return value
  }
}
