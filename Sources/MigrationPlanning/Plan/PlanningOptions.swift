/// What a plan may contain.
public struct PlanningOptions: Codable, Hashable, Sendable {
  /// How much loss a plan may bring.
  public enum AcceptedLoss: String, Codable, Hashable, Sendable, CaseIterable {
    /// None: every step keeps everything.
    case none
    /// What consecutive versions drop by design.
    case declared
    /// Also what no version declares.
    case any
  }

  /// Two versions by their names, for the edge from one to the other.
  public struct VersionPair: Codable, Hashable, Sendable {
    /// The version that the edge leaves.
    public var source: String
    /// The version that it leads to.
    public var destination: String

    /// Two versions.
    public init(source: String, destination: String) {
      self.source = source
      self.destination = destination
    }
  }

  /// How much loss a plan may bring.
  ///
  /// Whatever is accepted here, an edge that is known to mean something else than the versions
  /// between its ends is taken only where ``acceptedShortcuts`` names it.
  public var acceptLoss = AcceptedLoss.declared
  /// Whether an edge may be taken of which it is unknown whether it is equivalent to the history.
  public var acceptUnknown = false
  /// Not equivalent edges that may be taken all the same.
  ///
  /// What such an edge loses is no loss that any version declares, and it is another loss for every
  /// pair of versions, so that no word accepts all of them at once.
  public var acceptedShortcuts: [VersionPair] = []
  /// Whether a plan may lead to an older version.
  public var allowDowngrade = false
  /// Whether every version on the way is stopped at; longer edges then only pass over a missing step.
  public var followsHistory = false
  /// The names of versions that must be stopped at.
  public var via: [String] = []
  /// The names of versions that must not be stopped at.
  public var avoided: [String] = []
  /// The names of versions to stop at where that costs nothing but hops.
  public var preferredVersions: [String] = []
  /// Edges to take where that costs nothing but hops.
  public var preferredEdges: [VersionPair] = []

  /// Whether they name any version.
  var namesVersions: Bool {
    !acceptedShortcuts.isEmpty || !via.isEmpty || !avoided.isEmpty || !preferredVersions.isEmpty
      || !preferredEdges.isEmpty
  }

  /// Declared loss only, no edge that is unknown or not equivalent, no downgrade.
  public init() {}
}
