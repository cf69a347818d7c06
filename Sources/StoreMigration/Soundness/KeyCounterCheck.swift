import ObjectModel
import StoreAccess

/// The tables with a key above `Z_MAX`, from which Core Data counts on: it would give a new object
/// the key of one that is there.
///
/// A hop writes `Z_PRIMARYKEY` anew, by the rows; a store that needs no hop keeps its own.
struct KeyCounterCheck {
  /// A table with such a key.
  struct Item: Hashable, Sendable {
    /// The root of the hierarchy.
    let rootEntityName: String
    /// The number of the entity.
    let entityNumber: Int
    /// The greatest key of the table.
    let key: Int64
  }

  let items: [Item]

  /// Finds the tables whose counter is below the greatest key.
  ///
  /// - Parameters:
  ///   - real: The database's own schema, as it was read.
  ///   - comparison: The comparison of the model's schema with it.
  /// - Throws: ``SQLiteError``.
  /// - Complexity: One lookup for each table.
  init(
    _ connection: borrowing SQLiteConnection,
    schema: PhysicalSchema,
    real: StoreSchema,
    comparison: SchemaComparison
  ) throws(SQLiteError) {
    let missing = Set(comparison.missingTables + comparison.missingColumns.map(\.tableName))
    var items: [Item] = []
    for table in schema.tables where !missing.contains(table.name) {
      guard let number = schema.entityNumber(table.rootEntityName),
        let row = real.entityRows.first(where: { $0.entityNumber == Int64(number) }),
        let key = try connection.integer(
          "SELECT MAX(Z_PK) FROM \(SQL.identifier("main", table.name))"
        ), key > max(row.maximum, 0)
      else { continue }
      items.append(Item(rootEntityName: table.rootEntityName, entityNumber: number, key: key))
    }
    self.items = items
  }

  /// Writes the greatest keys of a copy where they belong.
  ///
  /// - Throws: ``SQLiteError``.
  func raise(in copy: borrowing SQLiteConnection) throws(SQLiteError) {
    for item in items {
      try copy.execute(
        "UPDATE main.\(SystemTable.primaryKey.rawValue) SET Z_MAX = "
          + "\(SQL.literal(.integer(item.key))) WHERE Z_ENT = \(item.entityNumber)"
      )
    }
  }

  /// The notes of a run that raised them.
  var notes: [String] {
    items.map {
      "Z_MAX of \($0.rootEntityName) was below its greatest key: the result has it right"
    }
  }

  /// Returns a finding for each table.
  func findings(version: String? = nil) -> [Finding] {
    items.map { item in
      Finding(
        .entityNumbersWrong,
        .warning,
        at: Finding.Place(version: version, entity: item.rootEntityName),
        message: "Z_MAX of \(item.rootEntityName) is below its greatest key: the app would give a "
          + "new object the key of one that is there.",
        remedy: "`waystone migrate --output` writes a copy in which it is right."
      )
    }
  }
}
