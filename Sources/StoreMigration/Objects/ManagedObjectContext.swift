public import ObjectModel
package import StoreAccess

/// The objects of one store of a migration.
///
/// It is the counterpart of `NSManagedObjectContext`, over a database that an object hop has attached.
/// Changes are written when the context saves, or before any query of the database; the hop's own
/// transaction decides when it is final. Links are written where the store keeps them, at both ends. The
/// context belongs to one thread at a time.
public final class ManagedObjectContext {
  /// Gives the key of the next object of a root entity.
  package typealias KeySource = (_ rootEntityName: String) throws -> Int64

  /// The settings of a context.
  package struct Configuration {
    /// The store that the objects' identifiers name.
    package var store: ManagedObjectID.Store
    /// The name under which the database is attached.
    package var schemaName: String
    /// The folder of the files of external storage.
    package var externalData = ""
    /// Gives keys to new objects; where it is nil nothing can be changed.
    package var nextKey: KeySource?
    /// Whether `Z_OPT` of a changed row grows, as when an app saves it.
    ///
    /// A migration saves each row once, so that all have 1.
    package var countsSaves = false
    /// Whether the context belongs to an opened store, so that its changes wait for a save.
    package var isOfOpenedStore = false
    /// The reason why nothing can be changed, where it is not that the store is a migration's source.
    package var refusal: MigrationError?
    /// The transformers of transformable attributes.
    package var registry: MigrationRegistry

    package init(
      store: ManagedObjectID.Store,
      schemaName: String,
      externalData: String = "",
      registry: MigrationRegistry = MigrationRegistry(),
      nextKey: KeySource? = nil,
      countsSaves: Bool = false
    ) {
      self.store = store
      self.schemaName = schemaName
      self.externalData = externalData
      self.registry = registry
      self.nextKey = nextKey
      self.countsSaves = countsSaves
    }
  }

  /// The model of the store.
  public var model: ManagedObjectModel { schema.model }
  package let schema: PhysicalSchema
  package let database: PreparedDatabase
  package let configuration: Configuration
  /// The functions that predicates may call, where the context belongs to a migration.
  weak var manager: MigrationManager?
  /// The key that the next new object of a root entity gets instead of a fresh one.
  var reservedKey: (rootName: String, key: Int64)?
  private var layouts: [String: EntityLayout] = [:]
  private var layoutsByNumber: [EntityLayout?]
  var objects: [[Int64: ManagedObject]]
  /// The row that a pass is at; its objects are found only here until the pass continues.
  var row = RowAtHand()
  var inserted: [ManagedObject] = []
  var updated: [ManagedObject] = []
  /// The objects of an opened store with changes that its file does not have yet.
  var unsaved: [ManagedObject] = []
  /// The objects of an opened store with values that no store keeps, set since the last save, and their counterparts.
  private(set) var changedInMemory: [ObjectIdentifier: (ManagedObject, counterpart: AnyObject?)] =
    [:]
  /// The rows of an opened store that its file does not have yet; nil in a migration.
  var pendingRows: PendingRows?
  /// The number of objects made since objects were last let go of.
  private(set) var objectCount = 0
  /// The number of objects that were referenced elsewhere at that time.
  private(set) var heldCount = 0
  /// The number of new objects of an opened store after which those that nothing else references are released;
  /// where more were referenced the last time, that number counts.
  package var greatestUnheld = 20_000
  /// The bytes of large values read since objects were last let go of.
  private(set) var loadedBytes = 0
  /// The number of the round in which fetches read values along; a save by another context begins a new one.
  private(set) var round: UInt32 = 1
  /// The latest fetch of each table whose results are read in batches, by the places of the tables.
  var batches: [Int: FetchBatches] = [:]
  /// The objects of code for Apple's framework whose rows the context knows by their keys alone; nil where there are
  /// none.
  package var unreadObjects: (any UnreadObjects)?
  /// The lookups by keys that are there.
  var knownLookups: Set<String> = []
  /// Whether objects were deleted that may still be asked for by their keys.
  var mayLackRows = false
  /// The links that others took the place of since this was set to nothing.
  var takenLinks: Int64 = 0
  /// The greatest order key of lists that grow at their end.
  var lastOrderKeys: [OrderedOwner: Int64] = [:]

  /// The owner of a list, and the column that orders it.
  struct OrderedOwner: Hashable {
    let column: String
    let key: Int64
  }

  /// The objects of an attached database.
  package init(
    database: PreparedDatabase,
    schema: PhysicalSchema,
    configuration: Configuration
  ) {
    self.database = database
    self.schema = schema
    self.configuration = configuration
    layoutsByNumber = Array(repeating: nil, count: schema.entityNames.count + 1)
    objects = Array(repeating: [:], count: schema.tables.count)
  }

