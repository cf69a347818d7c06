public import ObjectModel
import StoreAccess

/// An object of a store: a row that knows its entity.
///
/// Counterpart of `NSManagedObject`. Values are read from the row when they are first asked for.
/// While an object is referenced, its row is this one instance; changes reach the store when its
/// context saves. It belongs to its context's thread, and is valid as long as the context is.
public final class ManagedObject {
  /// The primary key; negative for a new object of an opened store before it is saved.
  package internal(set) var key: Int64
  /// The places of the values of its entity.
  package let layout: EntityLayout
  /// The columns of the row by slot; empty before they are read.
  var values: [SQLiteValue]
  var status: Status
  /// The slots that differ from the row.
  var changedSlots = SlotSet()
  /// The slots of a new object whose values the source's row at hand has; see ``RowAtHand``.
  var carried = SlotSet()
  /// Whether a row other than its own may name the object since it was inserted.
  var isLinked = false
  /// The number of saves (`Z_OPT`) that the row had when it was read, negative before that; only of an opened
  /// store.
  var version: Int64 = 0
  /// Whether the values are of a later save than ``version``: another context saved between the fetch and the
  /// reading.
  var isStale = false
  /// The round of the context in which a fetch read the values along, as long as no code asked for them; 0 for
  /// values that were asked for.
  var readAlong: UInt32 = 0
  /// Whether code asked for values that a batch has let go of since, which are of ``version``.
  var isSeen = false
  /// Whether another context deleted the row of an opened store.
  var isLost = false
  /// The changes that the file of an opened store does not have yet.
  var unsaved: UnsavedChange?
  /// The keys of the members of to-many relationships as the app last saw them; only of an opened store.
  var seenMembers: [String: Set<Int64>]?
  /// The object as code for Apple's framework sees it, as long as that code holds it, or the object has changes.
  ///
  /// Nil where the context's ``ManagedObjectContext/unreadObjects`` have it.
  package var counterpart: AnyObject? {
    get { unsaved?.counterpart ?? heldCounterpart }
    set {
      if let unsaved { unsaved.counterpart = newValue } else { heldCounterpart = newValue }
    }
  }
  /// The same, as long as that code holds it: to be named weakly makes an object slower to use from then on.
  private weak var heldCounterpart: AnyObject?
  /// Nil until one is set.
  private var transientValues: [String: ExpressionValue]?

  /// The state of the row.
  enum Status {
    /// The object is in the store and unchanged.
    case stored
    /// The object is in the store, with other values.
    case updated
    /// The object is not in the store yet.
    case inserted
    /// The object is deleted.
    case deleted
  }

  init(_ layout: EntityLayout, key: Int64, values: [SQLiteValue], status: Status) {
    self.layout = layout
    self.key = key
    self.values = values
    self.status = status
  }

  /// The identity of the object.
  public var objectID: ManagedObjectID {
    ManagedObjectID(store: layout.store, entityName: layout.entity.name, key: key)
  }

  /// The context of the object, as long as there is one.
  var context: ManagedObjectContext? { layout.context }

  /// The object's entity.
  public var entity: EntityDescription { layout.entity }

  /// Whether the object is new and its context has not saved it yet.
  public var isInserted: Bool { status == .inserted || unsaved?.kind == .inserted }

  /// Lets the object have no changes.
  func endChange() {
    guard let change = unsaved else { return }
    unsaved = nil
    if change.counterpart != nil, !isKnownUniquelyReferenced(&change.counterpart) {
      heldCounterpart = change.counterpart
    }
  }

  /// Returns what the code that holds the object knows of its row; nil where the object has more than that, so that
  /// it cannot be made again.
  ///
  /// - Parameter isAwake: Whether `awakeFromFetch` was called for the app's object.
  package func unread(isAwake: Bool) -> UnreadRow? {
    guard unsaved == nil, status == .stored, seenMembers == nil, transientValues == nil else {
      return nil
    }
    return UnreadRow(key, version: version, isSeen: hasBeenSeen, isAwake: isAwake)
  }

  /// Whether code asked for values that the object has, or that were let go of.
  var hasBeenSeen: Bool { isSeen || readAlong == 0 && !values.isEmpty }

