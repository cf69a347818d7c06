package import ObjectModel

extension AppMigration {
  /// Returns an outcome for a store, whose rows are asked about the app's own steps and not about
  /// Waystone's.
  ///
  /// - Complexity: The queries of the findings that the data decides, each asked once.
  package func outcome(
    _ outcome: AppOutcome,
    from source: VersionGroup,
    to destination: VersionGroup,
    decidedBy evidence: StoreEvidence
  ) -> AppOutcome {
    guard outcome.kind.isArrival, source != destination,
      let steps = try? steps(from: source, to: destination)
    else { return outcome }
    return outcome.decided(
      by: steps.flatMap { evidence.findings(of: $0) },
      destination.model.framework
    )
  }
}

extension AppOutcome {
  /// Returns the outcome for a store whose rows were asked about the same steps.
  ///
  /// Core Data does not check rows first: it stops at a unique index that cannot be made, and truncates
  /// a number to a smaller type.
  /// - Parameter findings: The effects of the steps, with the evidence of the rows.
  package func decided(
    by findings: [Finding],
    _ framework: ModelFramework = .coreData
  ) -> AppOutcome {
    guard kind.isArrival else { return self }
    var outcome = self
    outcome.drops = findings.filter(\.isDropped)
    for index in outcome.findings.indices where outcome.findings[index].risk == .conditional {
      let own = outcome.findings[index]
      let known = findings.first {
        $0.code == own.code && $0.place == own.place && $0.evidence != nil
      }
      guard let known, let evidence = known.evidence else { continue }
      outcome.findings[index] = known
      guard evidence.verdict == .refuted else { continue }
      outcome.end(as: own.effectInApp ?? .unknown, because: known, framework)
    }
    return outcome
  }

  /// Returns the outcome for a store that violates its model: unknown, because Core Data's behaviour on
  /// it was never measured.
  package func ofUnsoundStore(because reason: Finding) -> AppOutcome {
    var outcome = self
    outcome.kind = .unknown
    outcome.summary = "The store is not as its model says."
    outcome.findings = [
      .unknownInApp(
        at: reason.place,
        "The store is not as its model says; what Core Data makes of it is unknown.",
        reason.advice
      )
    ]
    return outcome
  }

  /// Replaces the outcome by a worse one.
  private mutating func end(
    as worse: Kind,
    because reason: Finding,
    _ framework: ModelFramework
  ) {
    let place = reason.place.subject ?? ""
    let code: FindingCode
    let words: String
    switch worse {
    case .fails: (code, words) = (.appFails, "Core Data stops at rows of the store, for \(place):")
    case .loses:
      (code, words) = (.appLosesSilently, "The app changes values of \(place):")
    case .unknown, .arrives, .otherDefaults, .keeps:
      (code, words) = (.appOutcomeUnknown, "What Core Data makes of \(place) is unknown:")
    }
    let order = Kind.allCases.filter(\.isArrival) + [.unknown, .loses, .fails]
    if (order.firstIndex(of: kind) ?? 0) < (order.firstIndex(of: worse) ?? 0) { kind = worse }
    var finding = Finding(
      code,
      .error,
      risk: worse == .loses ? .undeclared : nil,
      at: reason.place,
      message: "\(words) \(reason.evidence?.sentence ?? "")",
      remedy: framework == .swiftData
        ? "Let an earlier version of the app correct those rows, or \(framework.mapping())."
        : "Let an earlier version of the app correct those rows, or write a mapping model."
    )
    finding.evidence = reason.evidence
    findings.append(finding)
    if worse != .unknown {
      summary = worse == .fails ? "Stops at rows of the store." : "Changes values of the store."
    }
  }
}
