package import MigrationPlanning
internal import StoreAccess
package import StoreMigration

extension PlanningRequest {
  /// Lends the evidence of the store's rows to a closure; nil where the plan is for no store.
  ///
  /// The store is open meanwhile, and closed before this returns.
  ///
  /// - Parameters:
  ///   - acceptsDamage: Whether a plan is made for a store with unreadable rows.
  ///   - knowledge: Receives the facts that are found of the store, for its run.
  ///   - sums: Whether values are summed up, for the verification of a run.
  ///   - onEvent: Called when the store is checked and asked.
  /// - Throws: `StoreAccessError` where it cannot be read, or was written to meanwhile.
  package func asking<Value>(
    acceptsDamage: Bool = false,
    knowledge: SourceCache = SourceCache(),
    sums: Bool = false,
    cancellation: Cancellation = Cancellation(),
    onEvent: @escaping (MigrationEvent) -> Void = { _ in },
    _ body: (StoreEvidence?) throws -> Value
  ) throws -> Value {
    guard let store, source != destination else { return try body(nil) }
    let questions = try StorePreconditionChecker(
      reading: store.readable,
      model: source.model,
      acceptsDamage: acceptsDamage,
      knowledge: knowledge,
      sums: sums,
      cancellation: cancellation,
      onEvent: onEvent
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
  }

  /// Returns the plan for a run.
  ///
  /// - Parameter evidence: The answers of the store's rows, where it is open to be asked.
  /// - Throws: ``PlanningError`` where there is no plan.
  package func plan(
    options: MigrationOptions,
    _ evidence: StoreEvidence? = nil
  ) throws -> MigrationPlan {
    try MigrationPlanner(graph: graph, survey: survey).plan(
      from: source,
      to: destination,
      options: options.planning,
      evidence: evidence
    )
  }

  /// Lends the evidence of the store's rows to a closure, as a run with these options asks it.
  ///
  /// - Throws: As ``asking(acceptsDamage:_:)``; where the closure throws because the store is damaged, what
  ///   can be read of it.
  package func asking<Value>(
    _ options: MigrationOptions,
    _ body: (StoreEvidence?) throws -> Value
  ) throws -> Value {
    guard options.asksRows else { return try body(nil) }
    do {
      return try asking(
        acceptsDamage: options.settings.acceptsDamagedSource,
        knowledge: options.knowledge,
        sums: options.settings.verification != .none,
        cancellation: options.cancellation,
        onEvent: options.onEvent,
        body
      )
    } catch let error as StoreAccessError where error.code == .damaged {
      throw error
    } catch {
      guard let store else { throw error }
      throw StoreMigrator.damage(of: store.readable, cancellation: options.cancellation) ?? error
    }
  }
}
