/// How many objects, values and links a store holds, counted off its tables.
package struct StoreCounts: Codable, Hashable, Sendable {
  /// What the objects of one concrete entity hold.
  package struct Entity: Codable, Hashable, Sendable {
    /// The objects themselves.
    package var objects: Int64
    /// The values of each stored attribute that are not NULL; derived attributes are not counted.
    package var values: [String: Int64] = [:]
    /// The links of each relationship.
    package var links: [String: Links] = [:]

    /// Some objects without values.
    package init(objects: Int64) { self.objects = objects }
  }

  /// The links of one relationship.
  package struct Links: Codable, Hashable, Sendable {
    /// Those to an object that is there, by its entity.
    package var byEntity: [String: Int64] = [:]
    /// Those to no object.
    package var dangling: Int64 = 0

    /// No links.
    package init() {}

    /// Those to objects that are there.
    package var whole: Int64 { byEntity.values.reduce(0, +) }
  }

  /// Each concrete entity of the model.
  package var entities: [String: Entity] = [:]
  /// The rows whose number is of no entity of their table.
  package var strays: Int64 = 0

  /// Nothing.
  package init() {}
}
