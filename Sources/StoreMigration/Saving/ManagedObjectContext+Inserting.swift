import ObjectModel
import StoreAccess

// Saves of many new objects of an opened store, whose rows go straight into the file.
extension ManagedObjectContext {
  /// A condition of a save in which rows go straight into the file does not hold.
  private struct NotDirect: Error {}

  /// Saves all changes as ``commit(merging:now:)`` does, without writing new rows among the pending ones first.
  ///
  /// It is the same transaction with the same rules. What it cannot save, it leaves as it was, for the
  /// other way to save it or to state why not: a rule that is broken, a conflict, a value that is not unique, a
  /// new object that pending rows name.
  ///
  /// - Returns: Whether everything is saved.
  /// - Throws: ``SaveFailure`` where another process writes for too long.
  func commitDirectly(_ rows: PendingRows) throws -> Bool {
    // A row that a query of the context needed is among the pending ones already.
    guard inserted.contains(where: { $0.status == .inserted }), schema.derivedAttributes.isEmpty
    else { return false }
    try writeUpdated()
    guard try !rows.namesNewRows() else { return false }
    var keys: [[Int64: Int64]] = []
    var firstKeys: [Int: Int64] = [:]
    // Rows of many objects go into pages all over their indexes.
    let isLarge = inserted.count > 5000
    if isLarge { try database.connection.enlargeCache() }
    defer { if isLarge { try? database.connection.shrinkCache() } }
    do {
      try rows.writing {
        _ = try merge(by: .error, rows)
        keys = try rows.assignKeys()
        try rows.apply()
        firstKeys = try insertIntoFile(rows, &keys)
        try validate(changed: unsaved, in: "main") { table in
          "s.Z_PK IN (SELECT Z_PK FROM \(SQL.identifier("temp", PendingRows.prefix + table)))"
        }
        try validate(changed: inserted, in: "main") { [schema] table in
          let place = schema.tables.firstIndex { $0.name == table }
          return "s.Z_PK >= \(place.flatMap { firstKeys[$0] } ?? .max)"
        }
        try rows.clear()
      }
    } catch let error as SQLiteError where error.code == .busy {
      throw SaveFailure(.busy)
    } catch let error as SQLiteError where error.code != .constraint {
      // A second try on a full disk, for one, would not help, and would hide the reason.
      throw error
    } catch {
      return false
    }
    lastOrderKeys.removeAll()
    for object in inserted where object.status == .inserted { object.status = .stored }
    inserted.removeAll()
    take(keys)
    settleAll(Merged())
    return true
  }

  /// Inserts the new objects whose rows are not pending into the file.
  ///
  /// - Parameter keys: The new key of each object, by the place of its table and its old key.
  /// - Returns: The first of the new keys of each table.
  private func insertIntoFile(
    _ rows: PendingRows,
    _ keys: inout [[Int64: Int64]]
  ) throws -> [Int: Int64] {
    let new = inserted.filter { $0.status == .inserted }
    var counts: [Int: Int] = [:]
    for object in new { counts[object.layout.tableIndex, default: 0] += 1 }
    var (firstKeys, next): ([Int: Int64], [Int: Int64]) = ([:], [:])
    for table in rows.tables {
      guard let place = table.place, let count = counts[place] else { continue }
      firstKeys[place] = try rows.takeKeys(count, of: table, place)
      keys[place].reserveCapacity(keys[place].count + count)
    }
    next = firstKeys
    for object in new {
      let place = object.layout.tableIndex
      keys[place][object.key] = next[place]
      next[place]? &+= 1
    }
    next = firstKeys
    var insertions: [ObjectIdentifier: FileInsertion] = [:]
    var last: FileInsertion?
    var destinations: [Set<Int64>] = Array(repeating: [], count: schema.tables.count)
    for object in new {
      let layout = object.layout
      if last?.layout !== layout {
        last =
          try insertions[ObjectIdentifier(layout)]
          ?? FileInsertion(layout, rows.tables.first { $0.place == layout.tableIndex }, database)
        insertions[ObjectIdentifier(layout)] = last
      }
      guard let insertion = last, let key = next[layout.tableIndex] else { throw NotDirect() }
      next[layout.tableIndex] = key &+ 1
      let insert = insertion.statement
      try insert.statement.bind(key, at: 1)
      let values = object.values
      for slot in values.indices { try insert.statement.bind(values[slot], at: slot + 2) }
      for (slot, place) in insertion.references {
        guard let named = values[slot].integer else { continue }
        if named > 0 {
          destinations[place].insert(named)
        } else {
          guard let new = keys[place][named] else { throw NotDirect() }
          try insert.statement.bind(new, at: slot + 2)
        }
      }
      try insert.statement.run()
    }
    for (place, named) in destinations.enumerated() where !named.isEmpty {
      let table = SQL.identifier("main", schema.tables[place].name)
      let query = try database.cursor("SELECT 1 FROM \(table) WHERE Z_PK = ?")
      for key in named {
        try query.statement.bind(key, at: 1)
        guard try query.statement.step() else { throw NotDirect() }
        query.statement.reset()
      }
    }
    return firstKeys
  }
}

/// A statement that inserts the rows of an entity's new objects into the file.
private final class FileInsertion {
  let layout: EntityLayout
  /// The statement; the parameters are the key and the slots.
  let statement: PreparedStatement
  /// The slots that name other rows, with the places of the tables of these.
  let references: [(slot: Int, place: Int)]

  init(_ layout: EntityLayout, _ table: PendingRows.Table?, _ database: PreparedDatabase) throws {
    self.layout = layout
    references =
      table?.references.compactMap { column, place in
        layout.slotsByColumn[column].map { ($0, place) }
      } ?? []
    let columns = layout.columns.map { SQL.identifier($0) }
    let own = Set(layout.columns + ["Z_PK", "Z_ENT", "Z_OPT"])
    // Objects of other entities count as nothing, as among the pending rows.
    let others = (table?.columns ?? []).map(\.name).filter { !own.contains($0) }
      .map { SQL.identifier($0) }
    let list = (["Z_PK", "Z_ENT", "Z_OPT"] + columns + others).joined(separator: ", ")
    let values =
      ["?", "\(layout.number)", "1"] + columns.map { _ in "?" } + others.map { _ in "NULL" }
    statement = try database.cursor(
      "INSERT INTO \(SQL.identifier("main", layout.tableName)) (\(list))"
        + " VALUES (\(values.joined(separator: ", ")))"
    )
  }
}
