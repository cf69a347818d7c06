import StoreMigration

/// The identity of a managed object.
public final class NSManagedObjectID: NSObject, NSFetchRequestResult {
  /// The part of an identity that all objects of an entity in a store have.
  final class Space {
    /// The store and the entity, of the engine's; nil for objects that have no context.
    let object: ManagedObjectID?
    /// The entity.
    let entity: NSEntityDescription
    /// The store that a coordinator opened.
    private(set) weak var store: NSPersistentStore?
    /// The identifier of that store; nil in a migration.
    let storeName: String?

    init(
      _ object: ManagedObjectID?,
      _ entity: NSEntityDescription,
      in store: NSPersistentStore? = nil
    ) {
      self.object = object
      self.entity = entity
      self.store = store
      storeName = store?.identifier
    }
  }

  private let space: Space
  private let key: Int64

  init(_ space: Space, key: Int64) {
    self.space = space
    self.key = key
  }

  convenience init(
    _ stored: ManagedObjectID,
    _ entity: NSEntityDescription,
    in store: NSPersistentStore? = nil
  ) {
    self.init(Space(stored, entity, in: store), key: stored.key)
  }

  convenience init(temporary entity: NSEntityDescription) {
    self.init(Space(nil, entity), key: 0)
  }

  /// The engine's identity; nil for an object that has no context.
  var stored: ManagedObjectID? {
    space.object.map {
      ManagedObjectID(store: $0.store, entityName: $0.entityName, key: key)
    }
  }

  /// The object's entity.
  public var entity: NSEntityDescription { space.entity }

  /// The store that a coordinator opened.
  public var persistentStore: NSPersistentStore? { space.store }

  private var storeName: String? { space.storeName }

  /// Whether the object has no key in a store yet.
  public var isTemporaryID: Bool { space.object == nil || key < 0 }

  /// Returns whether the identity is of a store, or of a migration's where that is nil.
  func isOf(_ store: NSPersistentStore?) -> Bool { storeName == store?.identifier }

  /// Returns the identity as a URL in Core Data's form, `x-coredata://STORE/Entity/p12`.
  ///
  /// The host is the identifier of the store; in a migration, whose stores have no other name there, `source` or
  /// `destination`.
  public func uriRepresentation() -> URL {
    let path =
      stored.map { id in
        let key = id.key < 0 ? "t\(id.key.magnitude)" : "p\(id.key)"
        return "\(storeName ?? id.store.rawValue)/\(id.entityName)/\(key)"
      } ?? "/\(entity.name ?? "")/t"
    return URL(string: "x-coredata://\(path)") ?? URL(fileURLWithPath: "/")
  }

  override public func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    if self === other { return true }
    guard key == other.key, let object = space.object else { return false }
    return space === other.space
      || object.store == other.space.object?.store
        && object.entityName == other.space.object?.entityName && storeName == other.storeName
  }

  override public var hash: Int {
    guard let object = space.object else { return ObjectIdentifier(self).hashValue }
    var hasher = Hasher()
    hasher.combine(object.entityName)
    hasher.combine(key)
    return hasher.finalize()
  }
}
