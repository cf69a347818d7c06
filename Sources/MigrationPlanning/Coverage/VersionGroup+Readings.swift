package import ObjectModel

extension VersionGroup {
  /// The version whose model an app has that opens stores of the group: the current one, else the
  /// group's main version.
  package var appVersion: ModelVersion { versions.first(where: \.isCurrent) ?? version }

  /// Returns findings on values that the app reads differently from the versions of the same hashes that
  /// wrote them.
  ///
  /// The causes are other transformers, composite attributes that are required or renamed, and derived
  /// ones of another name or type. No step migrates those, so no step reports them.
  /// - Parameters:
  ///   - others: The versions by whose models stores of the group may have been written.
  ///   - app: The version whose model the app has.
  ///   - source: The model by which values were written before a migration; a property that has the
  ///     app's own transformer there was written by that.
  /// - Complexity: O(*v* · *p*) in the versions and the properties of one.
  package func otherReadings(
    of others: [ModelVersion],
    in app: ModelVersion,
    unlike source: ManagedObjectModel? = nil
  ) -> [Finding] {
    let collector = FindingCollector()
    for version in others where version.qualifiedName != app.qualifiedName {
      let changes = UnhashedChanges(from: version.model, to: app.model)
      changes.reportTransformers(to: collector)
      changes.reportRequiredComposites(to: collector)
      changes.reportReadings(to: collector)
    }
    func transformer(_ place: Finding.Place, in model: ManagedObjectModel?) -> String?? {
      guard let entity = place.entity, let name = place.property else { return nil }
      return model?.property(name, of: entity)?.property.attribute.map(\.valueTransformerName)
    }
    var seen: Set<Finding> = []
    return collector.findings.filter { finding in
      let written = transformer(finding.place, in: source)
      return written == nil || written != transformer(finding.place, in: app.model)
    }
    .map { $0.placed(in: app.name) }.filter { seen.insert($0).inserted }
  }
}
