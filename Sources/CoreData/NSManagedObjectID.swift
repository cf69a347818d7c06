import StoreMigration

/// The identity of a managed object.
public final class NSManagedObjectID: NSObject, NSFetchRequestResult {
  /// The engine's identity; nil for an object that has no context.
  let stored: ManagedObjectID?
  /// The object's entity.
  public let entity: NSEntityDescription
  /// The store that a coordinator opened.
  public private(set) weak var persistentStore: NSPersistentStore?
  /// The identifier of that store; nil in a migration.
  private let storeName: String?

  init(
    _ stored: ManagedObjectID,
    _ entity: NSEntityDescription,
    in store: NSPersistentStore? = nil
  ) {
    self.stored = stored
    self.entity = entity
    persistentStore = store
    storeName = store?.identifier
  }

  init(temporary entity: NSEntityDescription) {
    stored = nil
    self.entity = entity
    storeName = nil
  }

  /// Whether the object has no key in a store yet.
  public var isTemporaryID: Bool { stored.map { $0.key < 0 } ?? true }

  /// Returns whether the identity is of a store, or of a migration's where that is nil.
  func isOf(_ store: NSPersistentStore?) -> Bool { storeName == store?.identifier }

  /// Returns the identity as a URL in Core Data's form, `x-coredata://STORE/Entity/p12`.
  ///
  /// The host is the identifier of the store; in a migration, whose stores have no other name there, `source` or
  /// `destination`.
  public func uriRepresentation() -> URL {
    let path =
      stored.map { id in
        let key = id.key < 0 ? "t\(-id.key)" : "p\(id.key)"
        return "\(storeName ?? id.store.rawValue)/\(id.entityName)/\(key)"
      } ?? "/\(entity.name ?? "")/t"
    return URL(string: "x-coredata://\(path)") ?? URL(fileURLWithPath: "/")
  }

  override public func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    return self === other
      || stored != nil && stored == other.stored && storeName == other.storeName
  }

  override public var hash: Int { stored?.hashValue ?? ObjectIdentifier(self).hashValue }
}
