package import ObjectModel
package import StoreAccess

/// A reason for which no run passes a version of a model, with any rows.
package struct VersionObstacle: Hashable, Sendable {
  /// The entity at fault, where it is one.
  package let entityName: String?
  /// The property at fault, where it is one.
  package let propertyName: String?
  /// The sentence that names the cause.
  package let statement: Finding.Text
  /// The next thing to do.
  package let remedy: String

  /// The most tables of entities that a run takes; 2,000 that all change take some 20 seconds, and the time
  /// grows with the square (measured on SQLite 3.40).
  static let tableLimit = 2_000

  init(_ feature: UnsupportedFeature) {
    entityName = feature.entityName
    propertyName = feature.propertyName
    statement =
      "\(feature.statement) Waystone does not know where a store keeps that, and migrates no store of the version."
    remedy =
      feature.kind == .unknownHash
      ? "Let `models` name the folder with the files that declare its types, or let a store of the version settle "
        + "them: `waystone check --learn STORE`."
      : "Change or remove that part in a version that has not shipped. Stores of shipped versions are left "
        + "to the app."
  }

  init(tableCount: Int) {
    entityName = nil
    propertyName = nil
    statement =
      "The version has \(tableCount) tables of entities, and a run takes at most \(Self.tableLimit): "
      + "SQLite reads the whole schema again for each table that changes."
    remedy = "Let the app migrate the store."
  }
}

extension PhysicalSchema {
  /// Returns the reasons for which no run passes the version, in order of entities and properties.
  ///
  /// - Parameter rewritesTables: Whether the run has a hop, so that tables change.
  package func obstacles(rewritesTables: Bool) -> [VersionObstacle] {
    let places = unsupported.map(VersionObstacle.init)
    guard rewritesTables, tables.count > VersionObstacle.tableLimit else { return places }
    return places + [VersionObstacle(tableCount: tables.count)]
  }
}
