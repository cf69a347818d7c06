/// A mapping of the objects of one model version to objects of another.
///
/// Counterpart of `NSMappingModel`.
public struct MappingModel: Hashable, Sendable {
  /// The entity mappings, in the order in which they run.
  public var entityMappings: [EntityMapping]
  /// The actions on a copy of the source store before, in its own version.
  public var actionsBefore: [MigrationAction] = []
  /// The actions on the result afterwards, in the destination's version.
  public var actionsAfter: [MigrationAction] = []
  /// The author's notes for the reviewers of the mapping.
  public var notes: [String] = []

  /// A mapping model of some entity mappings.
  public init(entityMappings: [EntityMapping]) { self.entityMappings = entityMappings }

  /// Returns the mappings that make objects of a destination entity.
  public func mappings(toDestination entityName: String) -> [EntityMapping] {
    entityMappings.filter { $0.destinationEntityName == entityName && $0.sourceEntityName != nil }
  }

  /// Returns whether another mapping model does the same.
  ///
  /// The order of entity mappings counts only where a policy may remember what it met.
  package func doesSame(as other: MappingModel) -> Bool {
    if self == other { return true }
    guard policyNames.isEmpty, entityMappings.count == other.entityMappings.count,
      actionsBefore == other.actionsBefore, actionsAfter == other.actionsAfter
    else { return false }
    return Set(entityMappings) == Set(other.entityMappings)
  }

  /// Returns the mappings that use the objects of a source entity.
  public func mappings(fromSource entityName: String) -> [EntityMapping] {
    entityMappings.filter { $0.sourceEntityName == entityName }
  }

  /// The policy classes that the mapping names, each once, in byte order.
  public var policyNames: [String] {
    Set(entityMappings.compactMap(\.entityMigrationPolicyClassName))
      .sorted(by: ByteOrder.precedes)
  }
}
