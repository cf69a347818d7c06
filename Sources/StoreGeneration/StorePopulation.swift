package import ObjectModel
package import StoreAccess

/// The counts of everything that a model declares in a store; never a value.
package struct StorePopulation: Hashable, Sendable {
  /// The rows of each concrete entity.
  package private(set) var rows: [String: Int] = [:]
  /// The values of each stored attribute that are not NULL, by the entity that declares it.
  package private(set) var values: [PropertyReference: Int] = [:]
  /// The links of each stored relationship, by the entity that declares it.
  package private(set) var links: [PropertyReference: Int] = [:]

  /// The columns that one statement counts, well below SQLite's limit of 2,000 for a result.
  private static let columnsPerStatement = 400

  /// Counts what a store of a model holds.
  ///
  /// - Parameter path: A store of that very model.
  /// - Throws: ``StoreAccessError`` where the store cannot be read, or is not as its model predicts.
  /// - Complexity: One pass over each table for every 400 columns.
  package init(of path: String, model: ManagedObjectModel) throws(StoreAccessError) {
    let store = try PersistentStore.open(path, by: model)
    do throws(SQLiteError) {
      let real = try StoreSchema(of: store.connection)
      let names = JoinNames(settledBy: real.columnNames, model: model)
      try self.init(PhysicalSchema(model: model, names: names), on: store.connection)
    } catch {
      throw StoreAccessError(error)
    }
    try store.checkUnchanged()
  }

  private init(
    _ schema: PhysicalSchema,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    var columns: [String: [String: Int]] = [:]
    for table in schema.tables {
      let name = SQL.identifier(table.name)
      let rows = try connection.rows("SELECT Z_ENT, COUNT(*) FROM \(name) GROUP BY Z_ENT")
      for row in rows where row.count == 2 {
        guard let number = row[0].integer, let count = row[1].integer,
          let entity = schema.entityName(Int(clamping: number))
        else { continue }
        self.rows[entity, default: 0] += Int(clamping: count)
      }
      columns[table.name] = try Self.counts(
        table.columns.map(\.name),
        of: table.name,
        on: connection
      )
    }
    for table in schema.joinTables {
      let name = table.destinationColumn.name
      columns[table.name] = try Self.counts([name], of: table.name, on: connection)
    }
    for entity in schema.model.entities {
      if !entity.isAbstract { rows[entity.name, default: 0] += 0 }
      for attribute in schema.model.ownAttributes(of: entity.name) where !attribute.isTransient {
        guard let column = schema.column(of: attribute.name, in: entity.name),
          let table = schema.table(of: entity.name)
        else { continue }
        let place = PropertyReference(entityName: entity.name, propertyName: attribute.name)
        values[place] = columns[table.name]?[column.name] ?? 0
      }
      for relationship in entity.relationships where !relationship.isTransient {
        guard let storage = schema.storage(of: relationship.name, in: entity.name) else { continue }
        let (table, column) = storage.counted
        let place = PropertyReference(entityName: entity.name, propertyName: relationship.name)
        links[place] = columns[table]?[column] ?? 0
      }
    }
  }

  /// Returns the number of values of each column that are not NULL.
  private static func counts(
    _ columns: [String],
    of table: String,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [String: Int] {
    var result: [String: Int] = [:]
    for start in stride(from: 0, to: columns.count, by: columnsPerStatement) {
      let part = columns[start..<min(start + columnsPerStatement, columns.count)]
      let list = part.map { "COUNT(\(SQL.identifier($0)))" }.joined(separator: ", ")
      let rows = try connection.rows("SELECT \(list) FROM \(SQL.identifier(table))")
      for (name, value) in zip(part, rows.first ?? []) {
        result[name] = Int(clamping: value.integer ?? 0)
      }
    }
    return result
  }
}

extension RelationshipStorage {
  /// The table and column that have a value for every link.
  fileprivate var counted: (table: String, column: String) {
    switch self {
    case .key(let table, let key, _, _), .inverseKey(let table, let key, _): (table, key)
    case .ownerKey(let table, let owner, _): (table, owner)
    case .join(let table, _, _, _): (table.name, table.destinationColumn.name)
    }
  }
}
