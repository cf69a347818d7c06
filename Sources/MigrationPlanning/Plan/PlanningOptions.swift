/// What a plan may contain.
public struct PlanningOptions: Hashable, Sendable {
  /// How much loss a plan may bring.
  public enum AcceptedLoss: String, Hashable, Sendable, CaseIterable {
    /// None: every step keeps everything.
    case none
    /// What consecutive versions drop by design.
    case declared
    /// Also what the chain of consecutive versions would have carried.
    case any
  }

  /// How much loss a plan may bring.
  public var acceptLoss = AcceptedLoss.declared
  /// Whether an edge may be taken that passes over a consecutive step without one.
  public var acceptUndecided = false
  /// Whether a plan may lead to an older version.
  public var allowDowngrade = false

  /// Declared loss only, no undecided edge, no downgrade.
  public init() {}
}
