package import ObjectModel
import StoreAccess

/// The change of one object of an opened store that the store's file does not have yet.
final class UnsavedChange {
  /// The kind of a change.
  enum Kind {
    /// The object is new.
    case inserted
    /// The object has other values or other links.
    case updated
    /// The object is to be deleted from the file.
    case deleted
    /// The object was new and is deleted again: the file never has it.
    case discarded
  }

  /// The kind.
  var kind: Kind
  /// The slots that were changed since the last save.
  var slots = SlotSet()
  /// The values that the object had at the last save.
  var snapshot: [SQLiteValue]
  /// Whether the store changed between the save that the context knows and the values.
  var isStale: Bool
  /// Whether the deletion of the object changed rows that its own does not name.
  var releasedOthers = false
  /// The object as code for Apple's framework sees it, which lives as long as the change: it may have values of
  /// its own, and the save calls it.
  var counterpart: AnyObject?

  init(_ kind: Kind, snapshot: [SQLiteValue], isStale: Bool = false) {
    self.kind = kind
    self.snapshot = snapshot
    self.isStale = isStale
  }
}

extension ManagedObjectContext {
  /// Notes that an object has a change that the opened store's file does not have.
  func note(unsaved object: ManagedObject, _ kind: UnsavedChange.Kind) {
    guard configuration.isOfOpenedStore, object.unsaved == nil else { return }
    let change = UnsavedChange(
      kind,
      snapshot: kind == .updated ? object.values : [],
      isStale: object.isStale
    )
    change.counterpart = object.counterpart
    object.unsaved = change
    unsaved.append(object)
  }

  /// Notes that the row of an object was deleted among the pending rows.
  func note(deleted object: ManagedObject) throws {
    guard configuration.isOfOpenedStore else { return }
    if let change = object.unsaved {
      change.kind = [.inserted, .discarded].contains(change.kind) ? .discarded : .deleted
    } else {
      note(unsaved: object, .deleted)
    }
    guard object.unsaved?.kind == .deleted else { return }
    try pendingRows?.setBase(object.version, of: object.key, in: object.layout.tableName)
  }

  /// Counts a change of an object's links as a change of the object, as Core Data does: its row is written
  /// with the next number of saves, so that two contexts cannot both change them.
  func touch(_ object: ManagedObject) throws {
    guard configuration.isOfOpenedStore, object.status == .stored else { return }
    try object.load()
    guard object.status == .stored else { throw SaveFailure(.conflict([object.objectID])) }
    try register(updated: object)
  }

  /// Counts a change of a to-one relationship as a change of the objects whose to-many it is.
  func touchEnds(
    of owner: ManagedObject,
    _ slot: RelationshipSlot,
    _ destination: ManagedObject?
  ) throws {
    guard configuration.isOfOpenedStore, slot.isInverseToMany else { return }
    let previous = try self.destination(of: owner, slot)
    if let previous, previous !== destination { try touch(previous) }
    if let destination, previous !== destination || slot.orderSlot != nil { try touch(destination) }
  }
}

extension ManagedObjectContext {
  /// Lets an object whose row another process deleted be deleted, without values, as Core Data does.
  func lose(_ object: ManagedObject) {
    object.status = .deleted
    object.isLost = true
    object.version = 0
    object.values = Array(repeating: .null, count: object.layout.columns.count)
    objects[object.layout.tableIndex][object.key] = nil
  }

  /// Whether an opened store's file has everything.
  package var isSaved: Bool { unsaved.isEmpty }

  /// The number of objects of an opened store that are in memory.
  package var objectsInMemory: Int { objects.reduce(0) { $0 + $1.count } }

  /// Releases objects that are not referenced elsewhere, where there are many more than at the last time.
  func trimIfLarge() {
    if objectCount > max(greatestUnheld, heldCount) || loadedBytes > 64 << 20 { trim() }
  }
}

extension ManagedObject {
  /// The attributes and to-one relationships with other values than at the last save, by name.
  package var changedKeys: [String] {
    let changed = unsaved?.slots ?? SlotSet()
    return layout.properties.compactMap { name, property in
      switch property {
      case .attribute(let slot):
        isInserted && unsaved != nil ? name : changed.contains(slot.slot) ? name : nil
      case .relationship(let slot): slot.keySlot.map(changed.contains) == true ? name : nil
      default: nil
      }
    }.sorted()
  }

  /// Returns the value that an attribute had at the last save; of a property of another kind, its value.
  ///
  /// - Throws: ``MigrationError``, as ``value(forKey:)`` does.
  package func committedValue(forKey key: String) throws -> ExpressionValue {
    if unsaved?.kind == .inserted { return .nothing }
    guard case .attribute(let slot) = try layout.property(key), let unsaved,
      unsaved.slots.contains(slot.slot), unsaved.snapshot.indices.contains(slot.slot)
    else { return try value(forKey: key) }
    let folder = slot.isTagged ? context?.externalData ?? "" : ""
    return try slot.value(unsaved.snapshot[slot.slot], folder: folder)
  }
}
