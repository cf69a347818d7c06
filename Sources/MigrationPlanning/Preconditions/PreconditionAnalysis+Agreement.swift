import ObjectModel

extension PreconditionAnalysis {
  /// Returns the questions whether the two sides of each one-to-one agree, where a mapping connects it
  /// anew from both.
  ///
  /// Each side has keys of its own. A hop that carries tables keeps both, and one that makes objects has
  /// room for one link of two that disagree. It is asked where all objects of both ends are carried, as the
  /// objects that a filter leaves out may be those that disagree.
  ///
  /// - Complexity: O(*p* · *r*) in the properties of the destination and the mappings.
  package func agreement() -> [Precondition] {
    var gathered = Gathered()
    for row in rows where !row.isOpaque && row.mapping.deduplicationKeys.isEmpty {
      for after in destination.relationships(of: row.destination) where after.isPersistent {
        guard RelationshipCardinality(after, in: destination).isOneToOne,
          let name = row.resolution.requests[after.name]?.relationship,
          let declared = source.property(name, of: row.source),
          let before = declared.property.relationship,
          RelationshipCardinality(before, in: source).isOneToOne,
          !isOneSided(before, after), let other = source.inverse(of: before),
          (declared.entityName, name) <= (other.entityName, other.property.name),
          areWhole([declared.entityName, before.destinationEntityName])
        else { continue }
        for kind in [Precondition.Kind.atMostOneLink, .noSharedObjects] {
          gathered.add(
            .inverseDisagrees,
            row.destination,
            after.name,
            kind,
            row.subject([.carried([name])])
          )
        }
      }
    }
    return gathered.sorted
  }

  /// Returns whether each object of entities, and of those below them, becomes an object.
  private func areWhole(_ entities: [String]) -> Bool {
    entities.flatMap { source.hierarchyNames(below: $0) }.allSatisfy { name in
      source[name]?.isAbstract == true
        || rows.contains { $0.source == name && $0.mapping.sourcePredicate == nil }
    }
  }
}