  deinit {
    // A change and the object that it belongs to may hold each other.
    for object in unsaved { object.unsaved?.counterpart = nil }
    // So may a layout and its counterpart.
    for layout in layouts.values { layout.counterpart = nil }
  }

  /// Keeps an object until the next save, as Core Data keeps all that were changed.
  func keep(changedInMemory object: ManagedObject) {
    changedInMemory[ObjectIdentifier(object)] = (object, object.counterpart)
  }

  /// Lets objects with values that no store keeps go when no code holds them.
  package func releaseChangedInMemory() { changedInMemory.removeAll() }

  var externalData: String { configuration.externalData }

  /// The number of new objects of one row up to which they are found by a linear search.
  private static let greatestUnkept = 16

  /// The row that a pass over objects is at.
  ///
  /// Nearly all objects are of use for their own row only. Columns that a policy does not read are
  /// neither loaded nor kept in memory: they go from one statement to the next.
  struct RowAtHand {
    /// Whether a pass is at a row.
    var isThere = false
    /// The object whose row it is; nil where the pass makes objects of this context.
    var object: ManagedObject?
    /// The statement at the row, whose columns begin behind the key; nil where it is not read.
    var statement: PreparedStatement?
    /// The slot of the row for each slot of the objects that a pass makes.
    var columns: [Int] = []
  }
}

extension ManagedObjectContext {
  /// Returns the layout of an entity's objects.
  ///
  /// - Throws: ``MigrationError`` where the model has no such entity.
  package func layout(of entityName: String) throws -> EntityLayout {
    if let layout = layouts[entityName] { return layout }
    guard let entity = model[entityName],
      let layout = EntityLayout(entity: entity, context: self)
    else {
      throw MigrationError(
        .failed,
        "The \(configuration.store.rawValue) model has no entity \(entityName).",
        recovery: "Correct the name in the mapping or the policy."
      )
    }
    layouts[entityName] = layout
    layoutsByNumber[Int(layout.number)] = layout
    return layout
  }

  /// Returns the layout of the entity of a number, nil where no entity has it.
  func layout(number: Int64) throws -> EntityLayout? {
    guard let index = Int(exactly: number), layoutsByNumber.indices.contains(index), index > 0
    else { return nil }
    if let layout = layoutsByNumber[index] { return layout }
    return try schema.entityName(index).map { try layout(of: $0) }
  }

  /// Refuses where nothing may be changed.
  func requireWritable() throws {
    guard configuration.nextKey != nil else {
      throw configuration.refusal
        ?? MigrationError(
          .failed,
          "An object of the \(configuration.store.rawValue) store was to be changed.",
          recovery: "Let the policy change objects of the destination only."
        )
    }
  }
}

// MARK: One instance for each row

extension ManagedObjectContext {
  /// Returns the object of an entity, or of one below it, that has a key.
  ///
  /// - Returns: Nil where no row has the key, or it is of another entity.
  /// - Throws: ``MigrationError``, or an error of the database.
  public func object(entityName: String, key: Int64) throws -> ManagedObject? {
    let layout = try layout(of: entityName)
    guard let object = try object(in: layout, key: key),
      model.isKind(object.layout.entity.name, of: entityName)
    else { return nil }
    return object
  }

  /// Returns the object of an identifier of this context's store, nil where it is gone.
  ///
  /// - Throws: ``MigrationError``, or an error of the database.
  public func object(with objectID: ManagedObjectID) throws -> ManagedObject? {
    guard objectID.store == configuration.store else { return nil }
    return try object(entityName: objectID.entityName, key: objectID.key)
  }

  /// Returns the object with a key in the table of a layout.
  func object(in layout: EntityLayout, key: Int64) throws -> ManagedObject? {
    if let object = known(layout, key) { return object.isDeleted ? nil : object }
    let query = try database.statement("SELECT Z_ENT FROM \(layout.table) WHERE Z_PK = ?")
    try query.statement.bind(key, at: 1)
    guard try query.statement.step() else { return nil }
    let number = query.statement.int64(0)
    query.statement.reset()
    return try object(number: number, key: key)
  }

  /// Returns the object of an entity's number and a key, which is known to be there.
  func object(number: Int64, key: Int64) throws -> ManagedObject? {
    guard let layout = try layout(number: number) else { return nil }
    if let object = known(layout, key) { return object.isDeleted ? nil : object }
    return make(layout, key)
  }

