package import ObjectModel

extension AppOutcome {
  /// The outcome for a store whose data was asked about the same steps.
  ///
  /// Where rows stand against what a step wants, Core Data does not look first: it stops at a unique
  /// index that cannot be made, and puts a number into a smaller type as it fits.
  /// - Parameter findings: What the steps do, those findings decided that the data decides.
  package func decided(by findings: [Finding]) -> AppOutcome {
    guard kind == .arrives || kind == .keeps else { return self }
    var outcome = self
    for index in outcome.findings.indices where outcome.findings[index].risk == .conditional {
      let own = outcome.findings[index]
      let known = findings.first {
        $0.code == own.code && $0.place == own.place && $0.evidence != nil
      }
      guard let known, let evidence = known.evidence else { continue }
      outcome.findings[index] = known
      guard evidence.verdict == .refuted else { continue }
      switch own.code {
      case .uniquenessAdded: outcome.end(as: .fails, because: known)
      case .typeNarrowed: outcome.end(as: .loses, because: known)
      default: outcome.end(as: .unknown, because: known)
      }
    }
    return outcome
  }

  /// Ends in a worse way than the rows before it would have it.
  private mutating func end(as worse: Kind, because reason: Finding) {
    let place = [reason.place.entity, reason.place.property].compactMap { $0 }
      .joined(separator: ".")
    let code: FindingCode
    let words: String
    switch worse {
    case .fails: (code, words) = (.appFails, "Core Data stops at rows of the store, for \(place):")
    case .loses:
      (code, words) = (.appLosesSilently, "The app changes values of \(place):")
    case .unknown, .arrives, .keeps:
      (code, words) = (.appOutcomeUnknown, "What Core Data makes of \(place) is unknown:")
    }
    let order: [Kind] = [.arrives, .keeps, .unknown, .loses, .fails]
    if (order.firstIndex(of: kind) ?? 0) < (order.firstIndex(of: worse) ?? 0) { kind = worse }
    var finding = Finding(
      code,
      worse == .unknown ? .warning : .error,
      risk: worse == .loses ? .undeclared : nil,
      at: reason.place,
      message: "\(words) \(reason.evidence?.sentence ?? "")",
      remedy: "Let an earlier version of the app correct those rows, or write a mapping model."
    )
    finding.evidence = reason.evidence
    findings.append(finding)
    if worse != .unknown {
      summary = worse == .fails ? "Stops at rows of the store." : "Changes values of the store."
    }
  }
}
