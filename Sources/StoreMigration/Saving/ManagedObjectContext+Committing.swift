import ObjectModel
import StoreAccess

// Saves of an opened store's context.
extension ManagedObjectContext {
  /// The objects with changes that the opened store's file does not have yet, by the kind of change.
  package var insertedObjects: [ManagedObject] { unsaved.filter { $0.unsaved?.kind == .inserted } }
  /// The objects with other values or other links than the file's.
  package var updatedObjects: [ManagedObject] { unsaved.filter { $0.unsaved?.kind == .updated } }
  /// The objects that the next save deletes.
  package var deletedObjects: [ManagedObject] { unsaved.filter { $0.unsaved?.kind == .deleted } }

  /// Saves all changes of an opened store's context: one transaction, which waits for other writers as long as
  /// the connection does.
  ///
  /// - Parameters:
  ///   - rule: The treatment of objects that were saved by others since they were read.
  ///   - now: The time, in seconds since 2001, for derived attributes that have it.
  /// - Throws: ``SaveFailure``, or an error of the database; the changes are still there, and the file is as it
  ///   was.
  /// - Complexity: O(*n*) in the changed rows.
  package func commit(merging rule: MergeRule = .error, now: Double) throws {
    guard let rows = pendingRows else { return try save() }
    guard !unsaved.isEmpty else { return releaseChangedInMemory() }
    try requireWritable()
    if try commitDirectly(rows) { return }
    try save()
    try validate(changed: unsaved, in: configuration.schemaName) { table in
      "s.Z_PK IN (SELECT Z_PK FROM \(SQL.identifier("temp", PendingRows.prefix + table)))"
    }
    lastOrderKeys.removeAll()
    var keys: [[Int64: Int64]] = []
    var merged = Merged()
    do {
      try rows.writing {
        merged = try merge(by: rule, rows)
        keys = try rows.assignKeys()
        try rows.apply()
        try rows.derive(now: now)
        try rows.clear()
      }
    } catch let error as SQLiteError {
      switch error.code {
      case .busy: throw SaveFailure(.busy)
      case .constraint: throw SaveFailure(.constraint(error.message))
      default: throw error
      }
    }
    take(keys)
    settleAll(merged)
  }

  /// Lets all objects be as the file has them after a save.
  ///
  /// - Parameter merged: The objects for which others' saves counted.
  func settleAll(_ merged: Merged) {
    releaseChangedInMemory()
    for object in unsaved {
      var version: Int64 = -1
      switch object.unsaved?.kind {
      case .inserted: version = 1
      case .updated:
        if merged.gone.contains(ObjectIdentifier(object)) {
          lose(object)
        } else {
          version = object.version + 1
        }
      case .deleted: if merged.kept.contains(ObjectIdentifier(object)) { object.status = .stored }
      default: break
      }
      settle(object, version)
    }
    // New objects count from here on, as they were not to be let go of before.
    let count = unsaved.count
    unsaved.removeAll()
    countObjects(count)
  }

  /// Lets an object be as the file has it.
  ///
  /// - Parameter version: The number of saves of its row, where that is known: a save of another context before
  ///   its values are read again is a conflict, too.
  private func settle(_ object: ManagedObject, _ version: Int64 = -1) {
    object.endChange()
    object.changedSlots = SlotSet()
    object.seenMembers = nil
    object.isSeen = false
    // The app may still look at one that it deleted.
    guard object.isDeleted else {
      object.version = version
      return object.values = []
    }
    objects[object.layout.tableIndex][object.key] = nil
  }

  /// Gives new objects the keys of their rows.
  func take(_ keys: [[Int64: Int64]]) {
    guard keys.contains(where: { !$0.isEmpty }) else { return }
    for object in unsaved {
      let table = object.layout.tableIndex
      // A row may name another by its old key.
      if !object.isDeleted { object.values = [] }
      guard let key = keys[table][object.key] else { continue }
      objects[table][object.key] = nil
      object.key = key
      objects[table][key] = object
    }
  }

