import StoreAccess

// Changes on their way into the database.
extension ManagedObjectContext {
  /// Writes all changes; must be called before other code queries the database.
  func write() throws {
    try writeInserted()
    if row.isThere { for object in inserted { keep(object) } }
    inserted.removeAll(keepingCapacity: true)
    try writeUpdated()
  }

  /// Writes the changed values of objects whose rows are there.
  func writeUpdated() throws {
    for object in updated where object.status == .updated {
      let sql = object.layout.updateSQL(
        object.changedSlots,
        countsSave: configuration.countsSaves,
        setsVersion: configuration.isOfOpenedStore
      )
      let update = try database.statement(sql)
      var index = 1
      for slot in object.changedSlots.slots {
        try update.statement.bind(object.values[slot], at: index)
        index += 1
      }
      if configuration.isOfOpenedStore {
        try update.statement.bind(object.nextVersion(), at: index)
        index += 1
      }
      try update.statement.bind(object.key, at: index)
      try update.statement.run()
      object.status = .stored
      object.changedSlots = SlotSet()
    }
    updated.removeAll(keepingCapacity: true)
  }

  func writeInserted() throws {
    for object in inserted where object.status == .inserted {
      let layout = object.layout
      let insert = try layout.insertion.queued(layout.insertSQL, on: database)
      let carried = object.carried
      if carried.isEmpty {
        try database.queue.append(insert) { Self.append(object.key, object.values, to: &$0) }
      } else {
        guard let statement = row.statement else {
          preconditionFailure("a row was left before what was made of it was written")
        }
        let columns = row.columns
        try database.queue.append(insert) {
          Self.append(object.key, object.values, carried, columns, of: statement, to: &$0)
        }
        // A later access reads the row that was written.
        layout.giveBack(&object.values, except: carried)
        object.carried = SlotSet()
      }
      object.status = .stored
    }
  }

  private static func append(
    _ key: Int64,
    _ values: [SQLiteValue],
    to bound: inout BoundValues
  ) {
    bound.append(key)
    for value in values { bound.append(value) }
  }

  /// Adds the values of an object; some of them are columns of the row at hand.
  private static func append(
    _ key: Int64,
    _ values: [SQLiteValue],
    _ carried: SlotSet,
    _ columns: [Int],
    of row: PreparedStatement,
    to bound: inout BoundValues
  ) {
    bound.append(key)
    for slot in values.indices {
      if carried.contains(slot) {
        bound.append(column: columns[slot] + 1, of: row.statement)
      } else {
        bound.append(values[slot])
      }
    }
  }
}
