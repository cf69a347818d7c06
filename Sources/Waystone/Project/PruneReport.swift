/// Which versions and mappings can go, and who would miss the others.
public struct PruneReport: Hashable, Sendable {
  /// A version that can go.
  public struct Removable: Hashable, Sendable {
    /// Its name.
    public let version: String
    /// Why nobody misses it.
    public let reason: String
  }

  /// What would become of stores of a version.
  public struct Loss: Hashable, Sendable {
    /// The version's name.
    public let version: String
    /// The stores that were given and are of it.
    public let stores: [String]
    /// The loss in words.
    public let text: String
  }

  /// A version that must stay although no store is of it.
  public struct Needed: Hashable, Sendable {
    /// Its name.
    public let version: String
    /// What would be lost without it.
    public let losses: [Loss]
  }

  /// A model.
  public struct Model: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// How many versions it has.
    public let count: Int
    /// The versions that can go, all together.
    public internal(set) var removable: [Removable] = []
    /// The versions that no store is of and that must stay.
    public internal(set) var needed: [Needed] = []
    /// The files of mappings that no path takes.
    public internal(set) var idleMappings: [String] = []
    /// The versions that are asked about.
    public internal(set) var dropped: [String] = []
    /// What would be lost without them.
    public internal(set) var losses: [Loss] = []
  }

  /// The models.
  public let models: [Model]
  /// Whether it is about versions that were named.
  public let isTrial: Bool
  /// The stores given that are of no version.
  public let unknownStores: [String]

  /// Whether nobody would lose anything by what is asked about.
  public var isHarmless: Bool { models.allSatisfy(\.losses.isEmpty) }
}
