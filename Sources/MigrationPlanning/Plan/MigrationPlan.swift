public import ObjectModel

/// The hops that take a store from one version to another.
///
/// Only a ``MigrationPlanner`` makes plans, so that each hop starts where the one before it ends.
public struct MigrationPlan: Hashable, Sendable {
  /// Where the plan starts.
  public let source: VersionGroup
  /// Where the plan ends.
  public let destination: VersionGroup
  /// The hops in the order in which they run; none where source and destination are equal.
  public let hops: [Hop]
  /// What the plan as a whole has to say; each hop has its own findings besides.
  public let findings: [Finding]
  /// The sum of the hops' costs.
  public let cost: PlanCost
  /// 64 hexadecimal digits that change with anything that changes what the plan does.
  ///
  /// SHA-256 over the tool's version, the hashes of every model on the way and each mapping; the
  /// same in every process and on every platform.
  ///
  /// - Complexity: O(*p*) in the properties of all hops' mappings.
  public var fingerprint: String {
    PlanFingerprint.text(source: source, destination: destination, hops: hops)
  }

  init(source: VersionGroup, destination: VersionGroup, hops: [Hop], findings: [Finding]) {
    self.source = source
    self.destination = destination
    var held = HeldEntities(of: source.model)
    self.hops = hops.enumerated().map { place, hop in
      guard place > 0 else { return hop }
      held.take(hops[place - 1].mapping)
      var hop = hop
      hop.findings = held.findings(hop.findings, leaving: hop.source.model)
      return hop
    }
    self.findings = findings
    cost = hops.cost
  }

  /// The findings of the plan and then of each hop in turn.
  public var allFindings: [Finding] { findings + hops.flatMap(\.findings) }
}
