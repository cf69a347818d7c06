/// A mapping of the objects of one source entity to objects of one destination entity.
///
/// Counterpart of `NSEntityMapping`.
public struct EntityMapping: Hashable, Sendable {
  /// The kind of a mapping; raw values are Apple's (`NSEntityMappingType`).
  public enum MappingType: Int, Hashable, Sendable {
    /// Left to the developer.
    case undefined = 0
    /// Done by a policy class.
    case custom = 1
    /// The entity is new: no objects are made.
    case add = 2
    /// The entity is gone: its objects are dropped.
    case remove = 3
    /// The entity is the same in both versions.
    case copy = 4
    /// The entity differs.
    case transform = 5
  }

  /// The name, unique in the mapping model; `SourceToDestination` unless given.
  public var name: String
  /// The kind of the mapping.
  public var mappingType: MappingType
  /// The source entity; nil for ``MappingType/add``.
  public var sourceEntityName: String?
  /// The hash of the source entity that the mapping was made for.
  public var sourceEntityVersionHash: VersionHash?
  /// The destination entity; nil for ``MappingType/remove``.
  public var destinationEntityName: String?
  /// The hash of the destination entity that the mapping was made for.
  public var destinationEntityVersionHash: VersionHash?
  /// The condition of the source objects that are mapped; nil means all of the entity, but of no subentity.
  public var sourcePredicate: Predicate?
  /// The parts of each source object, which make an object each; nil where the whole object makes one.
  public var pieces: Pieces?
  /// The destination attributes whose values identify an object.
  ///
  /// An object with the values of an earlier one is not made, and the earlier one takes its place. Where
  /// there are no keys, each source object makes one of its own.
  public var deduplicationKeys: [String] = []
  /// The values of attributes, own and inherited, in byte order of their names.
  public var attributeMappings: [PropertyMapping] = []
  /// The values of relationships, own and inherited, in byte order of their names.
  public var relationshipMappings: [PropertyMapping] = []
  /// The class that takes part in the migration, where the mapping names one.
  public var entityMigrationPolicyClassName: String?
  /// Free annotations of the mapping's author.
  public var userInfo: [String: String] = [:]

  /// A mapping with the default name of its type and ends.
  public init(mappingType: MappingType, source: String?, destination: String?) {
    self.mappingType = mappingType
    sourceEntityName = source
    destinationEntityName = destination
    switch (source, destination) {
    case (let source?, let destination?): name = "\(source)To\(destination)"
    default: name = destination ?? source ?? ""
    }
  }
}
