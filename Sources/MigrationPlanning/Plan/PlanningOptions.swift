/// The limits on a plan.
public struct PlanningOptions: Codable, Hashable, Sendable {
  /// The amount of loss that a plan may bring.
  public enum AcceptedLoss: String, Codable, Hashable, Sendable, CaseIterable {
    /// None: every step keeps everything.
    case none
    /// The losses that consecutive versions declare by design.
    case declared
    /// All losses, including those that no version declares.
    case any
  }

  /// A pair of versions by their names, for the edge from one to the other.
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

  /// The amount of loss that a plan may bring.
  ///
  /// An edge that is not equivalent is taken only where ``acceptedShortcuts`` names it, for any value
  /// of this option.
  public var acceptLoss = AcceptedLoss.declared
  /// Whether a plan may take edges that are not known to be equivalent to the history.
  public var acceptUnknown = false
  /// The edges that are not equivalent and may be taken.
  ///
  /// No version declares the loss of such an edge, and each pair of versions has another loss; therefore
  /// no option accepts all of them at once.
  public var acceptedShortcuts: [VersionPair] = []
  /// Whether a plan may lead to an older version.
  public var allowDowngrade = false
  /// Whether the plan stops at each version; shortcuts then skip only missing steps.
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
