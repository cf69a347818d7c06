package import ObjectModel

/// Which source entity's rows become which destination entity's, in a hop that SQL can run.
package struct EntityCorrespondence: Sendable {
  /// The mapping that makes a destination entity's rows, by destination name.
  package let byDestination: [String: EntityMapping]
  /// The mapping that uses a source entity's rows, by source name.
  package let bySource: [String: EntityMapping]

  /// Reads the correspondence off a mapping model.
  ///
  /// - Throws: ``MigrationError`` where one entity is mapped twice or by a policy class.
  package init(_ mapping: MappingModel) throws(MigrationError) {
    var byDestination: [String: EntityMapping] = [:]
    var bySource: [String: EntityMapping] = [:]
    for entity in mapping.entityMappings {
      guard let source = entity.sourceEntityName, let destination = entity.destinationEntityName
      else { continue }
      guard byDestination.updateValue(entity, forKey: destination) == nil,
        bySource.updateValue(entity, forKey: source) == nil,
        entity.entityMigrationPolicyClassName == nil, entity.sourcePredicate == nil,
        entity.deduplicationKeys.isEmpty
      else {
        throw MigrationError(
          .refused,
          "The entity mapping \(entity.name) is not one entity to one entity.",
          recovery: "Such mappings need an authored edge, which this version cannot run."
        )
      }
    }
    self.byDestination = byDestination
    self.bySource = bySource
  }

  /// The destination entity that a source entity's rows become, or nil where they are dropped.
  package func destination(of source: String) -> String? {
    bySource[source]?.destinationEntityName
  }

  /// The source property whose values a destination property carries, or nil.
  package func sourceProperty(of property: String, in destination: String) -> String? {
    guard let mapping = byDestination[destination] else { return nil }
    let all = mapping.attributeMappings + mapping.relationshipMappings
    return all.first { $0.name == property }?.valueExpression?.carriedSourcePropertyName
  }
}
