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
    guard !unsaved.isEmpty else { return }
    try requireWritable()
    try save()
    try validate()
    lastOrderKeys.removeAll()
    var keys: [[Int64: Int64]] = []
    var kept: Set<ObjectIdentifier> = []
    do {
      try rows.writing {
        kept = try merge(by: rule, rows)
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
    for object in unsaved {
      if object.unsaved?.kind == .deleted, kept.contains(ObjectIdentifier(object)) {
        object.status = .stored
      }
      settle(object)
    }
    unsaved.removeAll()
  }

  /// Lets an object be as the file has it.
  private func settle(_ object: ManagedObject) {
    object.unsaved = nil
    object.changedSlots = SlotSet()
    // The app may still look at one that it deleted.
    guard object.isDeleted else {
      object.version = -1
      return object.values = []
    }
    objects[object.layout.tableIndex][object.key] = nil
  }

  /// Gives new objects the keys of their rows.
  private func take(_ keys: [[Int64: Int64]]) {
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
  }

  /// Lets an object without changes be read from the file again when it is next asked for.
  package func refault(_ object: ManagedObject) {
    guard object.unsaved == nil, object.status == .stored else { return }
    object.version = -1
    object.values = []
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
    _ = try merge([object], by: .objectTrumps, rows)
    object.values = []
  }
}

// MARK: Conflicts

extension ManagedObjectContext {
  /// Treats the objects that were saved by others since this context read them.
  ///
  /// - Returns: The objects that are as the file has them, against the context's changes.
  private func merge(by rule: MergeRule, _ rows: PendingRows) throws -> Set<ObjectIdentifier> {
    var conflicting: [ManagedObject] = []
    let byKey = Dictionary(
      unsaved.map { (ObjectPlace(table: $0.layout.tableName, key: $0.key), $0) }
    ) { $1 }
    for table in rows.tables where table.place != nil {
      let (state, base) = (PendingRows.state, PendingRows.base)
      let keys = try database.connection.rows(
        "SELECT p.Z_PK FROM \(table.pending) AS p LEFT JOIN \(table.file) AS m ON m.Z_PK = p.Z_PK"
          + " WHERE (p.\(state) = 0 AND (m.Z_PK IS NULL OR COALESCE(m.Z_OPT, 0) <> p.\(base)))"
          + " OR (p.\(state) = 2 AND COALESCE(m.Z_OPT, p.\(base)) <> p.\(base))"
      ).compactMap { $0.first?.integer }
      conflicting += keys.compactMap { byKey[ObjectPlace(table: table.name, key: $0)] }
    }
    guard !conflicting.isEmpty else { return [] }
    guard rule != .error else { throw SaveFailure(.conflict(conflicting.map(\.objectID))) }
    return try merge(conflicting, by: rule, rows)
  }

  /// The place of a row.
  private struct ObjectPlace: Hashable {
    let table: String
    let key: Int64
  }

  private func merge(
    _ conflicting: [ManagedObject],
    by rule: MergeRule,
    _ rows: PendingRows
  ) throws -> Set<ObjectIdentifier> {
    var kept: Set<ObjectIdentifier> = []
    for object in conflicting {
      let layout = object.layout
      let file = SQL.identifier("main", layout.tableName)
      let pending = SQL.identifier("temp", PendingRows.prefix + layout.tableName)
      let columns = layout.columns.map { SQL.identifier($0) }
      let current = try database.connection.rows(
        (["SELECT COALESCE(Z_OPT, 0)"] + columns).joined(separator: ", ")
          + " FROM \(file) WHERE Z_PK = ?",
        [.integer(object.key)]
      ).first
      let isDeletion = object.unsaved?.kind == .deleted
      guard let current, let version = current.first?.integer,
        rule != .rollback && !(isDeletion && rule == .storeTrumps)
      else {
        // Gone from the file, or to be as it is there.
        try rows.forget(object.key, in: layout.tableName)
        if current == nil {
          object.status = .deleted
        } else {
          kept.insert(ObjectIdentifier(object))
        }
        continue
      }
      var list = ["Z_OPT = ?", "\(PendingRows.base) = ?"]
      var values: [SQLiteValue] = [.integer(version + 1), .integer(version)]
      let change = object.unsaved
      for slot in columns.indices where !isDeletion {
        let isOwn = change?.slots.contains(slot) == true
        let before = change.flatMap { $0.snapshot.indices.contains(slot) ? $0.snapshot[slot] : nil }
        if isOwn, rule != .storeTrumps || before == current[slot + 1] { continue }
        list.append("\(columns[slot]) = ?")
        values.append(rule == .overwrite ? before ?? .null : current[slot + 1])
      }
      try database.connection.execute(
        "UPDATE \(pending) SET \(list.joined(separator: ", ")) WHERE Z_PK = ?",
        values + [.integer(object.key)]
      )
      object.version = version
    }
    return kept
  }
}

// MARK: Validation

extension ManagedObjectContext {
  /// Holds the new and the changed objects against the rules of the model.
  private func validate() throws {
    let changed = unsaved.filter { $0.unsaved?.kind == .inserted || $0.unsaved?.kind == .updated }
    let scope = StoreValidator.Scope(
      entities: Set(changed.map(\.layout.entity.name)),
      condition: { table in
        "s.Z_PK IN (SELECT Z_PK FROM \(SQL.identifier("temp", PendingRows.prefix + table)))"
      },
      columns: pendingColumns
    )
    let report = try StoreValidator(
      schema: schema,
      database: configuration.schemaName,
      scope: scope
    ).report(on: database.connection)
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
