package import MigrationPlanning
import ObjectModel

/// Which source entity's rows become which destination entity's, in a hop that SQL can run.
package struct EntityCorrespondence: Sendable {
  /// What makes a destination entity's rows, by destination name.
  package let byDestination: [String: EntityResolution]
  /// What uses a source entity's rows, by source name.
  package let bySource: [String: EntityResolution]

  /// Reads the correspondence off a mapping.
  ///
  /// - Throws: ``MigrationError`` where one entity is mapped twice or by a policy class.
  package init(_ mapping: ResolvedMapping) throws(MigrationError) {
    var byDestination: [String: EntityResolution] = [:]
    var bySource: [String: EntityResolution] = [:]
    for entity in mapping.entities.compactMap(\.self) {
      guard byDestination.updateValue(entity, forKey: entity.destination) == nil,
        bySource.updateValue(entity, forKey: entity.source) == nil,
        entity.mapping.entityMigrationPolicyClassName == nil,
        entity.mapping.sourcePredicate == nil, entity.mapping.deduplicationKeys.isEmpty
      else {
        throw MigrationError(
          .refused,
          "The entity mapping \(entity.mapping.name) is not one entity to one entity.",
          recovery: "Such mappings need an authored edge."
        )
      }
    }
    self.byDestination = byDestination
    self.bySource = bySource
  }

  /// The destination entity that a source entity's rows become, or nil where they are dropped.
  package func destination(of source: String) -> String? { bySource[source]?.destination }

  /// The source relationship whose links a destination relationship carries, or nil.
  package func sourceRelationship(of name: String, in destination: String) -> String? {
    byDestination[destination]?.relationships[name]?.unchanged.carriedProperty
  }
}
