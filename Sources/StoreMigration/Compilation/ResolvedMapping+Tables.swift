import MigrationPlanning
import ObjectModel

extension ResolvedMapping {
  /// Refuses a mapping that is not one entity to one entity, which a pass over tables cannot run.
  ///
  /// - Throws: ``MigrationError`` where one entity is mapped twice, in part, or by a policy class.
  func checkOneToOne() throws(MigrationError) {
    guard let entity = firstUnpaired else { return }
    throw MigrationError(
      .refused,
      "The entity mapping \(entity.mapping.name) is not one entity to one entity.",
      recovery: "Such mappings need an authored edge."
    )
  }

  /// Whether an authored mapping makes each table's rows into one row each, under the same keys, and
  /// carries each relationship that it mentions unchanged, from both of its sides.
  ///
  /// A pass over tables then does the same as one that makes and connects object after object, if SQL
  /// computes its attributes alike.
  /// - Complexity: O(*p* · *e*) in the properties of the destination and the entities at their ends.
  var isOfTables: Bool {
    let rows = entities.compactMap(\.self)
    guard firstUnpaired == nil, rows.allSatisfy(isWhole), keepsHierarchies(rows) else {
      return false
    }
    return rows.allSatisfy { row in
      destination.relationships(of: row.destination).allSatisfy { isKept($0, by: row) }
    }
  }

  private func isWhole(_ row: ResolvedEntityMapping) -> Bool {
    row.mapping.pieces == nil
      && source[row.source]?.isAbstract == destination[row.destination]?.isAbstract
  }

  /// Returns whether the rows of each table are those of one table of the source.
  private func keepsHierarchies(_ rows: [ResolvedEntityMapping]) -> Bool {
    Dictionary(grouping: rows) { destination.rootEntityName(of: $0.destination) }.values
      .allSatisfy { rows in Set(rows.map { source.rootEntityName(of: $0.source) }).count == 1 }
  }

  /// Returns whether a relationship carries the links of one source relationship with as many at either
  /// end, and its inverse does the same; or neither has an origin.
  ///
  /// Links that a store may hold inconsistently (at both of their objects, places in a list, rows
  /// of a table that are of another entity) are left to the engine that makes objects.
  private func isKept(_ relationship: RelationshipDescription, by row: ResolvedEntityMapping)
    -> Bool
  {
    guard relationship.isPersistent else { return true }
    let inverse = destination.inverse(of: relationship)
    guard let origin = row.relationships[relationship.name] else {
      guard row.requests[relationship.name] == nil else { return false }
      return inverse.map { origins(of: $0).allSatisfy { $0 == nil } } ?? true
    }
    guard let name = origin.carriedProperty,
      let declared = source.property(name, of: row.source),
      let old = declared.property.relationship, old.isPersistent,
      case let shape = RelationshipCardinality(old, in: source),
      shape == RelationshipCardinality(relationship, in: destination),
      !shape.isOneToOne, !shape.isOrdered, !shape.isInverseOrdered,
      source.rootEntityName(of: old.destinationEntityName) == old.destinationEntityName,
      !old.isToMany || source.rootEntityName(of: declared.entityName) == declared.entityName,
      leads(old, as: relationship)
    else { return false }
    let oldInverse = source.inverse(of: old)
    guard let inverse, let oldInverse else { return inverse == nil && oldInverse == nil }
    return origins(of: inverse).allSatisfy { $0 == oldInverse.property.name }
  }

  /// Returns whether a relationship may lead to all objects that another one's targets become.
  private func leads(_ old: RelationshipDescription, as new: RelationshipDescription) -> Bool {
    source.hierarchyNames(below: old.destinationEntityName).allSatisfy { name in
      destination(of: name).map { destination.isKind($0, of: new.destinationEntityName) } ?? true
    }
  }

  /// Returns the source relationship that each entity mapping carries as a relationship; nil where it
  /// carries none.
  private func origins(of declared: ManagedObjectModel.DeclaredProperty) -> [String?] {
    destination.hierarchyNames(below: declared.entityName).flatMap { makers[$0] ?? [] }
      .map { row in row.relationships[declared.property.name]?.carriedProperty }
  }
}
