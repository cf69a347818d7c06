import ObjectModel
import StoreAccess

/// The row at hand of an entity's objects, with the links of its object.
///
/// Each value is asked for once: links are read on the way.
package final class ObjectRow {
  /// The shape.
  package let shape: RecordShape
  /// The primary key, unique among the objects of one root entity.
  package private(set) var key: Int64 = 0
  private let reader: ObjectReader
  private let rows: PreparedStatement
  // Each property by its place, since going through the shape's would copy all of them for each row.
  private let properties: ContiguousArray<RecordShape.Property>
  private let links: [LinkCursor?]
  private let destinations: [LinkTargets?]

  /// A pass before its first row.
  ///
  /// - Parameters:
  ///   - links: The links of each property that is a to-many relationship.
  ///   - destinations: The objects to which each property leads that is a to-one relationship.
  init(
    _ shape: RecordShape,
    links: [LinkCursor?],
    destinations: [LinkTargets?],
    in reader: ObjectReader
  ) throws {
    self.shape = shape
    self.reader = reader
    self.links = links
    self.destinations = destinations
    properties = ContiguousArray(shape.properties)
    let columns = (["Z_PK"] + shape.layout.columns).map { SQL.identifier($0) }
    rows = try reader.database.cursor(
      "SELECT \(columns.joined(separator: ", ")) FROM \(SQL.scan("main", shape.layout.tableName))"
        + " WHERE Z_ENT = \(shape.layout.number) ORDER BY Z_PK"
    )
  }

  /// Moves to the next row of an object.
  ///
  /// - Returns: Whether there is one.
  func next() throws -> Bool {
    while try rows.statement.step() {
      if let key = rows.statement.key(0) {
        self.key = key
        return true
      }
      reader.note(.unknownEntity, shape.layout.rootName, nil)
    }
    return false
  }

  /// Reads the links of no owner.
  func finish() throws { for cursor in links { try cursor?.finish(in: reader) } }

  /// Returns the value at a place where SQLite holds it; nil where ``other(at:)`` gives it.
  package func held(at place: Int) throws -> RowValue? {
    switch properties[place].storage {
    case .attribute(let slot): return RowValue(rows.statement, slot.slot + 1, slot)
    case .composite: return nil
    case .toOne(let slot):
      guard let column = slot.keySlot.map({ $0 + 1 }), !rows.statement.isNull(column) else {
        return .nothing
      }
      guard let key = rows.statement.key(column), destinations[place]?.contains(key) == true else {
        reader.note(.brokenLink, shape.entityName, properties[place].name)
        return .nothing
      }
      return .object(key)
    case .toMany:
      return .objects(
        try links[place]?.members(of: key, in: reader, properties[place].name, shape) ?? []
      )
    }
  }

  /// Returns the value at a place that is made of several columns, is beside the store, or is not of its
  /// attribute's type.
  package func other(at place: Int) throws -> RecordValue {
    let name = properties[place].name
    return switch properties[place].storage {
    case .attribute(let slot):
      try reader.value(rows.statement.value(slot.slot + 1), slot, name, shape, key)
    case .composite(let slots):
      try reader.composite(slots, name, shape, key) { rows.statement.value($0 + 1) }
    case .toOne, .toMany: .nothing
    }
  }

  /// Returns all values.
  func record() throws -> ObjectReader.Record {
    var record = ObjectReader.Record(shape: shape, key: key, values: [])
    record.values.reserveCapacity(properties.count)
    for place in properties.indices {
      record.values.append(
        try held(at: place).flatMap { RecordValue($0) } ?? other(at: place)
      )
      if case .toOne(let slot) = properties[place].storage, let order = slot.orderSlot,
        let position = rows.statement.key(order + 1)
      {
        record.orders[place] = position
      }
    }
    return record
  }
}

/// The objects to which a relationship may lead.
struct LinkTargets {
  private let keys: ObjectKeys?
  /// Whether the objects of the entity with each number are such.
  private let isKind: [Bool]

  /// No objects.
  init() {
    keys = nil
    isKind = []
  }

  /// The objects of some keys that are of some entities.
  init(_ keys: ObjectKeys, ofEntities numbers: [Int]) {
    self.keys = keys
    isKind = (0...(numbers.max() ?? 0)).map { numbers.contains($0) }
  }

  /// Returns the number of the entity of an object; 0 where there is none.
  func number(of key: Int64) -> Int { Int(keys?.number(of: key) ?? 0) }

  /// Returns whether an object is there, and of such an entity.
  func contains(_ key: Int64) -> Bool {
    let number = number(of: key)
    return number < isKind.count && isKind[number]
  }
}

/// The links of one to-many relationship, read beside the rows of their owners.
final class LinkCursor {
  private let rows: PreparedStatement
  private let query: LinkQuery
  private let targets: LinkTargets
  /// The owners, where links of no owner are counted here.
  private let owners: LinkTargets?
  private var isBegun = false
  /// The link that was read and not yet given.
  private var next: (owner: Int64, other: Int64)?

  init(_ rows: PreparedStatement, _ query: LinkQuery, targets: LinkTargets, owners: LinkTargets?) {
    self.rows = rows
    self.query = query
    self.targets = targets
    self.owners = owners
  }

  /// Returns the members of an owner; owners are asked for in ascending order.
  func members(
    of owner: Int64,
    in reader: ObjectReader,
    _ property: String,
    _ shape: RecordShape
  ) throws -> [Int64] {
    try begin(reader)
    var members: [Int64] = []
    while let link = next, link.owner <= owner {
      if link.owner != owner {
        skip(link.owner, reader)
      } else if targets.contains(link.other) {
        members.append(link.other)
      } else {
        reader.note(.brokenLink, shape.entityName, property)
      }
      try advance(reader)
    }
    return members
  }

  /// Reads the links of owners that were not asked for.
  func finish(in reader: ObjectReader) throws {
    guard owners != nil else { return }
    try begin(reader)
    while let link = next {
      skip(link.owner, reader)
      try advance(reader)
    }
  }

  private func skip(_ owner: Int64, _ reader: ObjectReader) {
    guard let owners, !owners.contains(owner) else { return }
    reader.note(.brokenLink, query.declaringEntity, query.relationship)
  }

  private func begin(_ reader: ObjectReader) throws {
    guard !isBegun else { return }
    isBegun = true
    try advance(reader)
  }

  private func advance(_ reader: ObjectReader) throws {
    while try rows.statement.step() {
      if let owner = rows.statement.key(0), let other = rows.statement.key(1) {
        next = (owner, other)
        return
      }
      if owners != nil { reader.note(.brokenLink, query.declaringEntity, query.relationship) }
    }
    next = nil
  }
}
