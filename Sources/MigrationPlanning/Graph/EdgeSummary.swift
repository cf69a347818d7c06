package import ObjectModel

/// An edge in a few words: its verdict and risks, without mapping and findings.
package struct EdgeSummary: Hashable, Sendable {
  /// The index of the version that it leaves.
  package let source: Int
  /// The index of the version that it leads to.
  package let destination: Int
  /// The kind of the edge: inferred, extended or authored.
  package let kind: EdgeKind
  /// The verdict on the edge; nil where it is refused, or where nothing was compared.
  package internal(set) var verdict: EdgeVerdict?
  /// The effects on the data, counted by risk.
  package internal(set) var risks: RiskCounts
  /// The reasons for a refusal; empty where there is a mapping.
  package let refusals: [Finding]
  /// The files of an authored edge; empty for an inferred one.
  package var origins: [AuthoredEdge.Origin] = []
  /// The policies that it names.
  package internal(set) var policyNames: [String] = []
  /// The bytes that it writes, about; 0 where no store was asked.
  package internal(set) var estimatedBytes = 0
  /// Whether one of its ends follows the other directly.
  package var isConsecutive = false
  /// The fewest consecutive steps between its ends.
  package internal(set) var stepCount = 1

  /// Whether there is no mapping.
  package var isRefused: Bool { !refusals.isEmpty }
  /// `inferred`, `extended` or `authored`; nil where it is refused.
  package var kindName: String? { isRefused ? nil : kind.rawValue }

  /// The cost of taking the edge; none without a verdict.
  package var cost: PlanCost {
    var cost = PlanCost()
    switch verdict {
    case .notEquivalent: cost.notEquivalent = 1
    case .unknown: cost.unknown = stepCount
    case .equivalent: break
    case nil: return cost
    }
    cost.hops = 1
    cost.undeclaredLosses = risks.undeclared
    cost.refuted = risks.refuted
    cost.unknownPreconditions = risks.conditional
    cost.lossyFindings = risks.lossy
    cost.estimatedBytes = estimatedBytes
    return cost
  }
}

extension EdgeSummary {
  /// Makes the summary of an edge that was made with all its findings.
  package init(_ edge: VersionGraph.Edge, _ verdict: EdgeVerdict? = nil) {
    self.init(
      source: edge.source,
      destination: edge.destination,
      kind: edge.kind,
      verdict: verdict,
      risks: RiskCounts(of: edge.findings),
      refusals: edge.refusals,
      origins: edge.origins,
      policyNames: edge.mapping?.policyNames ?? [],
      isConsecutive: edge.isConsecutive
    )
  }
}
