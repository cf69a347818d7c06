package import ObjectModel

extension Finding {
  /// The finding, with what the data says about it.
  ///
  /// What is proven to cost nothing is exact and a mere note. What is refuted is an error where a run
  /// would stop at it, and a warning where the rows are kept or dropped as the step says.
  func decided(by evidence: Evidence, isRequired: Bool, canBeAccepted: Bool) -> Finding {
    var finding = self
    finding.evidence = evidence
    finding.message += " " + evidence.sentence
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
    case .refuted where code.isCountedByRuns: finding.severity = .warning
    case .refuted, .unknown: break
    }
    return finding
  }

  /// Whether it says already what the data answers to a question.
  func isAnswer(to precondition: Precondition) -> Bool {
    evidence != nil && code == precondition.code && place.entity == precondition.entity
      && place.property == precondition.property
  }

  /// The same where a person lets values change: a run goes on.
  package var withChangedValuesAccepted: Finding {
    guard isRefused, isAcceptable else { return self }
    var finding = self
    finding.severity = .warning
    finding.remedy = "Nothing stands against it: --accept-changed-values lets these values change."
    return finding
  }

  /// Whether the data says that a step cannot be taken as it is.
  package var isRefused: Bool { severity == .error && evidence?.verdict == .refuted }
}
