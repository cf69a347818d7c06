import MigrationPlanning
import ObjectModel
import StoreAccess

extension Preflight {
  /// Refuses to begin where rows of the store would stop a hop.
  ///
  /// Each hop asks the same again of the checkpoint before it; what cannot be known yet is left to
  /// that.
  ///
  /// - Returns: The conditions of the first hop that hold, which is of the store itself.
  /// - Throws: ``MigrationError`` with `failed`, which names the first condition that does not hold.
  /// - Complexity: A pass over rows for each condition of each hop.
  func checkData(
    _ connection: borrowing SQLiteConnection,
    _ preflight: Result,
    externalData: String
  ) throws -> Set<Precondition> {
    guard let first = preflight.legs.first else { return [] }
    try ExpressionFunctions.register(on: connection)
    let queries = PreconditionQueries(
      schema: first.source,
      database: "main",
      externalData: externalData,
      proof: proof
    )
    var holding: Set<Precondition> = []
    var way = NormalMapping(identityOf: plan.source.model)
    for (index, (hop, leg)) in zip(plan.hops, preflight.legs).enumerated() {
      for precondition in leg.program.preconditions
      where !(precondition.canBeAccepted && settings.acceptsChangedValues) {
        guard case .question(let question) = precondition.pulledBack(through: way) else { continue }
        let answer = queries.answer(to: question, on: connection)
        if let refusal = PreconditionRefusal(precondition, answer, hop) { throw refusal.error }
        if index == 0, case .proven = answer { holding.insert(precondition) }
      }
      way = way.followed(by: hop.way)
    }
    return holding
  }
}
