import MigrationPlanning
import ObjectModel
import StoreAccess

/// The origin of the links of a final relationship.
struct RelationshipLineage: Hashable {
  /// The source entity that has the source relationship.
  var entity: String
  /// The source relationship.
  var relationship: String
  /// Whether the source relationship is seen from its other side, having no inverse to go by.
  var isFlipped: Bool
  /// Whether an owner that could have several links could have only one later on.
  var isOwnerNarrowed = false
  /// Whether the other end that could have several links could have only one later on.
  var isOtherNarrowed = false
  /// Whether the places in the owner's list were kept at every version.
  var keepsOrder: Bool
  /// Whether the places in the other end's list were kept at every version.
  var keepsInverseOrder: Bool

  /// Whether links may have found no place.
  var isNarrowed: Bool { isOwnerNarrowed || isOtherNarrowed }
}

extension Lineage {
  /// Returns the lineage of a relationship for the rows of one final entity; nil where its links are
  /// new.
  ///
  /// The relationship's own mapping wins. Where it has none, its inverse's may carry the links.
  func relationship(_ name: String, of final: String) -> RelationshipLineage? {
    guard let chain = chains[final] else { return nil }
    var place = RelationshipLineage(
      entity: final,
      relationship: name,
      isFlipped: false,
      keepsOrder: true,
      keepsInverseOrder: true
    )
    guard var shape = shape(place, version: hops.count) else { return nil }
    place.keepsOrder = shape.isOrdered
    place.keepsInverseOrder = shape.isInverseOrdered
    for version in stride(from: hops.count, to: 0, by: -1) {
      guard let earlier = step(place, version: version, entity: chain[version - 1]),
        let before = self.shape(earlier, version: version - 1)
      else { return nil }
      place.entity = earlier.entity
      place.relationship = earlier.relationship
      place.isFlipped = earlier.isFlipped
      place.keepsOrder = place.keepsOrder && before.isOrdered
      place.keepsInverseOrder = place.keepsInverseOrder && before.isInverseOrdered
      if before.isToMany && !shape.isToMany { place.isOwnerNarrowed = true }
      // One side of a one-to-one takes over links that only the other held, as far as it can.
      if before.isOneToOne, !shape.isToMany, shape.isInverseToMany { place.isOwnerNarrowed = true }
      if before.isInverseToMany && !shape.isInverseToMany { place.isOtherNarrowed = true }
      shape = before
    }
    return place
  }

  private func shape(_ place: RelationshipLineage, version: Int) -> RelationshipCardinality? {
    let model = models[version]
    guard
      let description = model.property(place.relationship, of: place.entity)?.property.relationship,
      description.isPersistent
    else { return nil }
    return RelationshipCardinality(description, in: model, isFlipped: place.isFlipped)
  }

  /// Returns the relationship one version earlier.
  private func step(
    _ place: RelationshipLineage,
    version: Int,
    entity: String
  ) -> RelationshipLineage? {
    let hop = hops[version - 1]
    let links: RelationshipSource?
    if place.isFlipped {
      links = models[version].property(place.relationship, of: place.entity)
        .flatMap { hop.linkOrigins(of: $0).first?.flipped }
    } else {
      links = hop.maker(of: place.entity).flatMap { hop.links(of: place.relationship, in: $0) }
    }
    guard let links else { return nil }
    var earlier = place
    earlier.entity = links.entity
    earlier.relationship = links.relationship
    earlier.isFlipped = links.isFlipped
    // Seen from the row's own side again, where the earlier version has that side.
    let old = models[version - 1]
    if links.isFlipped,
      let description = old.property(links.relationship, of: links.entity)?.property.relationship,
      let inverse = old.inverse(of: description), inverse.property.isPersistent,
      old.isKind(entity, of: inverse.entityName)
    {
      earlier.entity = entity
      earlier.relationship = inverse.property.name
      earlier.isFlipped = false
    }
    return earlier
  }
}
