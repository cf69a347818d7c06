internal import ObjectModel
internal import StoreAccess

extension ModelVersion {
  /// The parts of the version of which nobody knows where a store keeps them: no run touches such a store.
  ///
  /// - Complexity: That of laying out the version's tables.
  func unknownPlaces(_ severity: Finding.Severity) -> [Finding] {
    PhysicalSchema(model: model).unsupported.map { feature in
      Finding(
        .unknownPlace,
        severity,
        at: Finding.Place(
          version: name,
          entity: feature.entityName,
          property: feature.propertyName
        ),
        message: "\(feature) Waystone migrates no store of the version.",
        remedy: "In a version that has not shipped, change that. Stores of the version are the app's alone "
          + "to migrate."
      )
    }
  }
}
