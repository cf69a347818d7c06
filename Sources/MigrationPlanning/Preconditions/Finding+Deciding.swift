package import ObjectModel

extension Finding {
  /// Returns the finding with the evidence of the rows.
  ///
  /// A finding that is proven to cost nothing is a note. One that is refuted is an error where a run
  /// would stop at it, and a warning where the step keeps or drops the rows as declared.
  func decided(by evidence: Evidence, isRequired: Bool, canBeAccepted: Bool) -> Finding {
    var finding = self
    finding.evidence = evidence
    finding.statement += " \(evidence.sentence)"
    finding.isAcceptable = canBeAccepted
    switch evidence.verdict {
    case .proven:
      finding.risk = .exact
      finding.severity = .note
      finding.remedy = "Nothing needs to be done for this store."
    case .refuted where isRequired:
      finding.severity = .error
      finding.remedy =
        "Correct those rows with the app first"
        + (canBeAccepted ? ", or let the values change (migrate --accept-changed-values)." : ".")
    case .refuted where code.has(.counted): finding.severity = .warning
    case .refuted, .unknown: break
    }
    return finding
  }

  /// Returns whether the finding has the answer to a question already.
  func isAnswer(to precondition: Precondition) -> Bool {
    evidence != nil && code == precondition.code && place.entity == precondition.entity
      && place.property == precondition.property
  }

  /// The finding for a run that accepts changed values, and so continues.
  package var withChangedValuesAccepted: Finding {
    guard isRefused, isAcceptable else { return self }
    var finding = self
    finding.severity = .warning
    finding.remedy = "Nothing stands against it: --accept-changed-values lets these values change."
    return finding
  }

  /// Whether the evidence refutes a condition of the step, so that a run would stop.
  package var isRefused: Bool { severity == .error && evidence?.verdict == .refuted }
}
