import ObjectModel
import StoreAccess

extension Leg {
  /// Writes what Core Data keeps beside the rows: numbers and keys, metadata, model cache.
  ///
  /// - Parameters:
  ///   - keys: `Z_PRIMARYKEY` of the source.
  ///   - metadata: `Z_METADATA` of the source.
  func writeBookkeeping(
    on connection: borrowing SQLiteConnection,
    keys: PrimaryKeyTable,
    metadata old: StoreMetadata
  ) throws {
    try connection.execute("DELETE FROM main.Z_PRIMARYKEY")
    for row in try primaryKeyRows(on: connection, keys: keys) {
      try connection.execute(
        "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        [
          .integer(row.entityNumber), .text(row.name), .integer(row.superentityNumber),
          .integer(row.maximum),
        ]
      )
    }
    try metadata(from: old).write(to: connection)
    try connection.execute("DELETE FROM main.Z_MODELCACHE")
    if let modelCache {
      try connection.execute("INSERT INTO main.Z_MODELCACHE VALUES (?)", [.blob(modelCache)])
    }
  }

  /// The rows of the destination; the highest key is kept at roots and never falls.
  private func primaryKeyRows(
    on connection: borrowing SQLiteConnection,
    keys: PrimaryKeyTable
  ) throws -> [PrimaryKeyTable.Row] {
    var rows: [PrimaryKeyTable.Row] = []
    for entity in destination.model.entities {
      guard let number = destination.entityNumber(entity.name) else { continue }
      let parent = entity.superentityName.flatMap { destination.entityNumber($0) }
      var maximum: Int64 = 0
      if parent == nil,
        let table = program.tables.first(where: {
          $0.destination.rootEntityName == entity.name
        })
      {
        maximum =
          try connection.integer(
            "SELECT MAX(Z_PK) FROM main.\(SQL.identifier(table.destination.name))"
          ) ?? 0
        if let root = table.source?.rootEntityName, let old = source.entityNumber(root) {
          maximum = max(maximum, keys[Int64(old)]?.maximum ?? 0)
        }
      }
      rows.append(
        PrimaryKeyTable.Row(
          entityNumber: Int64(number),
          name: entity.name,
          superentityNumber: Int64(parent ?? 0),
          maximum: maximum
        )
      )
    }
    let internalRows = keys.rows.filter {
      $0.entityNumber >= Int64(SystemTable.firstInternalEntityNumber)
    }
    return (rows + internalRows).sorted { $0.entityNumber < $1.entityNumber }
  }

  /// Computes derived attributes anew, for all rows.
  func computeDerivedAttributes(on connection: borrowing SQLiteConnection) throws(SQLiteError) {
    for attribute in destination.derivedAttributes {
      if let sql = attribute.updateSQL(in: "main") { try connection.execute(sql) }
    }
  }

  /// How rows of the persistent history change: their entity numbers, and what they say of columns.
  ///
  /// The bit mask of changed columns counts the entity's properties, so that it means something
  /// else once they change; it is then cleared, which says that the columns are not known.
  var historyValues: [String: String] {
    let pairs = source.entityNumbers.compactMap { name, number -> (Int, Int)? in
      guard let new = program.destinations[name], let renumbered = destination.entityNumber(new)
      else { return nil }
      return (number, renumbered)
    }
    let unchanged = source.entityNumbers.filter { name, _ in
      guard let new = program.destinations[name] else { return false }
      return Self.persistentNames(source.model, name)
        == Self.persistentNames(destination.model, new)
    }
    let numbers = unchanged.values.sorted().map(String.init).joined(separator: ", ")
    return [
      "ZENTITY": LegCompiler.renumber("s.ZENTITY", pairs),
      "ZCOLUMNS": "CASE WHEN s.ZENTITY IN (\(numbers)) THEN s.ZCOLUMNS END",
    ]
  }

  private static func persistentNames(_ model: ManagedObjectModel, _ entity: String) -> [String] {
    model.properties(of: entity).map(\.property).filter(\.isPersistent).map {
      ($0.relationship == nil ? "a " : "r ") + $0.name
    }
  }
}
