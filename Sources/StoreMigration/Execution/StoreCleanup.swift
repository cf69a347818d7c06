import StoreAccess

/// A removal of the objects that deferred migrations left in a store: the last step of Core Data's own.
struct StoreCleanup: Sendable {
  /// The columns and tables to remove.
  let leftovers: Leftovers
  /// The indexes on the model's tables that the model does not have.
  let indexes: [String]

  /// Makes the cleanup of a store that is known to have a schema, apart from the leftovers.
  init(schema: PhysicalSchema, store: StoreSchema, leftovers: Leftovers) {
    self.leftovers = leftovers
    let tables = Set(schema.tables.map(\.name) + schema.joinTables.map(\.name))
    let extra = Set(SchemaComparison(predicted: schema, real: store).extraIndexes)
    indexes = store.indexes.filter { extra.contains($0.name) && tables.contains($0.tableName) }
      .map(\.name)
  }

  /// The names of all objects that are removed, in byte order within their kind.
  var names: [String] { leftovers.names + indexes.sorted().map { "the index \($0)" } }

  /// Removes everything from a copy that is thrown away if this does not finish, and takes the mark
  /// out of its metadata.
  ///
  /// - Complexity: One reading of each table that loses a column, for each column.
  func run(on connection: borrowing SQLiteConnection) throws {
    try connection.execute("BEGIN IMMEDIATE")
    let aside = try SchemaObject.all(in: connection).filter {
      $0.kind == .view || $0.kind == .trigger
    }
    try connection.drop(aside)
    for name in indexes { try connection.execute("DROP INDEX \(SQL.identifier(name))") }
    let columns = leftovers.columns.sorted {
      ($0.tableName, $0.columnName) < ($1.tableName, $1.columnName)
    }
    for place in columns {
      try connection.execute(
        "ALTER TABLE \(SQL.identifier(place.tableName)) "
          + "DROP COLUMN \(SQL.identifier(place.columnName))"
      )
    }
    for name in leftovers.tables.sorted() {
      try connection.execute("DROP TABLE \(SQL.identifier(name))")
    }
    for object in aside { try connection.create(object) }
    var metadata = try StoreMetadata(reading: connection)
    metadata.setPendingCleanup(nil)
    try metadata.write(to: connection)
    try connection.execute("COMMIT")
  }
}
