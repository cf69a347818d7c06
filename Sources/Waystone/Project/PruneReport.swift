/// A report on the versions and mappings that can go, and on the stores that need the others.
public struct PruneReport: Hashable, Sendable {
  /// A version that can go.
  public struct Removable: Hashable, Encodable, Sendable {
    /// The version's name.
    public let version: String
    /// The reason why no store needs it.
    public let reason: String
  }

  /// A loss of the stores of one version.
  public struct Loss: Hashable, Encodable, Sendable {
    /// The version's name.
    public let version: String
    /// The stores that were given and are of it.
    public let stores: [String]
    /// The loss in words.
    public let text: String

    enum CodingKeys: String, CodingKey {
      case version, stores
      case text = "effect"
    }
  }

  /// A version that must stay although no store is of it.
  public struct Needed: Hashable, Encodable, Sendable {
    /// The version's name.
    public let version: String
    /// The losses of stores without it.
    public let losses: [Loss]
  }

  /// A model.
  public struct Model: Hashable, Encodable, Sendable {
    /// The model's name.
    public let name: String
    /// The number of its versions.
    public let count: Int
    /// The versions that can go, all together.
    public internal(set) var removable: [Removable] = []
    /// The versions that no store is of and that must stay.
    public internal(set) var needed: [Needed] = []
    /// The files of mappings that no path takes.
    public internal(set) var idleMappings: [String] = []
    /// The versions that are asked about.
    public internal(set) var dropped: [String] = []
    /// The losses of stores without them.
    public internal(set) var losses: [Loss] = []

    enum CodingKeys: String, CodingKey {
      case removable, needed, idleMappings, dropped, losses
      case name = "model"
    }
  }

  /// The models.
  public let models: [Model]
  /// Whether it is about versions that were named.
  public let isTrial: Bool
  /// The stores given that are of no version.
  public let unknownStores: [String]

  /// Whether no store would lose anything without the versions asked about.
  public var isHarmless: Bool { models.allSatisfy(\.losses.isEmpty) }
}
