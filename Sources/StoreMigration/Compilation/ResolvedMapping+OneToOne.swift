import MigrationPlanning
import ObjectModel

extension ResolvedMapping {
  /// Refuses a mapping that is not one entity to one entity, which a pass over tables cannot run.
  ///
  /// - Throws: ``MigrationError`` where one entity is mapped twice, in part, or by a policy class.
  func checkOneToOne() throws(MigrationError) {
    for entity in entities.compactMap(\.self) {
      guard makers[entity.destination]?.count == 1, readers[entity.source]?.count == 1,
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
  }

  /// Returns the mapping that makes an entity's rows, one to one; nil where they are new.
  func maker(of entity: String) -> ResolvedEntityMapping? { makers[entity]?.first }

  /// Returns the destination entity that a source entity's rows become, one to one; nil where they are
  /// dropped.
  func destination(of entity: String) -> String? { readers[entity]?.first?.destination }
}
