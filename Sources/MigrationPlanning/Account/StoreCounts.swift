/// The numbers of objects, values and links in a store, counted in its tables.
package struct StoreCounts: Hashable, Sendable {
  /// The counts of one concrete entity.
  package struct Entity: Hashable, Sendable {
    /// The objects themselves.
    package var objects: Int64
    /// The values of each stored attribute that are not NULL; derived attributes are not counted.
    package var values: [String: Int64] = [:]
    /// The links of each relationship to objects that are there, by the entity of those.
    package var links: [String: [String: Int64]] = [:]
    /// The one-to-one relationships whose inverse holds links that this side lacks; nil for none.
    package var oneSided: Set<String>?

    /// Some objects without values.
    package init(objects: Int64) { self.objects = objects }
  }

  /// Each concrete entity of the model.
  package var entities: [String: Entity] = [:]

  /// The links that lead from or to no object, by entity and relationship.
  package var dangling: [DanglingLinks] = []

  /// Makes counts of an empty store.
  package init() {}
}
