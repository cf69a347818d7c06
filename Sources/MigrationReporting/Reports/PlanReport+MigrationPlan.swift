package import MigrationPlanning
package import ObjectModel

extension PlanReport {
  /// A plan, with the versions called as the archive calls them.
  package init(_ plan: MigrationPlan, store: String?, name: (ModelVersion) -> String) {
    self.init(
      store: store,
      from: name(plan.source.version),
      to: name(plan.destination.version),
      hops: plan.hops.map { hop in
        var step = Step(
          from: name(hop.source.version),
          to: name(hop.destination.version),
          kind: hop.kind.rawValue,
          reason: hop.reason,
          findings: hop.findings
        )
        step.mappings = hop.origins.map(\.path)
        step.policies = hop.mapping.policyNames
        step.size = hop.size
        return step
      },
      findings: plan.findings,
      fingerprint: plan.fingerprint
    )
    cost = plan.cost
  }

  /// The reason why there is no plan, and how far one gets.
  ///
  /// - Parameter hops: The plan to the furthest version, where one gets anywhere at all.
  package init(
    _ error: PlanningError,
    from source: ModelVersion,
    to destination: ModelVersion,
    hops: MigrationPlan?,
    store: String?,
    name: (ModelVersion) -> String
  ) {
    let reached = hops.map { PlanReport($0, store: store, name: name) }
    self.init(
      store: store,
      from: name(source),
      to: name(destination),
      hops: reached?.hops ?? [],
      blocked: error.blockedSteps.map { step in
        Step(
          from: step.source,
          to: step.destination,
          kind: nil,
          reason: "",
          findings: step.reasons
        )
      },
      furthest: reached?.to ?? name(source)
    )
  }
}
