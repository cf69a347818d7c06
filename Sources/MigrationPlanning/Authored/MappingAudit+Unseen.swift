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
    UnseenChanges(from: source, to: destination).report(to: &collector, suspectsRenames: false)
    for entity in mapping.entityMappings where entity.entityMigrationPolicyClassName == nil {
      guard let from = entity.sourceEntityName, let to = entity.destinationEntityName else {
        continue
      }
      for attribute in entity.attributeMappings {
        guard let name = attribute.valueExpression?.carriedSourcePropertyName,
          let old = source.property(name, of: from)?.property.attribute,
          let declared = destination.property(attribute.name, of: to),
          let new = declared.property.attribute
        else { continue }
        collector.addTransformer(from: old, to: new, entity: declared.entityName)
      }
    }
    return collector.findings
  }
}
