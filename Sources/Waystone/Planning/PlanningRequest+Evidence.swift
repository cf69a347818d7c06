package import MigrationPlanning
internal import StoreAccess
package import StoreMigration

extension PlanningRequest {
  /// Lends the evidence of the store's rows to a closure, as a run with some options asks it; nil where the plan
  /// is for no store, or the options ask no rows.
  ///
  /// The store is open meanwhile, and closed before this returns.
  ///
  /// - Throws: `StoreAccessError` where it cannot be read, or was written to meanwhile; where the closure throws
  ///   because the store is damaged, what can be read of it.
  package func asking<Value>(
    _ options: MigrationOptions,
    _ body: (StoreEvidence?) throws -> Value
  ) throws -> Value {
    guard options.asksRows, let store else { return try body(nil) }
    do {
      guard source != destination else { return try body(nil) }
      let questions = try StorePreconditionChecker(
        reading: store.readable,
        model: source.model,
        acceptsDamage: options.settings.acceptsDamagedSource,
        knowledge: options.knowledge,
        sums: options.settings.verification != .none,
        cancellation: options.cancellation,
        onEvent: options.onEvent
      )
      let value: Value
      do {
        value = try body(
          StoreEvidence(graph: graph, source: source, checker: questions, survey: survey)
        )
      } catch {
        // There may be no plan only because the store could not be read.
        try questions.checkUnchanged()
        throw error
      }
      // A plan that asks nothing is refused for damage, too.
      questions.read()
      try questions.checkUnchanged()
      return value
    } catch let error as StoreAccessError where error.code == .damaged {
      throw error
    } catch {
      // Accepted damage is no reason why there is no plan.
      guard !options.settings.acceptsDamagedSource else { throw error }
      throw StoreMigrator.damage(of: store.readable, cancellation: options.cancellation) ?? error
    }
  }

  /// Returns the plan for a run.
  ///
  /// - Parameter evidence: The answers of the store's rows, where it is open to be asked.
  /// - Throws: ``PlanningError`` where there is no plan.
  package func plan(
    options: MigrationOptions,
    _ evidence: StoreEvidence? = nil
  ) throws(PlanningError) -> MigrationPlan {
    try MigrationPlanner(graph: graph, survey: survey).plan(
      from: source,
      to: destination,
      options: options.planning,
      evidence: evidence
    )
  }
}