  /// Takes the number of saves of its row from a fetch that found it, and lets go of values that no code asked for.
  func refetch(_ version: Int64) {
    // The app may still use values that were released: a later save by another context is a conflict.
    if self.version < 0 { isSeen = false }
    if !isSeen { self.version = version }
    isStale = self.version != version
    (values, readAlong) = ([], 0)
  }

  /// Whether no row can name the object, so that nothing needs to be asked.
  var isUnlinked: Bool { status == .inserted && !isLinked }

  /// Whether saving would write anything.
  public var hasChanges: Bool {
    status == .inserted || status == .updated || unsaved?.kind == .inserted
      || unsaved?.kind == .updated
  }

  /// Whether the object was deleted.
  public var isDeleted: Bool { status == .deleted }
}

extension ManagedObject: KeyValueObject {
  /// The store, the root entity and the key.
  public var identity: ObjectIdentity {
    ObjectIdentity(store: layout.store.rawValue, entity: layout.rootName, key: key)
  }

  /// Returns the value of a property.
  ///
  /// An attribute's value; the object that a to-one leads to; the set of those that a to-many leads
  /// to, or their list where it is ordered. A composite attribute has a ``CompositeValue``, and each of
  /// its elements a key such as `location.latitude`. `objectID` and `entity` are no properties.
  ///
  /// - Throws: ``MigrationError`` where the entity has no such property, or the row cannot be read.
  public func value(forKey key: String) throws -> ExpressionValue {
    switch try layout.property(key) {
    case .attribute(let slot): return try value(of: slot)
    case .relationship(let slot):
      guard slot.relationship.isToMany else {
        return try livingContext().destination(of: self, slot).map { .object($0) } ?? .nothing
      }
      let objects = try livingContext().destinations(of: self, slot)
      if layout.isOfOpenedStore {
        seenMembers = [slot.relationship.name: Set(objects.map(\.key))]
          .merging(seenMembers ?? [:]) { new, _ in new }
      }
      let members = objects.map { ExpressionValue.object($0) }
      return slot.relationship.isOrdered ? .list(members) : .set(members)
    case .composite(let elements):
      var values: [String: ExpressionValue] = [:]
      for element in elements { values[element.ownName] = try value(forKey: element.name) }
      let isNothing = values.values.allSatisfy { if case .nothing = $0 { true } else { false } }
      return isNothing ? .nothing : .object(CompositeValue(values, of: key, in: identity))
    case .transient: return transientValues?[key] ?? .nothing
    case .unreadable: throw unreadable(key)
    }
  }

  /// Gives a property another value.
  ///
  /// A relationship takes an object, a set or a list of objects, or nothing, and its other end
  /// follows. A composite attribute takes a ``CompositeValue`` or nothing.
  ///
  /// - Throws: ``MigrationError`` where the entity has no such property, the value is of another
  ///   type, or the object's store may not change.
  public func setValue(_ value: ExpressionValue, forKey key: String) throws {
    guard !isDeletedHere else { return }
    switch try layout.property(key) {
    case .attribute(let slot): try setValue(value, of: slot)
    case .relationship(let slot):
      try livingContext().setDestinations(
        of: self,
        slot,
        to: objects(in: value, at: slot.place)
      )
    case .composite(let elements):
      let values = try parts(of: value, key, elements)
      for element in elements {
        try setValue(values[element.ownName] ?? .nothing, forKey: element.name)
      }
    case .transient:
      transientValues = [key: value].merging(transientValues ?? [:]) { new, _ in new }
      if layout.isOfOpenedStore { try livingContext().keep(changedInMemory: self) }
    case .unreadable: throw unreadable(key)
    }
  }

  /// Returns the values of the elements of a composite, by their names within it.
  private func parts(
    of value: ExpressionValue,
    _ key: String,
    _ elements: [AttributeDescription]
  ) throws -> [String: ExpressionValue] {
    switch value {
    case .nothing: return [:]
    case .object(let composite as CompositeValue):
      let known = Set(elements.map(\.ownName))
      guard let other = composite.elements.keys.sorted().first(where: { !known.contains($0) })
      else { return composite.elements }
      throw MigrationError(
        .failed,
        "The composite attribute \(entity.name).\(key) has no element \(other).",
        recovery: "Give values to the elements that the model declares."
      )
    default:
      throw MigrationError(
        .failed,
        "\(entity.name).\(key) is a composite attribute and cannot be set to \(value.kind).",
        recovery: "Give a CompositeValue, or set each element by its key path."
      )
    }
  }

