package import ObjectModel

/// The source relationship whose links a destination relationship gets.
package struct RelationshipSource: Hashable, Sendable {
  /// A source entity that has the relationship.
  package let entity: String
  /// The name of the source relationship.
  package let relationship: String
  /// Whether its links are seen from their other end, since the inverse carries them.
  package let isFlipped: Bool

  /// The links of a relationship of an entity.
  package init(entity: String, relationship: String, isFlipped: Bool = false) {
    self.entity = entity
    self.relationship = relationship
    self.isFlipped = isFlipped
  }

  /// The same links, seen from their other end.
  package var flipped: RelationshipSource {
    RelationshipSource(entity: entity, relationship: relationship, isFlipped: !isFlipped)
  }

  /// Returns the declaration of the source relationship.
  func description(in source: ManagedObjectModel) -> RelationshipDescription? {
    source.property(relationship, of: entity)?.property.relationship
  }

  /// Returns whether the links can lead to objects of an entity; others only share key numbers.
  package func leads(to other: String, in source: ManagedObjectModel) -> Bool {
    description(in: source).map { source.isKind(other, of: $0.destinationEntityName) } ?? false
  }
}

/// The source entities of one destination entity's objects, with the links that they carry for one of
/// its relationships.
typealias LinkMakers = (_ entity: String) -> [(source: String, links: ValueOrigin?)]

extension ManagedObjectModel.DeclaredProperty {
  /// Returns the source relationships that objects carry for this destination relationship, those of the
  /// declaring entity first, then of the entities below it.
  func linkOrigins(in destination: ManagedObjectModel, of makers: LinkMakers)
    -> [RelationshipSource]
  {
    destination.hierarchyNames(below: entityName).flatMap { name in
      makers(name).compactMap { source, links in
        links?.unchanged.carriedProperty.map {
          RelationshipSource(entity: source, relationship: $0)
        }
      }
    }
  }
}

extension ResolvedMapping {
  /// Returns the source relationship whose links the objects of an entity mapping get for a
  /// relationship; nil where the links are new.
  ///
  /// The relationship's own mapping wins. Where it has none, its inverse's may carry the links: Core
  /// Data keeps both sides in step.
  package func links(of relationship: String, in entity: ResolvedEntityMapping)
    -> RelationshipSource?
  {
    if let name = entity.relationships[relationship]?.unchanged.carriedProperty {
      return RelationshipSource(entity: entity.source, relationship: name)
    }
    guard
      let description = destination.property(relationship, of: entity.destination)?
        .property.relationship,
      let inverse = destination.inverse(of: description)
    else { return nil }
    return linkOrigins(of: inverse).first { $0.leads(to: entity.source, in: source) }?.flipped
  }

  /// Returns the source relationships that the entity mappings carry for a destination relationship,
  /// those of the declaring entity first.
  package func linkOrigins(of declared: ManagedObjectModel.DeclaredProperty) -> [RelationshipSource]
  {
    let name = declared.property.name
    return declared.linkOrigins(in: destination) { entity in
      (makers[entity] ?? []).map { ($0.source, $0.relationships[name]) }
    }
  }
}
