/// A relationship as a model declares it.
///
/// Counterpart of `NSRelationshipDescription`.
public struct RelationshipDescription: Hashable, Sendable {
  /// The effect on the destination when the owner is deleted; raw values are Apple's.
  public enum DeletionRule: Int32, Hashable, Sendable, CaseIterable {
    /// The related objects stay as they are, which may leave dangling references.
    case noAction = 0
    /// The inverse forgets the owner.
    case nullify = 1
    /// The destination is deleted too.
    case cascade = 2
    /// The deletion fails while there is a destination.
    case deny = 3
  }

  /// The name, unique among the entity's properties.
  public var name: String
  /// The name of the entity at the other end.
  public var destinationEntityName: String
  /// The name of the relationship back, where there is one.
  public var inverseName: String?
  /// The entity that declares the inverse, according to the model; the destination, except in odd models.
  public var inverseEntityName: String?
  /// The least number of destinations; a model that is silent means 0.
  public var minCount: Int32 = 0
  /// The greatest number of destinations: 1 for a to-one, 0 (or -1) for no bound.
  public var maxCount: Int32 = 1
  /// Whether the destinations have an order; only for to-many.
  public var isOrdered = false
  /// Whether an owner may have no destination.
  public var isOptional = false
  /// Whether the relationship is left out of the store.
  public var isTransient = false
  /// The effect on the destination when the owner is deleted.
  public var deletionRule = DeletionRule.nullify
  /// The name that the relationship had in an earlier version (XML `elementID`).
  public var renamingIdentifier: String?
  /// Text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// Whether the model asks for an index in the form of before iOS 11.
  public var isIndexed = false
  /// Whether Spotlight indexes it.
  public var isIndexedBySpotlight = false
  /// Whether it was kept in external records for Spotlight (XML `storedInTruthFile`).
  public var isStoredInExternalRecord = false
  /// Free annotations of the app's author.
  public var userInfo: [String: String] = [:]

  /// An optional-less to-one to an entity, without inverse.
  public init(name: String, destinationEntityName: String) {
    self.name = name
    self.destinationEntityName = destinationEntityName
  }

  /// Whether it leads to more than one object; as in Core Data, all but a greatest number of 1.
  public var isToMany: Bool { maxCount != 1 }

  /// The name under which versions match: the renaming identifier, else the name.
  public var canonicalName: String { renamingIdentifier ?? name }

  /// Whether stores keep it: not transient.
  public var isPersistent: Bool { !isTransient }
}