  private func unreadable(_ key: String) -> MigrationError {
    MigrationError(
      .failed,
      "\(entity.name).\(key) is not kept in stores and has no value.",
      recovery: "Use a property that is stored."
    )
  }

  /// Returns the objects that a value consists of.
  private func objects(in value: ExpressionValue, at place: String) throws -> [ManagedObject] {
    switch value {
    case .nothing: return []
    case .object(let object as ManagedObject): return [object]
    case .list(let members), .set(let members):
      var objects: [ManagedObject] = []
      objects.reserveCapacity(members.count)
      for member in members {
        guard case .object(let object as ManagedObject) = member else {
          throw notObjects(place)
        }
        objects.append(object)
      }
      return objects
    default: throw notObjects(place)
    }
  }

  private func notObjects(_ place: String) -> MigrationError {
    MigrationError(
      .failed,
      "\(place) is a relationship and was set to something other than managed objects.",
      recovery: "Give an object of the destination store, several of them, or nothing."
    )
  }
}

extension ManagedObject {
  /// Returns the context, which lives as long as its migration.
  package func livingContext() throws -> ManagedObjectContext {
    guard let context else {
      throw MigrationError(
        .failed,
        "An object of the entity \(entity.name) was used after its migration was over.",
        recovery: "Let a policy keep values, not objects, beyond its last callback."
      )
    }
    return context
  }

  /// Returns the value of an attribute.
  ///
  /// - Throws: ``MigrationError`` where the row cannot be read.
  package func value(of slot: AttributeSlot) throws -> ExpressionValue {
    let folder = slot.isTagged ? context?.externalData ?? "" : ""
    return try slot.value(stored(slot.slot), folder: folder)
  }

  /// Gives an attribute another value.
  ///
  /// - Throws: ``MigrationError`` where the value is of another type, or the object's store may not change.
  package func setValue(_ value: ExpressionValue, of slot: AttributeSlot) throws {
    guard !isDeletedHere else { return }
    try set(try slot.stored(value), slot: slot.slot)
  }

  /// Lets go of values that a fetch read along, where another context has saved since.
  private func settleReadAlong() throws {
    let round = readAlong
    readAlong = 0
    guard try livingContext().round != round, unsaved == nil, status == .stored else { return }
    values = []
  }

  /// Reads the row, where that has not happened yet.
  func load() throws {
    if readAlong != 0 { try settleReadAlong() }
    guard values.isEmpty && !layout.columns.isEmpty || !carried.isEmpty || version < 0 else {
      return
    }
    try livingContext().load(self)
  }

  /// Returns the stored value of a column; only this column is read where a pass is at the row.
  func stored(_ slot: Int) throws -> SQLiteValue {
    if readAlong != 0 { try settleReadAlong() }
    if values.isEmpty || carried.contains(slot) {
      if let value = try livingContext().valueAtHand(of: self, slot) { return value }
      try load()
    }
    return values[slot]
  }

  /// Sets a slot to a column's value.
  func set(_ value: SQLiteValue, slot: Int) throws {
    if status == .inserted {
      values[slot] = value
      carried.remove(slot)
      return
    }
    try load()
    guard values[slot] != value else { return }
    if status == .stored { try livingContext().register(updated: self) }
    guard status == .updated else {
      throw isLost ? SaveFailure(.conflict([objectID])) : wasDeleted
    }
    values[slot] = value
    changedSlots.insert(slot)
    unsaved?.slots.insert(slot)
  }

  /// Whether this context of an opened store deleted the object, whose changes then mean nothing.
  var isDeletedHere: Bool { status == .deleted && !isLost && layout.isOfOpenedStore }

  /// Returns the number of saves that the row has after the next one.
  func nextVersion() throws -> Int64 {
    let (next, isTooGreat) = version.addingReportingOverflow(1)
    guard !isTooGreat else { throw PendingRows.damaged("Z_OPT", layout.entity.name) }
    return next
  }

  private var wasDeleted: MigrationError {
    MigrationError(
      .failed,
      "An object of the entity \(entity.name) was changed after it was deleted.",
      recovery: "Let the policy leave deleted objects alone."
    )
  }
}
