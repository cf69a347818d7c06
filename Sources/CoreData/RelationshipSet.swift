import StoreMigration

/// The objects of a to-many relationship, whose changes are the relationship's.
final class RelationshipSet: NSMutableSet {
  private let owner: NSManagedObject?
  private let key: String

  init(of owner: NSManagedObject, forKey key: String) {
    self.owner = owner
    self.key = key
    super.init(capacity: 0)
  }

  required init(capacity numItems: Int) {
    owner = nil
    key = ""
    super.init(capacity: numItems)
  }

  required convenience init(arrayLiteral elements: Any...) {
    self.init(capacity: elements.count)
    for element in elements { add(element) }
  }

  required convenience init?(coder: NSCoder) { nil }

  private var members: NSSet { owner?.value(forKey: key) as? NSSet ?? NSSet() }

  override var count: Int { members.count }

  override func member(_ object: Any) -> Any? { members.member(object) }

  override func objectEnumerator() -> NSEnumerator { members.objectEnumerator() }

  override var allObjects: [Any] { members.allObjects }

  override func add(_ object: Any) { owner?.change(object, forKey: key, isAdded: true) }

  override func remove(_ object: Any) { owner?.change(object, forKey: key, isAdded: false) }

  override func removeAllObjects() { owner?.setValue(nil, forKey: key) }
}

extension NSManagedObject {
  /// Adds an object to those of a to-many relationship, or takes it out.
  fileprivate func change(_ object: Any, forKey key: String, isAdded: Bool) {
    guard let object = object as? NSManagedObject, let stored, let context = managedObjectContext
    else { return PendingError.recordUnsupported("A relationship was given something") }
    // One without a context comes into that of its new owner.
    if isAdded { context.insert(object) }
    guard let member = object.stored else { return }
    context.reporting {
      if isAdded {
        try stored.add(member, toKey: key)
      } else {
        try stored.remove(member, fromKey: key)
      }
    }
  }
}

/// The objects of an ordered relationship, whose changes are the relationship's.
final class RelationshipOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject?
  private let key: String

  init(of owner: NSManagedObject, forKey key: String) {
    self.owner = owner
    self.key = key
    super.init(capacity: 0)
  }

  override init(capacity numItems: Int) {
    owner = nil
    key = ""
    super.init(capacity: numItems)
  }

  required convenience init(arrayLiteral elements: Any...) {
    self.init(capacity: elements.count)
    for element in elements { add(element) }
  }

  required convenience init?(coder: NSCoder) { nil }

  private var members: NSOrderedSet { owner?.value(forKey: key) as? NSOrderedSet ?? NSOrderedSet() }

  private func change(_ body: (NSMutableOrderedSet) -> Void) {
    let changed = NSMutableOrderedSet(orderedSet: members)
    body(changed)
    owner?.setValue(changed, forKey: key)
  }

  override var count: Int { members.count }

  override func object(at index: Int) -> Any { members.object(at: index) }

  override func index(of object: Any) -> Int { members.index(of: object) }

  override func contains(_ object: Any) -> Bool { members.contains(object) }

  override func add(_ object: Any) {
    guard !contains(object) else { return }
    owner?.change(object, forKey: key, isAdded: true)
  }

  override func insert(_ object: Any, at index: Int) {
    change { $0.insert(object, at: index) }
  }

  override func removeObject(at index: Int) { change { $0.removeObject(at: index) } }

  override func remove(_ object: Any) { owner?.change(object, forKey: key, isAdded: false) }

  override func replaceObject(at index: Int, with object: Any) {
    change { $0.replaceObject(at: index, with: object) }
  }

  override func removeAllObjects() { owner?.setValue(nil, forKey: key) }
}
