public import ObjectModel

/// The hops that take a store from one version to another.
///
/// The planner alone makes plans, so that each hop starts where the one before it ends.
public struct MigrationPlan: Hashable, Sendable {
  /// The version where the plan starts.
  public let source: VersionGroup
  /// The version where the plan ends.
  public let destination: VersionGroup
  /// The hops in the order in which they run; none where source and destination are equal.
  public let hops: [Hop]
  /// The findings on the plan as a whole, besides those of each hop.
  public let findings: [Finding]
  /// The sum of the hops' costs.
  public let cost: PlanCost
  /// A digest of 64 hexadecimal digits, which changes with the plan's effects.
  ///
  /// SHA-256 over the tool's version, the hashes of each model on the path, and each mapping; the same
  /// in every process and on every platform.
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
