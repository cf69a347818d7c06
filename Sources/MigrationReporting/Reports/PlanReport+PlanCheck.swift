package import Waystone

extension PlanReport {
  /// Adds what a check of the plan found, and what a run of it would be refused by.
  package mutating func add(_ check: PlanCheck) {
    for (hop, finding) in check.settlement.findingsOfHops where hops.indices.contains(hop) {
      hops[hop].findings.append(finding)
    }
    findings += check.findings
    refusals =
      check.unprovenNames.map { ("--accept-unproven-names", $0) }
      + check.foreignSQL.map { ("--allow-sql", $0) }
  }
}
