/// A mapping model as it was written, with the versions that it was made for.
///
/// It is bound to versions by the hashes of both its ends, never by a name or path that the file
/// mentions: those go out of date. See `MappingBinding` in MigrationPlanning.
public struct AuthoredMapping: Hashable, Sendable {
  /// The forms in which mappings are written.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    /// Xcode's `.xcmappingmodel`.
    case mappingModel = "xcmappingmodel"
    /// A compiled mapping model, `.cdm`.
    case compiled = "cdm"
    /// A hop file, `.hop.yml` or `.hop.json`.
    case hopFile = "hop"
    /// A custom stage of a staged migration.
    case stage = "stage"
  }

  /// An end of a mapping: the entities by which the version is found.
  public struct End: Hashable, Sendable {
    /// The version hash of each entity.
    public var hashes: [String: VersionHash]
    /// Whether these are all entities of the version, rather than those that the mapping mentions.
    public var isWhole: Bool
    /// The version as the file itself keeps it, where it does.
    public var model: ManagedObjectModel?

    /// An end with the hashes that are known of it.
    public init(hashes: [String: VersionHash], isWhole: Bool) {
      self.hashes = hashes
      self.isWhole = isWhole
    }

    /// An end that is a whole version.
    public init(_ model: ManagedObjectModel) {
      hashes = model.entityVersionHashes
      isWhole = true
      self.model = model
    }
  }

  /// A part of an entity mapping that has a line in a file.
  public struct Part: Hashable, Sendable {
    /// The name of the entity mapping.
    public var entityMapping: String
    /// The name of the property, or the key of the file; nil for the entity mapping as a whole.
    public var name: String?

    /// A part of an entity mapping.
    public init(_ name: String?, of entityMapping: String) {
      self.entityMapping = entityMapping
      self.name = name
    }
  }

  /// The name of the file without its extension.
  public var name: String
  /// The file.
  public var path: String
  /// The form of the file.
  public var form: Form
  /// The mapping model.
  public var mapping: MappingModel
  /// The version that it leads from.
  public var source: End
  /// The version that it leads to.
  public var destination: End
  /// The number of value expressions that the file spells out, rather than leaving them to the rule.
  public var explicitExpressionCount = 0
  /// The line of each part, from 1, where the file has lines.
  public var lines: [Part: Int] = [:]
  /// The reader's findings about the file.
  public var findings: [Finding] = []

  /// A mapping with its ends.
  public init(
    name: String,
    path: String,
    form: Form,
    mapping: MappingModel,
    source: End,
    destination: End
  ) {
    self.name = name
    self.path = path
    self.form = form
    self.mapping = mapping
    self.source = source
    self.destination = destination
  }
}
