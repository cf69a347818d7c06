import ObjectModel

extension ResolvedMapping {
  /// The first entity mapping that is not one entity to one entity; nil where all are.
  ///
  /// Such a mapping shares its source or destination with another, takes a part of the rows, or leaves
  /// them to a policy class.
  package var firstUnpaired: ResolvedEntityMapping? {
    entities.compactMap(\.self).first { entity in
      makers[entity.destination]?.count != 1 || readers[entity.source]?.count != 1
        || entity.mapping.entityMigrationPolicyClassName != nil
        || entity.mapping.sourcePredicate != nil || !entity.mapping.deduplicationKeys.isEmpty
    }
  }

  /// Returns the mapping that makes an entity's rows, one to one; nil where they are new.
  package func maker(of entity: String) -> ResolvedEntityMapping? { makers[entity]?.first }

  /// Returns the destination entity that a source entity's rows become, one to one; nil where they are
  /// dropped.
  package func destination(of entity: String) -> String? { readers[entity]?.first?.destination }
}

extension EntityMapping {
  /// Whether each object of the source entity becomes one of the destination's, without code.
  package var isOneToOne: Bool {
    sourcePredicate.map { $0 == .all([]) } ?? true && deduplicationKeys.isEmpty
      && pieces == nil && entityMigrationPolicyClassName == nil
  }
}