  /// Gives the new objects keys of the store now, which a save would give them later.
  package func obtainPermanentIDs() throws {
    guard let rows = pendingRows, unsaved.contains(where: { $0.key < 0 }) else { return }
    try requireWritable()
    try save()
    lastOrderKeys.removeAll()
    take(try rows.writing { try rows.assignKeys() })
  }

  /// Drops all changes that were not saved.
  package func rollback() throws {
    guard let rows = pendingRows else { return }
    try database.settle()
    try rows.clear()
    releaseChangedInMemory()
    inserted.removeAll()
    updated.removeAll()
    lastOrderKeys.removeAll()
    for object in unsaved {
      switch object.unsaved?.kind {
      case .inserted, .discarded: object.status = .deleted
      default:
        object.status = .stored
        objects[object.layout.tableIndex][object.key] = object
      }
      settle(object)
    }
    unsaved.removeAll()
  }

  /// Lets objects without changes be read from the file again when they are next asked for.
  package func refresh() {
    lastOrderKeys.removeAll()
    for table in objects { for object in table.values { refault(object) } }
    unreadObjects?.forgetVersions()
  }

  /// Lets an object without changes be read from the file again when it is next asked for.
  package func refault(_ object: ManagedObject) {
    guard object.unsaved == nil, object.status == .stored else { return }
    object.version = -1
    object.isSeen = false
    object.values = []
    object.seenMembers = nil
  }

  /// Lets an object be as the file has it, with the context's own changes of its values or without.
  package func refresh(_ object: ManagedObject, keepsChanges: Bool) throws {
    guard let rows = pendingRows, object.unsaved?.kind == .updated else { return refault(object) }
    try save()
    guard keepsChanges else {
      try rows.forget(object.key, in: object.layout.tableName)
      unsaved.removeAll { $0 === object }
      return settle(object)
    }
    // One that is gone lacks its pending row from here on, which is a conflict of the save.
    _ = try merge([object], by: .objectTrumps, rows, renewsSnapshot: true)
    object.values = []
    object.seenMembers = nil
  }
}

// MARK: Validation

extension ManagedObjectContext {
  /// Holds the new and the changed objects against the rules of the model.
  ///
  /// - Parameters:
  ///   - objects: The objects, of which new and changed ones count.
  ///   - database: The name of the database with their rows.
  ///   - condition: The condition in SQL that a row `s` of a table is one of them.
  func validate(
    changed objects: [ManagedObject],
    in database: String,
    where condition: @escaping (_ table: String) -> String
  ) throws {
    var layouts: [ObjectIdentifier: EntityLayout] = [:]
    var last: EntityLayout?
    for object in objects
    where object.unsaved?.kind == .inserted || object.unsaved?.kind == .updated {
      if last === object.layout { continue }
      last = object.layout
      layouts[ObjectIdentifier(object.layout)] = object.layout
    }
    let scope = StoreValidator.Scope(
      entities: Set(layouts.values.map(\.entity.name)),
      condition: condition,
      columns: pendingColumns
    )
    let report = try StoreValidator(schema: schema, database: database, scope: scope)
      .report(on: self.database.connection)
    guard !report.violations.isEmpty else { return }
    throw SaveFailure(
      .invalid(
        report.violations.map { violation in
          SaveFailure.BrokenRule(
            objects: violation.primaryKeys.map {
              ManagedObjectID(
                store: configuration.store,
                entityName: violation.entity,
                key: $0
              )
            },
            property: violation.property,
            code: violation.code,
            message: violation.message
          )
        }
      )
    )
  }

  /// The columns of the views, by the names of their tables.
  private var pendingColumns: [String: Set<String>] {
    Dictionary(
      (pendingRows?.tables ?? []).map { ($0.name, Set($0.columns.map(\.name))) }
    ) { $1 }
  }
}
