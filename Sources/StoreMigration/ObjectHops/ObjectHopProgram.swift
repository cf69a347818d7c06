import MigrationPlanning
import ObjectModel
import StoreAccess

/// The steps of an authored hop; made by ``ObjectHopCompiler``.
package struct ObjectHopProgram: Sendable {
  /// The SQL that makes the objects of one entity mapping, from rows `s` of a source table.
  struct Creation: Sendable {
    /// The index of the entity mapping.
    let mapping: Int
    /// The table whose rows are read.
    let source: EntityTable
    /// The number of the source entity.
    let sourceNumber: Int
    /// The table that is filled.
    let destination: EntityTable
    /// The number of the destination entity.
    let destinationNumber: Int
    /// The columns of attributes, and of to-ones whose keys are known with their object, and the SQL of
    /// their values, over the row `s`.
    var values: [(column: String, sql: String)]
    /// The mapping's predicate, as a condition on rows `s`.
    let filter: String?
    /// The choice of the objects' keys.
    let keys: KeyAllocator.Choice
    /// The columns whose values are unique among the objects; none where each row makes its own.
    let deduplication: [String]
  }

  /// The SQL that sets one relationship of the objects of an entity mapping.
  struct Connection: Sendable {
    /// The index of the entity mapping.
    let mapping: Int
    /// The relationship's name.
    let relationship: String
    /// The query that gives owner and other (keys of the source), owner_order and other_order.
    let links: String
    /// The source's tables and columns that the links are looked up by.
    let lookups: [Lookup]
    /// The entity mappings whose objects are the others.
    let others: [Int]
    /// The numbers of the entities that the relationship may lead to.
    let otherNumbers: [Int]
    /// The place that keeps the links.
    let place: LinkPlace
    /// Whether links of one batch can be written without knowing those of the others.
    let isDirect: Bool
    /// The source relationship whose links are carried, where it is just one.
    let carried: RelationshipSource?
    /// Whether other links are written to the same place, and may replace each other.
    var isContested = false
  }

  /// A column of the source by whose values rows are looked up.
  struct Lookup: Hashable, Sendable {
    let table: String
    let column: String
  }

  /// The entity mappings of the hop.
  let mapping: MappingModel
  /// The allocator that decides which objects keep their keys.
  let keys: KeyAllocator
  /// The creation of each entity mapping's objects, by index; nil where code makes them row by row,
  /// or where the mapping makes none.
  let creations: [Creation?]
  /// The relationships that SQL sets, in the order of the mappings.
  let connections: [[Connection]]
  /// The indexes of entity mappings whose objects are made row by row.
  let rowCreations: Set<Int>
  /// The indexes of entity mappings whose relationships are set row by row.
  let rowConnections: Set<Int>
  /// The conditions to check first.
  let preconditions: [Precondition]

  /// Whether code makes or connects objects.
  var needsCode: Bool { !rowCreations.isEmpty || !rowConnections.isEmpty }

  /// The destination entity of each source entity whose objects keep their keys, by name.
  ///
  /// An entity goes to another where just one entity mapping reads it, and maps each of its objects
  /// to one with the same key: its persistent history goes with it.
  var destinations: [String: String] {
    var destinations: [String: String] = [:]
    for (index, entity) in mapping.entityMappings.enumerated() {
      guard let old = entity.sourceEntityName, let new = entity.destinationEntityName,
        keys.choices[index] == .kept, entity.isOneToOne,
        mapping.mappings(fromSource: old).count == 1
      else { continue }
      destinations[old] = new
    }
    return destinations
  }
}

/// The place that keeps the links of a destination relationship, for both of its sides.
enum LinkPlace: Hashable, Sendable {
  /// A column of keys, with the columns that belong to it in the same row.
  struct Key: Hashable, Sendable {
    let table: String
    let key: String
    let entity: String?
    let order: String?
  }

  /// A to-one: the owner's row holds the other's key; the inverse is a to-many, or there is none.
  case toOne(Key)
  /// A to-one whose inverse is a to-one: both rows hold a key.
  case oneToOne(Key, inverse: Key)
  /// A to-many: the other's row holds the owner's key.
  case toMany(Key)
  /// A join table, with the columns of the orders of either side.
  case join(table: String, own: String, other: String, order: String?, inverseOrder: String?)

  /// The columns that hold one link for each row.
  var keys: [Key] {
    switch self {
    case .toOne(let key), .toMany(let key): [key]
    case .oneToOne(let key, let inverse): [key, inverse]
    case .join: []
    }
  }

  /// Whether either side keeps its links in an order.
  var isOrdered: Bool {
    switch self {
    case .toOne(let key), .toMany(let key), .oneToOne(let key, inverse: _): key.order != nil
    case .join(_, _, _, let order, let inverseOrder): order != nil || inverseOrder != nil
    }
  }

  /// Returns whether links to one of these places can take that of links to the other.
  func contests(_ other: LinkPlace) -> Bool {
    keys.contains { key in other.keys.contains { $0.table == key.table && $0.key == key.key } }
  }
}
