package import ObjectModel

/// The likeness of a file's tables and columns to a version's, regardless of its metadata.
package struct StructuralMatch: Sendable {
  /// The version.
  package let version: ModelVersion
  /// The version's tables held against the file's.
  package let comparison: SchemaComparison

  /// Whether every table and column is there and no other, so that each value's place is certain.
  package var agrees: Bool { comparison.level >= .tolerable }

  /// The number of differences, for the order of versions; a table counts as several columns.
  package var distance: Int {
    let tables = comparison.missingTables.count + comparison.extraTables.count
    let columns =
      comparison.missingColumns.count + comparison.extraColumns.count
      + comparison.differentTypes.count + comparison.entityDifferences.count
    let details =
      comparison.missingIndexes.count + comparison.differentIndexes.count
      + comparison.missingTriggers.count + comparison.differentTriggers.count
    return (5 * tables + columns) * 1000 + min(details, 999)
  }

  /// Holds a version against a file.
  package init(version: ModelVersion, real: StoreSchema) {
    let names = JoinNames(settledBy: real.columnNames, model: version.model)
    self.version = version
    comparison = SchemaComparison(
      predicted: PhysicalSchema(model: version.model, names: names),
      real: real
    )
  }

  /// Returns the versions that fit best, the best first; of equal ones the later first.
  ///
  /// - Complexity: O(*v* · *p* log *p*) in versions and properties.
  package static func nearest(
    to real: StoreSchema,
    among versions: [ModelVersion],
    count: Int = 3
  ) -> [StructuralMatch] {
    let matches = versions.enumerated().map { position, version in
      (position, StructuralMatch(version: version, real: real))
    }
    return matches.sorted { ($0.1.distance, -$0.0) < ($1.1.distance, -$1.0) }
      .prefix(count).map(\.1)
  }

  /// The differences in tables and columns, one sentence each; then in indexes and triggers.
  package var differences: [String] {
    let comparison = self.comparison
    func list(_ names: [String], _ word: (String) -> String) -> [String] {
      names.sorted().map(word)
    }
    func name(_ place: SchemaComparison.Place) -> String {
      "\(place.tableName).\(place.columnName)"
    }
    return list(comparison.missingTables) { "Table \($0) is not in the store." }
      + list(comparison.extraTables) { "Table \($0) is only in the store." }
      + list(comparison.missingColumns.map(name)) { "Column \($0) is not in the store." }
      + list(comparison.extraColumns.map(name)) { "Column \($0) is only in the store." }
      + comparison.differentTypes.map {
        "Column \(name($0.place)) is \($0.real) in the store, not \($0.predicted)."
      }
      + comparison.entityDifferences.map { "Entity number \($0.number) is another in the store." }
      + list(comparison.missingIndexes) { "Index \($0) is not in the store." }
      + list(comparison.differentIndexes) { "Index \($0) differs." }
      + list(comparison.missingTriggers + comparison.differentTriggers) {
        "Trigger \($0) is missing or differs."
      }
  }
}
