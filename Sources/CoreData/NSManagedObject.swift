import ObjectModel
package import StoreMigration

/// The objects that a fetch request gives: managed objects, their identifiers, dictionaries, or numbers.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// An object of a store, with its values by the keys of the model.
///
/// As Core Data's. A value that cannot be read or set, and a key that the entity lacks, is an error that
/// ends the migration when the callback returns, with the entity and the property; meanwhile the value is
/// nil.
open class NSManagedObject: NSObject, NSFetchRequestResult {
  private var state: State

  /// The state of an object: 24 bytes, all that an object has.
  enum State {
    /// The object has no context, and values of its own.
    case loose(NSEntityDescription, [String: Any])
    /// The object is the one of the engine's context.
    case stored(EntityBinding, ManagedObject)
    /// The object is of a row for which the engine's context may have no object.
    case unread(EntityBinding, UnreadRow)
  }

  /// Makes a new object of an entity, in a context or in none.
  ///
  /// - Parameters:
  ///   - entity: The entity, which is not abstract.
  ///   - context: The context that the object is inserted into; nil for none.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    state =
      context?.takeArriving()
      ?? .loose(context?.entityDescription(like: entity, of: Self.self) ?? entity, [:])
    super.init()
    switch state {
    case .loose: context?.insert(self)
    case .unread: break
    case .stored(_, let row):
      row.counterpart = self
      awakeFromFetch()
    }
  }

  /// Makes a new object of the entity whose class this is.
  ///
  /// - Parameter moc: The context, whose model has one entity of the class.
  public convenience init(context moc: NSManagedObjectContext) {
    self.init(entity: moc.entityDescription(of: Self.self), insertInto: moc)
  }

  /// Lets the object be one of a context.
  func enter(_ context: NSManagedObjectContext, as row: ManagedObject) {
    let values = loose
    state = .stored(EntityBinding.of(row.layout, context), row)
    row.counterpart = self
    for (key, value) in values { setPrimitiveValue(value, forKey: key) }
  }

  /// Returns the entity of the class: the destination's while a policy runs, else one that is known by its
  /// name alone.
  open class func entity() -> NSEntityDescription {
    if let context = NSMigrationManager.ofThread?.destinationContext {
      return context.entityDescription(of: self)
    }
    guard let entity = try? NSEntityDescription.named(String(describing: self)) else {
      preconditionFailure("a model without entities is a model")
    }
    return entity
  }

  /// Returns the name of the class.
  public class func description() -> String { String(describing: self) }

  /// The object's entity.
  open var entity: NSEntityDescription {
    switch state {
    case .loose(let entity, _): entity
    case .stored(let binding, _): binding.entity
    case .unread(let binding, _): binding.entity
    }
  }

  /// The identity of the object; a temporary one where it has no context.
  open var objectID: NSManagedObjectID {
    switch state {
    case .loose(let entity, _): NSManagedObjectID(temporary: entity)
    case .stored(let binding, let row): NSManagedObjectID(binding.identity, key: row.key)
    case .unread(let binding, let row): NSManagedObjectID(binding.identity, key: row.key)
    }
  }

  /// The context of the object.
  open var managedObjectContext: NSManagedObjectContext? { context }

  /// Whether the object is new and not saved yet.
  open var isInserted: Bool { known?.isInserted ?? false }

  /// Whether the object was deleted.
  open var isDeleted: Bool { known?.isDeleted ?? false || context?.isDeletedSource(self) ?? false }

  /// Whether the object has changes that are not saved yet.
  open var hasChanges: Bool { known?.hasChanges ?? !loose.isEmpty }

  /// Whether the object has values of its own that are not saved yet.
  open var isUpdated: Bool { hasChanges && !isInserted }

  /// Whether the values are still to be read; always false.
  open var isFault: Bool { false }

  /// Called when the object was inserted.
  open func awakeFromInsert() {}

  /// Called when the object was read.
  open func awakeFromFetch() {}

  /// Called before the object of an opened store is saved; not in a migration, which saves each row once.
  open func willSave() {}

  /// Called after the object of an opened store was saved.
  open func didSave() {}

  /// Called before the object is deleted by the app; not where a delete rule deletes it.
  open func prepareForDeletion() {}

  /// Throws where the app's own rules refuse a new object, before it is saved.
  open func validateForInsert() throws {}

  /// Throws where the app's own rules refuse changes of an object, before they are saved.
  open func validateForUpdate() throws {}

  /// Throws where the app's own rules refuse a deletion, before it is saved.
  open func validateForDelete() throws {}

  /// Does nothing before a value is read, as all values are in memory.
  open func willAccessValue(forKey key: String?) {}

  /// Does nothing after a value was read.
  open func didAccessValue(forKey key: String?) {}

  /// Does nothing before a value changes, as there are no observers.
  open func willChangeValue(forKey key: String) {}

  /// Does nothing after a value changed.
  open func didChangeValue(forKey key: String) {}
}

// MARK: The engine's object

extension NSManagedObject {
  /// The engine's object, made where its context has none; nil before the object is inserted into a context.
  var stored: ManagedObject? {
    switch state {
    case .loose: return nil
    case .stored(_, let row): return row
    case .unread(let binding, let unread):
      let row = binding.layout.object(key: unread.key)
      attach(row)
      return row
    }
  }

  /// The engine's object, where there is one.
  var known: ManagedObject? {
    switch state {
    case .loose: nil
    case .stored(_, let row): row
    case .unread(let binding, let unread): binding.layout.known(key: unread.key)
    }
  }

  /// The row, where the engine's context need not have an object for it.
  package var unread: UnreadRow? { if case .unread(_, let row) = state { row } else { nil } }

