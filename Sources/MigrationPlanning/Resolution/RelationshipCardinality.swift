package import ObjectModel

/// The limits on the links at the two ends of a relationship, and whether each keeps an order.
package struct RelationshipCardinality: Hashable, Sendable {
  /// Whether an owner may have several links.
  package let isToMany: Bool
  /// Whether the objects at the other end may have several links.
  package let isInverseToMany: Bool
  /// Whether an owner's links have an order.
  package let isOrdered: Bool
  /// Whether the links of the inverse have an order.
  package let isInverseOrdered: Bool

  /// The shape of a relationship, seen from its owner or, flipped, from the other end.
  ///
  /// A to-many without an inverse is kept as one key of each object that it leads to, which so has one
  /// owner; several objects may share what a to-one without an inverse leads to.
  package init(
    _ relationship: RelationshipDescription,
    in model: ManagedObjectModel,
    isFlipped: Bool = false
  ) {
    let inverse = model.inverse(of: relationship)?.property.relationship
    let other = inverse?.isToMany ?? !relationship.isToMany
    let isOrdered = relationship.isToMany && relationship.isOrdered
    let isOtherOrdered = inverse.map { $0.isToMany && $0.isOrdered } ?? false
    isToMany = isFlipped ? other : relationship.isToMany
    isInverseToMany = isFlipped ? relationship.isToMany : other
    self.isOrdered = isFlipped ? isOtherOrdered : isOrdered
    isInverseOrdered = isFlipped ? isOrdered : isOtherOrdered
  }

  /// Whether either end has one link at most.
  package var isOneToOne: Bool { !isToMany && !isInverseToMany }

  /// Returns whether either end may have as many links as in another shape, without regard to order.
  package func hasCounts(of other: RelationshipCardinality) -> Bool {
    isToMany == other.isToMany && isInverseToMany == other.isInverseToMany
  }
}
