package import Waystone

extension PlanReport {
  /// Adds the findings of a check of the plan, and the reasons that a run would be refused for.
  ///
  /// - Parameter isWhole: Whether findings are added to the plan as a whole, because the findings of
  ///   hops are not shown.
  package mutating func add(_ check: PlanCheck, isWhole: Bool = false) {
    for (hop, finding) in check.settlement.findingsOfHops where hops.indices.contains(hop) {
      hops[hop].findings.append(finding)
    }
    if let last = hops.indices.last, !isWhole {
      hops[last].findings += check.transformers
    } else {
      // A plan without hops may have reported the differences between versions of the same hashes.
      findings += check.transformers.filter { finding in
        !findings.contains { $0.code == finding.code && $0.place.subject == finding.place.subject }
      }
    }
    findings += check.findings
    refusedCodes = check.refusals.filter { $0.option == nil }.map(\.code)
    refusals = check.refusals.compactMap { refusal in
      refusal.option.map { ($0, refusal.message) }
    }
  }
}