  /// The key of the object's row; 0 before the object is inserted into a context.
  var key: Int64 {
    switch state {
    case .loose: 0
    case .stored(_, let row): row.key
    case .unread(_, let row): row.key
    }
  }

  /// Returns whether the object is that of the engine's object, which it then has.
  @discardableResult
  func attach(_ row: ManagedObject) -> Bool {
    switch state {
    case .loose: return false
    case .stored(_, let other): return other === row
    case .unread(let binding, let unread):
      state = .stored(binding, row)
      if !unread.isAwake { awakeFromFetch() }
      return true
    }
  }

  /// Lets the object know a row by its key alone.
  func detach(_ row: UnreadRow) {
    if let binding { state = .unread(binding, row) }
  }

  private var binding: EntityBinding? {
    switch state {
    case .loose: nil
    case .stored(let binding, _), .unread(let binding, _): binding
    }
  }

  /// The context, which all of its objects name in one place.
  private var place: NSManagedObjectContext.Place? { binding?.place }
  private var context: NSManagedObjectContext? { place?.context }
  /// The opened store; the identity outlives the context.
  private var store: NSPersistentStore? { place?.store }

  /// The values of an object without a context.
  private var loose: [String: Any] { if case .loose(_, let values) = state { values } else { [:] } }
}

// MARK: Values by keys

extension NSManagedObject {
  /// Returns the value of a property.
  ///
  /// - Returns: An `NSNumber`, `String`, `Date`, `Data`, `UUID` or `URL`, an object, an `NSSet` or
  ///   `NSOrderedSet` of objects, the object of a transformable attribute, or nil.
  public func value(forKey key: String) -> Any? { primitiveValue(forKey: key) }

  /// Gives a property another value; the other end of a relationship follows.
  public func setValue(_ value: Any?, forKey key: String) { setPrimitiveValue(value, forKey: key) }

  /// The context; where its migration is over, that is an error of the one that runs.
  private var livingContext: NSManagedObjectContext? {
    if context == nil {
      PendingError.ofThread?.record(
        MigrationError(
          .failed,
          "An object of the entity \(entity.name ?? "") was used after its migration was over.",
          recovery:
            "Let policies keep no objects in static properties, or migrate one store at a time."
        )
      )
    }
    return context
  }

  /// Returns the value of a property, as ``value(forKey:)``.
  public func primitiveValue(forKey key: String) -> Any? {
    guard let stored else { return loose[key] }
    guard let context = livingContext else { return nil }
    context.noticeSaves()
    do { return try context.bridge.value(of: stored, forKey: key) } catch {
      context.pendingError.record(error)
      return nil
    }
  }

  /// Gives a property another value, as ``setValue(_:forKey:)``.
  public func setPrimitiveValue(_ value: Any?, forKey key: String) {
    guard let stored else {
      if case .loose(let entity, var values) = state {
        values[key] = value
        state = .loose(entity, values)
      }
      return
    }
    do {
      if place?.isOver == false, try ValueBridge.setPlain(value, of: stored, forKey: key) { return }
      try livingContext?.bridge.set(value, of: stored, forKey: key)
    } catch {
      livingContext?.pendingError.record(error)
    }
  }

  /// Returns the value at a key path, collection operators such as `@count` included.
  public func value(forKeyPath keyPath: String) -> Any? {
    guard keyPath.contains("."), let stored, let context = livingContext else {
      return value(forKey: keyPath)
    }
    return context.reporting { try context.bridge.value(of: stored, forKeyPath: keyPath) } ?? nil
  }

  /// Gives the property at the end of a key path another value.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard let dot = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
    let key = String(keyPath[keyPath.index(after: dot)...])
    switch self.value(forKeyPath: String(keyPath[..<dot])) {
    case let owner as NSManagedObject: owner.setValue(value, forKey: key)
    case let owners as NSOrderedSet:
      for case let owner as NSManagedObject in owners { owner.setValue(value, forKey: key) }
    case let owners as NSSet:
      for case let owner as NSManagedObject in owners { owner.setValue(value, forKey: key) }
    // An element of a composite attribute has a key of its own; without an owner, nothing is set.
    default:
      let isElement = entity.attributesByName[String(keyPath[..<dot])] != nil
      if isElement { setValue(value, forKey: keyPath) }
    }
  }

  /// Gives several properties other values; `NSNull` means nil.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  /// Returns the values of several properties, with `NSNull` in place of nil.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { $1 }
  }

  /// Returns the values that several attributes had at the last save, by their names.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    let keys = keys ?? Array(entity.attributesByName.keys)
    guard let stored, let context, store != nil else {
      return dictionaryWithValues(forKeys: keys)
    }
    return context.reporting {
      Dictionary(
        try keys.map { key in
          (key, try context.bridge.committedValue(of: stored, forKey: key) ?? NSNull())
        }
      ) { $1 }
    } ?? [:]
  }

  /// Returns the values of the attributes and to-one relationships that were changed since the last save.
  public func changedValues() -> [String: Any] {
    dictionaryWithValues(forKeys: stored?.changedKeys ?? Array(loose.keys))
  }

  /// Returns the objects of a to-many relationship as a set whose changes change the relationship.
  public func mutableSetValue(forKey key: String) -> NSMutableSet {
    RelationshipSet(of: self, forKey: key)
  }

  /// Returns the objects of an ordered relationship as a set whose changes change the relationship.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    RelationshipOrderedSet(of: self, forKey: key)
  }

  /// Returns the identifiers of the objects that a relationship leads to.
  public func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    switch value(forKey: key) {
    case let one as NSManagedObject: [one.objectID]
    case let set as NSSet: set.compactMap { ($0 as? NSManagedObject)?.objectID }
    case let list as NSOrderedSet: list.compactMap { ($0 as? NSManagedObject)?.objectID }
    default: []
    }
  }
}
