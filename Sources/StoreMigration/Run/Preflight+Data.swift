import MigrationPlanning
import ObjectModel
import StoreAccess

extension Preflight {
  /// Throws if rows of the store would stop a hop.
  ///
  /// Each hop checks the same again in the checkpoint before it; conditions that cannot be checked yet
  /// are left to that.
  ///
  /// - Returns: The conditions of the first pass that hold, which is of the store itself.
  /// - Throws: ``MigrationError`` with `failed`, which names the first condition that does not hold.
  /// - Complexity: One reading of the rows for all conditions that each of them answers, and one for
  ///   each other condition.
  func checkData(
    _ connection: borrowing SQLiteConnection,
    _ preflight: Result,
    externalData: String
  ) throws -> Set<Precondition> {
    guard let first = preflight.hops.first else { return [] }
    try ExpressionFunctions.register(on: connection)
    var queries = PreconditionQueries(
      schema: first.source,
      database: "main",
      externalData: externalData,
      proof: proof
    )
    var holding: Set<Precondition> = []
    var asked: [(pass: Int, precondition: Precondition, question: Precondition)] = []
    let steps = preflight.passes.map(\.hop).mappings
    for (index, (compiled, step)) in zip(preflight.hops, steps).enumerated() {
      for precondition in compiled.program.preconditions
      where !(precondition.canBeAccepted && settings.acceptsChangedValues) {
        guard case .question(let question) = precondition.asked(through: step.before) else {
          continue
        }
        asked.append((index, precondition, question))
      }
    }
    // Where that fails, each question fails by itself, and is checked again before its hop.
    try? queries.countTogether(asked.map(\.question), connection)
    for (index, precondition, question) in asked {
      let answer = queries.answer(to: question, on: connection)
      let hop = preflight.passes[index].hop(asking: precondition)
      if let refusal = PreconditionRefusal(precondition, answer, hop) {
        throw refusal.error
      }
      if index == 0, case .proven = answer { holding.insert(precondition) }
    }
    return holding
  }
}
