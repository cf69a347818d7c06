import StoreMigration

/// The identity of a managed object.
public final class NSManagedObjectID: NSObject, NSFetchRequestResult {
  /// The engine's identity; nil for an object that has no context.
  let stored: ManagedObjectID?
  /// The object's entity.
  public let entity: NSEntityDescription

  init(_ stored: ManagedObjectID, _ entity: NSEntityDescription) {
    self.stored = stored
    self.entity = entity
  }

  init(temporary entity: NSEntityDescription) {
    stored = nil
    self.entity = entity
  }

  /// Whether the object has no key in a store yet.
  public var isTemporaryID: Bool { stored == nil }

  /// Returns the identity as a URL in Core Data's form, `x-coredata://store/Entity/p12`; the host is
  /// `source` or `destination`, as a migration has no other name for its stores.
  public func uriRepresentation() -> URL {
    let path =
      stored.map { "\($0.store.rawValue)/\($0.entityName)/p\($0.key)" } ?? "/\(entity.name ?? "")/t"
    return URL(string: "x-coredata://\(path)") ?? URL(fileURLWithPath: "/")
  }

  override public func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    return self === other || stored != nil && stored == other.stored
  }

  override public var hash: Int { stored?.hashValue ?? ObjectIdentifier(self).hashValue }
}
