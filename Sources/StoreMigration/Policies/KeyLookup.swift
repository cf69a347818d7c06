import ObjectModel
import StoreAccess

/// A search for objects by the value of an attribute.
///
/// Source objects do not change, so a table of their values is made in the scratch database when an
/// attribute is first asked for. In the destination an index is made on the column, which
/// ``drop()`` removes before the store is finished.
struct KeyLookup {
  /// The prefix of the names of all indexes that are made in the destination.
  static let indexPrefix = "waystone_lookup_"

  let context: ManagedObjectContext
  /// The connection to the scratch database and both stores.
  let database: PreparedDatabase
  let scratch: String

  /// Returns the object of an entity, or of one below it, whose attribute has a value.
  ///
  /// - Returns: The one with the least key of several; nil where there is none.
  /// - Throws: ``MigrationError`` where the entity or the attribute is unknown, or cannot be looked
  ///   up because its values are not in its column alone.
  func object(
    ofEntity entityName: String,
    where key: String,
    equals value: ExpressionValue
  ) throws -> ManagedObject? {
    let layout = try context.layout(of: entityName)
    guard case .attribute(let slot) = try layout.property(key), !slot.isTagged else {
      throw MigrationError(
        .failed,
        "\(entityName).\(key) is no attribute by which objects can be found.",
        recovery: "Name an attribute that is stored, and not outside of the store."
      )
    }
    if case .nothing = value { return nil }
    // A value that the attribute cannot have is no object's.
    guard let stored = slot.key(value) else { return nil }
    if context.hasChanges { try context.save() }
    let query =
      context.configuration.store == .source
      ? try sourceQuery(layout, slot) : try destinationQuery(layout, slot, entityName)
    try query.statement.bind(stored, at: 1)
    guard try query.statement.step() else { return nil }
    let (found, number) = (query.statement.int64(0), query.statement.int64(1))
    query.statement.reset()
    return try context.object(number: number, key: found)
  }

  private func numbers(_ entityName: String) -> String {
    context.schema.entityNumbers(below: entityName).map { String($0) }.joined(separator: ", ")
  }

  private func sourceQuery(
    _ layout: EntityLayout,
    _ slot: AttributeSlot
  ) throws -> PreparedStatement {
    let name = "lookup_\(layout.number)_\(slot.slot)"
    let table = SQL.identifier(scratch, name)
    let query = "SELECT key, entity FROM \(table) WHERE value = ? ORDER BY key LIMIT 1"
    guard !context.knownLookups.contains(name) else { return try database.statement(query) }
    let column = SQL.identifier(layout.columns[slot.slot])
    try database.settle()
    let isThere = try database.connection.integer(
      "SELECT 1 FROM \(SQL.identifier(scratch, "sqlite_master")) WHERE name = ?",
      [.text(name)]
    )
    if isThere == nil {
      try database.connection.execute(
        """
        CREATE TABLE \(table)
        AS SELECT \(column) AS value, Z_PK AS key, Z_ENT AS entity FROM \(layout.table)
        WHERE \(column) IS NOT NULL AND Z_ENT IN (\(numbers(layout.entity.name)))
        """
      )
      try database.connection.execute(
        "CREATE INDEX \(SQL.identifier(scratch, name + "_index")) ON \(name) (value, key)"
      )
    }
    context.knownLookups.insert(name)
    return try database.statement(query)
  }

  private func destinationQuery(
    _ layout: EntityLayout,
    _ slot: AttributeSlot,
    _ entityName: String
  ) throws -> PreparedStatement {
    let column = SQL.identifier(layout.columns[slot.slot])
    let name = "\(Self.indexPrefix)\(layout.tableName)_\(layout.columns[slot.slot])"
    if context.knownLookups.insert(name).inserted {
      let index = SQL.identifier(context.configuration.schemaName, name)
      try database.settle()
      try database.connection.execute(
        "CREATE INDEX IF NOT EXISTS \(index) ON \(SQL.identifier(layout.tableName)) (\(column))"
      )
    }
    return try database.statement(
      "SELECT Z_PK, Z_ENT FROM \(layout.table) WHERE \(column) = ?"
        + " AND Z_ENT IN (\(numbers(entityName))) ORDER BY Z_PK LIMIT 1"
    )
  }

  /// Removes all indexes that were made in the destination.
  func drop() throws {
    let schema = context.configuration.schemaName
    let rows = try database.connection.rows(
      "SELECT name FROM \(SQL.identifier(schema, "sqlite_master")) WHERE type = 'index'"
    )
    // It writes what is queued first.
    try database.discardStatements()
    for name in rows.compactMap({ $0[0].text }) where name.hasPrefix(Self.indexPrefix) {
      try database.connection.execute("DROP INDEX \(SQL.identifier(schema, name))")
    }
    context.knownLookups.removeAll()
  }
}
