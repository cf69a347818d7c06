import MigrationPlanning
import ObjectModel

/// Why rows keep a hop from running, in words.
struct PreconditionRefusal {
  /// Which rows of which hop.
  let message: String
  private let canBeAccepted: Bool

  /// The refusal that an answer means; nil where no row is known to stand against the condition.
  init?(_ precondition: Precondition, _ answer: Precondition.Answer, _ hop: Hop) {
    guard case .refuted(let rows, _, let groups, let keys) = answer else { return nil }
    let evidence = Finding.Evidence(
      .refuted,
      rows: rows,
      groups: groups,
      keys: keys,
      words: precondition.kind.complaint
    )
    message =
      "\(precondition.code.rawValue): in \(precondition.place), \(rows) "
      + "\(rows == 1 ? "row" : "rows") \(evidence.complaint) "
      + "(\(hop.source.name) to \(hop.destination.name))"
    canBeAccepted = precondition.canBeAccepted
  }

  /// The refusal as an error.
  var error: MigrationError {
    MigrationError(
      .failed,
      message + ".",
      recovery: canBeAccepted
        ? "Correct those rows with the app, or accept the change (--accept-changed-values); "
          + "`waystone plan` counts all rows that stand in the way."
        : "Correct those rows with the app first; `waystone plan` counts all that stand in the way."
    )
  }
}