  /// Makes the object of a row, in the state that the app's object of the row has.
  func make(_ layout: EntityLayout, _ key: Int64) -> ManagedObject {
    let object = ManagedObject(layout, key: key, values: [], status: .stored)
    if configuration.isOfOpenedStore {
      let unread = unreadObjects?.row(key, ofTable: layout.tableIndex)
      object.version = unread?.version ?? -1
      object.isSeen = unread?.isSeen ?? false
    }
    keep(object)
    return object
  }

  /// Returns the object of an identifier without asking the store: where no row has it, the first use of its
  /// values finds that out.
  package func fault(with objectID: ManagedObjectID) throws -> ManagedObject {
    try fault(layout(of: objectID.entityName), objectID.key)
  }

  /// Returns the object of a row without asking the store.
  func fault(_ layout: EntityLayout, _ key: Int64) -> ManagedObject {
    known(layout, key) ?? make(layout, key)
  }

  /// Returns the object of an identifier that this context has; the store is not asked.
  package func registered(_ objectID: ManagedObjectID) throws -> ManagedObject? {
    try known(layout(of: objectID.entityName), objectID.key)
  }

  /// Returns the instance of a row, where there is one.
  func known(_ layout: EntityLayout, _ key: Int64) -> ManagedObject? {
    if row.isThere {
      if let object = row.object, object.key == key, object.layout.tableIndex == layout.tableIndex {
        return object
      }
      let made = inserted.first { $0.key == key && $0.layout.tableIndex == layout.tableIndex }
      if let made { return made }
    }
    return objects[layout.tableIndex].isEmpty ? nil : objects[layout.tableIndex][key]
  }

  /// Reads an object's row.
  func load(_ object: ManagedObject) throws {
    if !object.carried.isEmpty {
      for slot in object.carried.slots {
        guard let value = valueAtHand(of: object, slot) else {
          preconditionFailure("a row was left before what was made of it was read")
        }
        object.values[slot] = value
      }
      object.carried = SlotSet()
      return
    }
    let layout = object.layout
    if isAtHand(object), let statement = row.statement {
      object.values = layout.columns.indices.map { statement.statement.value($0 + 1) }
      for value in object.values { note(value) }
      return
    }
    if object.unsaved == nil, let batch = batches[layout.tableIndex],
      try batch.read(object, in: self)
    {
      return
    }
    let query = try layout.selection.statement(layout.selectSQL, on: database)
    try query.statement.bind(object.key, at: 1)
    guard try query.statement.step() else {
      if configuration.isOfOpenedStore { return lose(object) }
      throw MigrationError(
        .failed,
        "The row of an object of the entity \(layout.entity.name) is gone.",
        recovery: "Let the policy leave deleted objects alone."
      )
    }
    object.values = layout.columns.indices.map { query.statement.value($0 + 1) }
    if configuration.isOfOpenedStore, object.unsaved == nil {
      object.take(object.values, version: max(0, query.statement.int64(layout.columns.count + 1)))
    }
    query.statement.reset()
    for value in object.values { note(value) }
  }

  /// Lets values that fetches read along, and that no code asked for yet, be read again.
  package func beginRound() { round = round == .max ? 1 : round + 1 }

  /// Counts the bytes of large values.
  func note(_ value: SQLiteValue) {
    switch value {
    case .blob(let bytes) where bytes.count > 1024: loadedBytes += bytes.count
    case .text(let text) where text.utf8.count > 1024: loadedBytes += text.utf8.count
    default: break
    }
  }
}

// MARK: Row by row

extension ManagedObjectContext {
  /// Moves a pass to a row.
  /// - Parameter statement: The statement at the row, with columns behind the key; nil for none.
  /// - Returns: The row's object; nil where it was deleted.
  func stand(
    at key: Int64,
    of layout: EntityLayout,
    _ statement: PreparedStatement?
  ) -> ManagedObject? {
    if let object = known(layout, key) { return object.isDeleted ? nil : object }
    let object = ManagedObject(layout, key: key, values: [], status: .stored)
    row = RowAtHand(isThere: true, object: object, statement: statement)
    return object
  }

  /// Moves a pass to the row of an entity's number and a key; nil where its object is deleted.
  func stand(at key: Int64, ofNumber number: Int64) throws -> ManagedObject? {
    guard let layout = try layout(number: number), try isThere(key, layout) else { return nil }
    return stand(at: key, of: layout, nil)
  }

  private func isThere(_ key: Int64, _ layout: EntityLayout) throws -> Bool {
    guard mayLackRows, known(layout, key) == nil else { return true }
    return try object(in: layout, key: key) != nil
  }

