/// The storage of a relationship.
package enum RelationshipStorage: Hashable, Sendable {
  /// A to-one: this side's table holds the destination's key.
  ///
  /// `entity` is the column of the destination's entity number, where the destination has
  /// subentities; `order` that of the place among the destinations of an ordered inverse.
  case key(table: String, key: String, entity: String?, order: String?)
  /// A to-many whose inverse to-one holds the key in `table`, the destination's.
  case inverseKey(table: String, key: String, order: String?)
  /// A to-many without inverse: the destination's table holds the owner's key.
  case ownerKey(table: String, owner: String, order: String?)
  /// A to-many whose inverse is to-many: `own` holds this entity's keys, `other` the destinations'
  /// and `order` the place of a destination among those of one owner.
  case join(JoinTable, own: String, other: String, order: String?)
}
