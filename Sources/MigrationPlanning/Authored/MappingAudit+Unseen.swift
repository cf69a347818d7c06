import ObjectModel

extension MappingAudit {
  /// What changes between the two versions of a mapping without any effect on rows that exist, and
  /// values that it copies although they are to be read in another way.
  ///
  /// A policy may convert what it likes: nothing is said of what its objects' values become.
  /// - Complexity: As of a `ModelDifference`.
  static func unseenFindings(
    of mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> [Finding] {
    var collector = FindingCollector()
    UnseenChanges(from: source, to: destination).report(to: &collector)
    for entity in ResolvedMapping(mapping, from: source, to: destination).entities {
      guard let entity, entity.mapping.entityMigrationPolicyClassName == nil else { continue }
      for attribute in entity.mapping.attributeMappings {
        guard let name = entity.attributes[attribute.name]?.unchanged.carriedProperty,
          let old = source.property(name, of: entity.source)?.property.attribute,
          let declared = destination.property(attribute.name, of: entity.destination),
          let new = declared.property.attribute
        else { continue }
        collector.addTransformer(from: old, to: new, entity: declared.entityName)
      }
    }
    return collector.findings
  }
}