  /// Begins a pass that makes objects from rows of another context.
  ///
  /// - Parameters:
  ///   - statement: The statement at each of them, with its columns behind the key.
  ///   - columns: The slot of that row for each slot of the objects.
  func beginCarrying(from statement: PreparedStatement, _ columns: [Int]) {
    row = RowAtHand(isThere: true, statement: statement, columns: columns)
  }

  /// Writes the objects made from a row, and keeps those that are referenced elsewhere.
  ///
  /// No statement reads from the database at that time.
  func leaveRow() throws {
    try writeInserted()
    try database.queue.handOver()
    while var object = inserted.popLast() {
      if !isKnownUniquelyReferenced(&object) { keep(object) }
    }
    guard var object = row.object.take() else { return }
    endRows()
    if !isKnownUniquelyReferenced(&object) || object.isDeleted { keep(object) }
  }

  /// Ends a pass, after an error too.
  func endRows() { row = RowAtHand() }

  /// Returns whether a pass is at an object's row, and reads it.
  func isAtHand(_ object: ManagedObject) -> Bool {
    row.object === object && row.statement != nil
  }

  /// Returns the value of a column in the row that a pass is at; nil for an object of another row.
  func valueAtHand(of object: ManagedObject, _ slot: Int) -> SQLiteValue? {
    guard let statement = row.statement else { return nil }
    if object.carried.contains(slot) { return statement.statement.value(row.columns[slot] + 1) }
    guard row.object === object else { return nil }
    return statement.statement.value(slot + 1)
  }

  func keep(_ object: ManagedObject) {
    objects[object.layout.tableIndex][object.key] = object
    if object.unsaved == nil { countObjects(1) }
  }

  /// Counts objects that were made, and releases others where there are many.
  package func countObjects(_ count: Int) {
    objectCount += count
    if configuration.isOfOpenedStore { trimIfLarge() }
  }
}

// MARK: Changes

extension ManagedObjectContext {
  /// Returns a new object of an entity, with the defaults of its attributes.
  ///
  /// - Throws: ``MigrationError`` where the entity is unknown or abstract, or nothing may change.
  public func insert(entityName: String) throws -> ManagedObject {
    try insert(layout(of: entityName))
  }

  /// Returns a new object of the entity of a layout.
  func insert(_ layout: EntityLayout) throws -> ManagedObject {
    try requireWritable()
    let entityName = layout.entity.name
    guard !layout.entity.isAbstract else {
      throw MigrationError(
        .failed,
        "The entity \(entityName) is abstract and has no objects of its own.",
        recovery: "Let the mapping name a subentity."
      )
    }
    let key: Int64
    if let reserved = reservedKey, reserved.rootName == layout.rootName {
      key = reserved.key
      reservedKey = nil
    } else {
      guard let next = try configuration.nextKey?(layout.rootName) else {
        throw MigrationError(
          .failed,
          "The entity \(entityName) has no keys left.",
          recovery: "Please report this."
        )
      }
      key = next
    }
    let values = try layout.takeDefaults()
    let object = ManagedObject(layout, key: key, values: values, status: .inserted)
    note(unsaved: object, .inserted)
    if !row.isThere || inserted.count >= Self.greatestUnkept { keep(object) }
    inserted.append(object)
    return object
  }

  /// Notes that an object differs from its row.
  func register(updated object: ManagedObject) throws {
    try requireWritable()
    note(unsaved: object, .updated)
    object.status = .updated
    updated.append(object)
  }

  /// Whether saving would write anything.
  public var hasChanges: Bool { !inserted.isEmpty || !updated.isEmpty }

  /// Writes all changes into the database; the migration's transaction makes them final.
  ///
  /// - Throws: An error of the database, such as a uniqueness constraint that does not hold. In a policy each
  ///   later call throws it, too: the run ends with it.
  public func save() throws {
    try write()
    try database.settle()
  }

  /// Releases all objects without changes that are not referenced elsewhere.
  ///
  /// - Complexity: O(*objects* since the last time, and those held).
  package func trim() {
    lastOrderKeys.removeAll()
    loadedBytes = 0
    objectCount = 0
    heldCount = unreadObjects?.letGo(in: self) ?? 0
    for table in objects.indices where !objects[table].isEmpty {
      var members = objects[table]
      objects[table] = [:]
      var held: [(Int64, ManagedObject)] = []
      var index = members.startIndex
      while index != members.endIndex {
        // Changed objects are in a list of changes too.
        let isShared = !isKnownUniquelyReferenced(&members.values[index])
        if isShared || isNeeded(members.values[index], inTable: table) {
          held.append((members[index].key, members[index].value))
        }
        members.formIndex(after: &index)
      }
      heldCount += held.count
      members.removeAll(keepingCapacity: true)
      for (key, object) in held { members[key] = object }
      objects[table] = members
    }
  }
}
