import StoreMigration

/// The objects that fetches with batches gave, by their rows.
///
/// The engine's context has objects of its own only for the rows whose values are used. A context holds these here
/// until it lets go of objects, as a weak reference to each would take as much memory as the object itself.
final class FetchedObjects: UnreadObjects {
  private var tables: [ObjectTable]

  init(tableCount: Int) { tables = Array(repeating: ObjectTable(), count: tableCount) }

  /// The object of a row, whether its context has one or not.
  subscript(key: Int64, table: Int) -> NSManagedObject? { tables[table][key] }

  /// Returns the object of the engine's, which it then has.
  func object(of row: ManagedObject) -> NSManagedObject? {
    guard let object = tables[row.layout.tableIndex][row.key], object.attach(row) else {
      return nil
    }
    return object
  }

  /// Returns the object of a row that a fetch found; nil where the context deleted it.
  ///
  /// - Parameter version: The number of saves of the row.
  func object(
    _ layout: EntityLayout,
    _ key: Int64,
    version: Int64,
    _ engine: ManagedObjectContext,
    _ context: NSManagedObjectContext
  ) -> NSManagedObject? {
    if let row = engine.known(layout, key, refetched: version) {
      return row.isDeleted ? nil : context.wrapper(of: row)
    }
    if let known = tables[layout.tableIndex][key], let row = known.unread {
      if row.version < 0 || !row.isSeen {
        known.detach(UnreadRow(key, version: version, isAwake: row.isAwake))
      }
      return known
    }
    let binding = EntityBinding.of(layout, context)
    let object = context.instance(
      of: binding,
      .unread(binding, UnreadRow(key, version: version))
    )
    tables[layout.tableIndex].insert(object)
    engine.countObjects(1)
    return object
  }

  /// Returns the object of the engine's, which this holds where no other code does.
  func object(
    fetched row: ManagedObject,
    _ context: NSManagedObjectContext
  ) -> NSManagedObject {
    if row.counterpart == nil, object(of: row) == nil, let unread = row.unread(isAwake: false) {
      let binding = EntityBinding.of(row.layout, context)
      let object = context.instance(of: binding, .unread(binding, unread))
      // The app's code that it wakes may ask for the row's object.
      tables[row.layout.tableIndex].insert(object)
      object.attach(row)
      return object
    }
    return context.wrapper(of: row)
  }

  func row(_ key: Int64, ofTable table: Int) -> UnreadRow? { tables[table][key]?.unread }

  func letGo(_ object: ManagedObject) {
    guard let holder = tables[object.layout.tableIndex][object.key] else { return }
    Self.detach(holder, from: object)
  }

  /// Lets an object know its row by the key alone, as the engine's object knows it.
  private static func detach(_ holder: NSManagedObject, from object: ManagedObject) {
    let isAwake = holder.unread?.isAwake ?? true
    // One that another object of the row took the place of keeps its own.
    guard holder.known === object, let row = object.unread(isAwake: isAwake) else { return }
    holder.detach(row)
  }

  func letGo(in context: ManagedObjectContext) -> Int {
    // An app's class may run code when its objects are let go of, which happens when all is done.
    var released: [NSManagedObject] = []
    for table in tables.indices where tables[table].count > 0 {
      released += tables[table].removeUnheld { holder in
        guard let object = holder.known else { return true }
        Self.detach(holder, from: object)
        return !context.hasChanges(of: object)
      }
    }
    return tables.reduce(0) { $0 + $1.count }
  }

  func forgetVersions() {
    for table in tables {
      table.forEach { if let row = $0.unread { $0.detach(row.forgotten) } }
    }
  }
}

/// The objects of the rows of one table, found by their keys in some twelve bytes each.
private struct ObjectTable {
  /// The objects; each is at the place that its key asks for, or at the next one that was free.
  private var places: [NSManagedObject?] = []
  private(set) var count = 0

  /// The factors of this process, as a store may have been made so that its keys ask for one place.
  private static let factors = (
    UInt64.random(in: 0 ... .max) | 1, UInt64.random(in: 0 ... .max) | 1
  )

  subscript(key: Int64) -> NSManagedObject? { count == 0 ? nil : places[place(of: key)] }

  /// Returns the place of a key's object, or a free one.
  private func place(of key: Int64) -> Int {
    var bits = UInt64(bitPattern: key) &* Self.factors.0
    bits = (bits ^ bits >> 32) &* Self.factors.1
    var place = Int(bits.multipliedFullWidth(by: UInt64(places.count)).high)
    while let object = places[place], object.key != key {
      place = place + 1 == places.count ? 0 : place + 1
    }
    return place
  }

  /// Adds an object, in place of another one of its row.
  mutating func insert(_ object: NSManagedObject) {
    if 5 * (count + 1) > 4 * places.count { spread() }
    let place = place(of: object.key)
    if places[place] == nil { count += 1 }
    places[place] = object
  }

  func forEach(_ body: (NSManagedObject) -> Void) {
    for case let object? in places { body(object) }
  }

  /// Removes and returns the objects that nothing else holds, of those for which a closure returns true.
  mutating func removeUnheld(_ mayBeRemoved: (NSManagedObject) -> Bool) -> [NSManagedObject] {
    var removed: [NSManagedObject] = []
    for place in places.indices {
      guard places[place].map(mayBeRemoved) == true, isKnownUniquelyReferenced(&places[place]),
        let object = places[place].take()
      else { continue }
      removed.append(object)
    }
    guard !removed.isEmpty else { return [] }
    count -= removed.count
    spread()
    return removed
  }

  /// Gives the objects twice as many places as they are.
  private mutating func spread() {
    let former = places
    places = Array(repeating: nil, count: max(16, 2 * count))
    for case let object? in former { places[place(of: object.key)] = object }
  }
}
