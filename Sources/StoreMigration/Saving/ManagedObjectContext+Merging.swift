import ObjectModel
import StoreAccess

// Objects of an opened store that another context saved since they were read.
extension ManagedObjectContext {
  /// The objects for which others' saves count.
  struct Merged {
    /// The ones that the context deleted and the file keeps.
    var kept: Set<ObjectIdentifier> = []
    /// The ones that the file has no more.
    var gone: Set<ObjectIdentifier> = []
  }

  /// Treats the objects that were saved by others since this context read them.
  func merge(by rule: MergeRule, _ rows: PendingRows) throws -> Merged {
    var conflicting: [ManagedObject] = []
    lazy var byKey = Dictionary(
      unsaved.map { (ObjectPlace(table: $0.layout.tableName, key: $0.key), $0) }
    ) { $1 }
    for table in rows.tables where table.place != nil {
      let (state, base) = (PendingRows.state, PendingRows.base)
      let keys = try database.connection.rows(
        "SELECT p.Z_PK FROM \(table.pending) AS p LEFT JOIN \(table.file) AS m ON m.Z_PK = p.Z_PK"
          + " WHERE p.\(state) <> 1 AND ((p.\(state) = 0 AND (m.Z_PK IS NULL OR COALESCE(m.Z_OPT, 0) <> p.\(base)))"
          + " OR (p.\(state) = 2 AND COALESCE(m.Z_OPT, p.\(base)) <> p.\(base)))"
      ).compactMap { $0.first?.integer }
      conflicting += keys.compactMap { byKey[ObjectPlace(table: table.name, key: $0)] }
    }
    conflicting += try objectsWithoutRows(rows)
    guard !conflicting.isEmpty else {
      try requireDestinations(rows)
      return Merged()
    }
    guard rule != .error else { throw SaveFailure(.conflict(conflicting.map(\.objectID))) }
    let merged = try merge(conflicting, by: rule, rows)
    try requireDestinations(rows)
    return merged
  }

  /// Returns the changed objects that are not among the pending rows: theirs were gone from the file when the
  /// change was written.
  private func objectsWithoutRows(_ rows: PendingRows) throws -> [ManagedObject] {
    let changed = unsaved.filter { $0.unsaved?.kind == .updated }
    var there: Set<ObjectPlace> = []
    for name in Set(changed.map(\.layout.tableName)) {
      let pending = SQL.identifier("temp", PendingRows.prefix + name)
      for row in try database.connection.rows("SELECT Z_PK FROM \(pending)") {
        there.insert(ObjectPlace(table: name, key: row.first?.integer ?? 0))
      }
    }
    return changed.filter {
      !there.contains(ObjectPlace(table: $0.layout.tableName, key: $0.key))
    }
  }

  /// Refuses links to rows that are not there: another context deleted them, and no policy makes them again.
  private func requireDestinations(_ rows: PendingRows) throws {
    let lacking = try rows.keysWithoutDestination()
    guard !lacking.isEmpty else { return }
    let byKey = Dictionary(
      unsaved.map { (ObjectPlace(table: $0.layout.tableName, key: $0.key), $0) }
    ) { $1 }
    let objects = lacking.compactMap { byKey[ObjectPlace(table: $0.table, key: $0.key)] }
    throw SaveFailure(.conflict(objects.map(\.objectID)))
  }

  /// Refuses to keep an object that this context deleted and another one changed, where the deletion changed
  /// others, too.
  private func requireAlone(
    _ kept: [(object: ManagedObject, values: [SQLiteValue])],
    _ rows: PendingRows
  ) throws {
    let ids = Set(kept.map { ObjectIdentifier($0.object) })
    let deleted = Set(
      unsaved.filter { $0.unsaved?.kind == .deleted && !ids.contains(ObjectIdentifier($0)) }
        .map { ObjectPlace(table: $0.layout.tableName, key: $0.key) }
    )
    for (object, values) in kept {
      let table = rows.tables.first { $0.place == object.layout.tableIndex }
      let namesDeleted =
        table?.references.contains { column, place in
          guard let slot = object.layout.slotsByColumn[column], let key = values[slot].integer
          else {
            return false
          }
          return deleted.contains(ObjectPlace(table: schema.tables[place].name, key: key))
        } ?? false
      guard namesDeleted || object.unsaved?.releasedOthers == true else { continue }
      throw SaveFailure(.conflict([object.objectID]))
    }
  }

  /// The place of a row.
  private struct ObjectPlace: Hashable {
    let table: String
    let key: Int64
  }

  func merge(
    _ conflicting: [ManagedObject],
    by rule: MergeRule,
    _ rows: PendingRows,
    renewsSnapshot: Bool = false
  ) throws -> Merged {
    var merged = Merged()
    var kept: [(object: ManagedObject, values: [SQLiteValue])] = []
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
        !(isDeletion && (rule == .storeTrumps || rule == .rollback))
      else {
        // Gone from the file, or to be as it is there.
        try rows.forget(object.key, in: layout.tableName)
        if let current {
          merged.kept.insert(ObjectIdentifier(object))
          kept.append((object, Array(current.dropFirst())))
        } else {
          merged.gone.insert(ObjectIdentifier(object))
        }
        continue
      }
      object.version = version
      let next = try object.nextVersion()
      var list = ["Z_OPT = ?", "\(PendingRows.base) = ?"]
      var values: [SQLiteValue] = [.integer(next), .integer(version)]
      for unit in layout.units where !isDeletion {
        for (slot, value) in try mergedValues(
          unit,
          of: object,
          Array(current.dropFirst()),
          by: rule
        ) {
          list.append("\(columns[slot]) = ?")
          values.append(value)
        }
      }
      try database.connection.execute(
        "UPDATE \(pending) SET \(list.joined(separator: ", ")) WHERE Z_PK = ?",
        values + [.integer(object.key)]
      )
      if renewsSnapshot {
        object.unsaved?.snapshot = Array(current.dropFirst())
        object.unsaved?.isStale = false
      }
    }
    try requireAlone(kept, rows)
    return merged
  }

  /// Returns the values that slots which belong together get otherwise than the context has them.
  ///
  /// - Parameter current: The values of all slots in the file.
  /// - Throws: ``SaveFailure`` where both contexts changed a relationship whose other end is in another
  ///   row.
  private func mergedValues(
    _ unit: [Int],
    of object: ManagedObject,
    _ current: [SQLiteValue],
    by rule: MergeRule
  ) throws -> [(slot: Int, value: SQLiteValue)] {
    guard let change = object.unsaved else { return [] }
    let before = change.snapshot
    func isUnchanged(_ slot: Int) -> Bool {
      before.indices.contains(slot) && before[slot] == current[slot]
    }
    let isChangedHere = unit.contains(where: change.slots.contains)
    let isChangedThere = change.isStale || !unit.allSatisfy(isUnchanged)
    if object.layout.pairedSlots.contains(where: unit.contains),
      isChangedHere && rule == .rollback || isChangedThere && (isChangedHere || rule == .overwrite)
    {
      throw SaveFailure(.conflict([object.objectID]))
    }
    let isOwn = isChangedHere && rule != .rollback && (rule != .storeTrumps || !isChangedThere)
    guard isOwn || rule == .overwrite else { return unit.map { ($0, current[$0]) } }
    return unit.filter { !change.slots.contains($0) && before.indices.contains($0) }
      .map { ($0, before[$0]) }
  }
}
