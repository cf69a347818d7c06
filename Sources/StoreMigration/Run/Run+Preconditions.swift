import MigrationPlanning
import ObjectModel
import StoreAccess

extension Run {
  /// Counts the rows that violate a condition of the pass, and throws if there are any.
  ///
  /// In an unchanged copy, conditions that were checked in the store are not checked again.
  ///
  /// - Returns: The changes to rows, where they are accepted.
  func checkPreconditions(
    _ compiled: CompiledHop,
    _ pass: Pass,
    _ last: Checkpoint
  ) throws -> [AcceptedChange] {
    let known = last.event == .copied ? holding : []
    let open = compiled.program.preconditions.filter { !known.contains($0) }
    // The hop itself counts its lookups.
    let unknown = pass.reportedQuestions.filter {
      !open.contains($0.precondition) && $0.precondition.code != .lookupFindsNothing
    }
    guard !open.isEmpty || !unknown.isEmpty else { return [] }
    let connection = try SQLiteConnection(path: ":memory:", access: .inMemory)
    try connection.attach(path: last.file, as: "old", access: .readOnly)
    try ExpressionFunctions.register(on: connection)
    var queries = PreconditionQueries(
      schema: compiled.source,
      database: "old",
      externalData: try externalData
    )
    try queries.countTogether(open, connection)
    var changes: [AcceptedChange] = []
    for precondition in open {
      let answer = try queries.ask(precondition, on: connection)
      let isLast = !precondition.isSeenByRuns
      let hop = pass.hop(asking: precondition)
      guard let refusal = PreconditionRefusal(precondition, answer, hop, isLast: isLast) else {
        continue
      }
      guard precondition.canBeAccepted, options.settings.acceptsChangedValues else {
        throw refusal.error
      }
      options.onEvent(.noted(refusal.message))
      // Values that expressions turn into nothing are counted after the hop.
      guard isCertified || hop.kind == .authored, precondition.kind != .kept else { continue }
      changes += try self.changes(precondition, queries, connection)
    }
    for (hop, precondition) in unknown {
      let answer = try queries.ask(precondition, on: connection)
      let count = PreconditionRefusal(precondition, answer, hop)
      if let count { options.onEvent(.noted(count.message)) }
    }
    return changes
  }

  /// Returns the changes to rows that violate a condition, by entity and property.
  private func changes(
    _ precondition: Precondition,
    _ queries: PreconditionQueries,
    _ connection: borrowing SQLiteConnection
  ) throws -> [AcceptedChange] {
    var changes: [AcceptedChange] = []
    for subject in precondition.subjects {
      guard let name = subject.values.first?.unchanged.carriedProperty else { continue }
      var own = precondition
      own.subjects = [subject]
      let rows: Int64?
      switch try queries.ask(own, on: connection) {
      case .proven: continue
      case .refuted(let count, _, _, _): rows = count
      case .unknown: rows = nil
      }
      changes.append(
        AcceptedChange(precondition.code, entity: subject.entity, property: name, rows: rows)
      )
    }
    return changes
  }
}
