internal import ObjectModel
internal import StoreAccess

extension ModelVersion {
  /// Returns a finding for each part of the version whose place in a store is not known; a run refuses such a
  /// store.
  ///
  /// - Complexity: As laying out the version's tables.
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
        message:
          "\(feature) Waystone does not know where a store keeps that, and migrates no store of the "
          + "version.",
        remedy:
          "Change or remove that part in a version that has not shipped. Stores of shipped versions are "
          + "left to the app."
      )
    }
  }
}
