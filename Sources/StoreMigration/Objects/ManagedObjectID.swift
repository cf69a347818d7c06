/// The identity of a managed object: its store, its entity and its key there.
///
/// Counterpart of `NSManagedObjectID`.
public struct ManagedObjectID: Hashable, Sendable {
  /// The store that an object is in.
  public enum Store: String, Hashable, Sendable {
    /// The store that is migrated.
    case source
    /// The store that the migration makes.
    case destination
    /// A store that a program opened by itself.
    case opened
  }

  /// The store.
  public let store: Store
  /// The name of the object's own entity.
  public let entityName: String
  /// The primary key, unique among the objects of one root entity.
  public let key: Int64

  package init(store: Store, entityName: String, key: Int64) {
    self.store = store
    self.entityName = entityName
    self.key = key
  }
}
