import ObjectModel
import StoreAccess

/// The rows that share values of a unique index, where the store lacks the index.
struct UniquenessViolations {
  /// An index that cannot be made, and the rows that prevent it.
  struct Item: Hashable, Sendable {
    let entity: String
    let properties: String
    let rows: Int64
  }

  let items: [Item]

  /// Finds the violations.
  ///
  /// - Throws: ``SQLiteError``.
  /// - Complexity: One reading of a table for each unique index that the store lacks.
  init(
    _ connection: borrowing SQLiteConnection,
    schema: PhysicalSchema,
    comparison: SchemaComparison
  ) throws(SQLiteError) {
    let missing = Set(comparison.missingTables + comparison.missingColumns.map(\.tableName))
    let absent = Set(comparison.missingIndexes + comparison.differentIndexes)
    var items: [Item] = []
    for entity in schema.model.entities {
      for names in entity.uniquenessConstraints {
        let name = "Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))"
        guard absent.contains(name),
          let index = schema.indexes.first(where: { $0.name == name && $0.isUnique }),
          !missing.contains(index.tableName)
        else { continue }
        let columns = index.terms.map { SQL.identifier($0.columnName) }
        let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let rows = try connection.integer(
          "SELECT COALESCE(SUM(n), 0) FROM (SELECT COUNT(*) AS n FROM "
            + "\(SQL.identifier("main", index.tableName)) WHERE \(present) "
            + "GROUP BY \(columns.joined(separator: ", ")) HAVING n > 1)"
        )
        guard let rows, rows > 0 else { continue }
        items.append(
          Item(entity: entity.name, properties: names.joined(separator: ","), rows: rows)
        )
      }
    }
    self.items = items
  }

  /// Returns a finding for each index.
  func findings(version: String? = nil) -> [Finding] {
    items.map { item in
      var finding = Finding(
        .valueNotUnique,
        .error,
        risk: .conditional,
        at: Finding.Place(version: version, entity: item.entity, property: item.properties),
        message:
          "\(item.rows) rows of \(item.entity) share \(item.properties), which must be unique, and "
          + "the store lacks the index that keeps them apart.",
        remedy: "Merge or remove the duplicates with the app first."
      )
      finding.evidence = Finding.Evidence(
        .refuted,
        rows: item.rows,
        of: item.rows,
        words: "share what is to be unique"
      )
      return finding
    }
  }
}
