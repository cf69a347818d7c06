package import MigrationPlanning
import ObjectModel

/// The reason, in words, why rows keep a hop from running.
package struct PreconditionRefusal {
  /// The message that names the rows and the hop.
  package let message: String
  /// The condition that rows are known to break; nil where that is unknown.
  private var brokenCondition: FindingCode?
  private let canBeAccepted: Bool

  /// Makes the refusal of an answer; nil where no row is known to violate the condition.
  /// - Parameter isLast: Whether the question is not asked again before the hop runs, so that an
  ///   unknown answer refuses it too.
  package init?(
    _ precondition: Precondition,
    _ answer: Precondition.Answer,
    _ hop: Hop,
    isLast: Bool = false
  ) {
    canBeAccepted = precondition.canBeAccepted
    let name = "\(precondition.code.rawValue): in \(precondition.place), "
    let step = " (\(hop.source.name) to \(hop.destination.name))"
    if isLast, case .unknown(let reason) = answer {
      message = name + "whether rows stand against the step is unknown: \(reason)" + step
      return
    }
    guard case .refuted(let rows, _, let groups, let keys) = answer else { return nil }
    brokenCondition = precondition.code
    let evidence = Finding.Evidence(
      .refuted,
      rows: rows,
      groups: groups,
      keys: keys,
      words: precondition.kind.complaint
    )
    message = name + "\(rows) \(rows == 1 ? "row" : "rows") \(evidence.complaint)" + step
  }

  /// The refusal as an error.
  package var error: MigrationError {
    var error = MigrationError(
      .failed,
      message + ".",
      recovery: canBeAccepted
        ? "Correct those rows with the app, or accept the change (--accept-changed-values); "
          + "`waystone plan` counts all rows that stand in the way."
        : "Correct those rows with the app first; `waystone plan` counts all that stand in the way."
    )
    error.refusal = brokenCondition?.rawValue
    return error
  }
}
