import ObjectModel
package import StoreAccess

/// A reader of the objects of a store, as records, in one snapshot.
///
/// Values are decoded by the slots that policies use, links found by ``LinkQuery``. Nothing is written: the
/// connection was opened for reading, and the context has no keys to give. What is not as the model has it is
/// counted in ``faults`` and never ends the reading.
package final class ObjectReader {
  /// A record: the key of an object, and the values of its shape's properties in their order.
  package struct Record {
    /// The shape.
    package let shape: RecordShape
    /// The primary key, unique among the objects of one root entity.
    package let key: Int64
    /// The values.
    package var values: [RecordValue]
    /// The place of the object in the list of an ordered to-many, by the place of the to-one that is its
    /// inverse.
    package var orders: [Int: Int64] = [:]
  }

  /// The schema of the store.
  package let schema: PhysicalSchema
  let context: ManagedObjectContext
  let database: PreparedDatabase
  /// The counts of what is not as the model has it, without the counts' order.
  private var counts: [ReadingFault: Int64] = [:]
  private var shapes: [String: RecordShape] = [:]
  private var keys: [String: ObjectKeys] = [:]
  /// The names of attributes whose bytes a dump writes to files, and the writer; nil for none.
  package var files: ((_ name: String, _ bytes: [UInt8]) throws -> String)?
  private let transformer = SecureUnarchiveFromDataTransformer()
  private let cancellation: Cancellation
  /// The value of `now()`, in seconds since 2001.
  let now: Double

  /// Begins a snapshot.
  ///
  /// - Parameter externalData: The folder of external files.
  /// - Throws: ``SQLiteError``.
  package init(
    _ connection: consuming SQLiteConnection,
    schema: PhysicalSchema,
    externalData: String,
    cancellation: Cancellation
  ) throws {
    self.schema = schema
    self.cancellation = cancellation
    database = PreparedDatabase(connection)
    // The Julian day of 2001-01-01T00:00:00Z is 2451910.5.
    let clock = try database.connection.rows("SELECT (julianday('now') - 2451910.5) * 86400")
    if case .real(let seconds)? = clock.first?.first { now = seconds } else { now = 0 }
    try ExternalData.register(on: database.connection, folder: externalData)
    try ExpressionFunctions.register(on: database.connection)
    try database.connection.enlargeCache()
    database.connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    context = ManagedObjectContext(
      database: database,
      schema: schema,
      configuration: .init(store: .source, schemaName: "main", externalData: externalData)
    )
  }

  /// The counts of what is not as the model has it, in the order of entities and properties.
  package var faults: [ReadingFault] {
    counts.map { fault, count in
      var fault = fault
      fault.count = count
      return fault
    }.sorted { left, right in
      let first = [left.entity, left.property ?? "", left.kind.rawValue]
      let second = [right.entity, right.property ?? "", right.kind.rawValue]
      for (left, right) in zip(first, second) where left != right {
        return ByteOrder.precedes(left, right)
      }
      return false
    }
  }

  /// Counts a fault.
  package func note(
    _ kind: ReadingFault.Kind,
    _ entity: String,
    _ property: String?,
    _ more: Int64 = 1
  ) {
    let fault = ReadingFault(kind: kind, entity: entity, property: property, count: 0)
    counts[fault, default: 0] += more
  }

  /// Returns the shape of an entity's records.
  ///
  /// - Throws: ``MigrationError`` where the model has no such entity.
  package func shape(of entityName: String) throws -> RecordShape {
    if let shape = shapes[entityName] { return shape }
    let shape = RecordShape(try context.layout(of: entityName), model: schema.model)
    shapes[entityName] = shape
    return shape
  }

  /// Throws where the reading was asked to stop.
  package func checkCancellation() throws {
    guard cancellation.isRequested else { return }
    throw MigrationError(
      .interrupted,
      "The reading was asked to stop.",
      recovery: "Run the command again; nothing was changed."
    )
  }
}

// MARK: All objects

extension ObjectReader {
  /// Visits the objects of exactly an entity in the order of their keys.
  ///
  /// - Throws: The errors of `body`, or an error of the database.
  /// - Complexity: One pass over the table, and one over the links of each to-many relationship.
  package func forEachRecord(of entityName: String, _ body: (Record) throws -> Void) throws {
    let shape = try shape(of: entityName)
    let layout = shape.layout
    let columns = ["Z_PK"] + layout.columns
    let table = SQL.scan("main", layout.tableName)
    let rows = try database.cursor(
      "SELECT \(columns.map { SQL.identifier($0) }.joined(separator: ", ")) FROM \(table)"
        + " WHERE Z_ENT = \(layout.number) ORDER BY Z_PK"
    )
    let links = try shape.properties.map { property -> LinkCursor? in
      guard case .toMany = property.storage else { return nil }
      return try linkCursor(property.name, of: shape)
    }
    let needed = try shape.properties.map { property -> ObjectKeys? in
      guard case .toOne(let slot) = property.storage else { return nil }
      return try keys(of: slot.relationship.destinationEntityName)
    }
    // Each property by its place, since going through the shape's would copy all of them for each row.
    let properties = ContiguousArray(shape.properties)
    var count = 0
    while try rows.statement.step() {
      count += 1
      if count % 1024 == 0 { try checkCancellation() }
      guard let key = rows.statement.key(0) else {
        note(.unknownEntity, layout.rootName, nil)
        continue
      }
      var record = Record(shape: shape, key: key, values: [])
      record.values.reserveCapacity(properties.count)
      for place in properties.indices {
        switch properties[place].storage {
        case .attribute(let slot):
          let stored = rows.statement.value(slot.slot + 1)
          record.values.append(
            try Self.plain(stored, slot)
              ?? value(stored, slot, properties[place].name, shape, key)
          )
        case .composite(let slots):
          record.values.append(
            try composite(slots, properties[place].name, shape, key) {
              rows.statement.value($0 + 1)
            }
          )
        case .toOne(let slot):
          if let order = slot.orderSlot, let position = rows.statement.key(order + 1) {
            record.orders[place] = position
          }
          let column = (slot.keySlot ?? 0) + 1
          record.values.append(
            slot.keySlot == nil || rows.statement.isNull(column)
              ? .nothing
              : link(
                rows.statement.key(column),
                slot,
                needed[place],
                properties[place].name,
                shape
              )
          )
        case .toMany:
          record.values.append(
            .objects(
              try links[place]?.members(of: key, in: self, properties[place].name, shape) ?? []
            )
          )
        }
      }
      try body(record)
    }
    for cursor in links { try cursor?.finish(in: self) }
  }

  /// Counts the rows of a root entity's table that are of no entity that has objects.
  package func noteUnknownRows(ofRoot root: String) throws {
    guard let table = schema.table(of: root) else { return }
    let numbers = schema.model.hierarchyNames(below: root)
      .filter { schema.model[$0]?.isAbstract == false }
      .compactMap { schema.entityNumber($0) }.map(String.init)
    let unknown = try database.connection.integer(
      "SELECT COUNT(*) FROM \(SQL.scan("main", table.name))"
        + " WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.joined(separator: ", ")))"
    )
    if let unknown, unknown > 0 { note(.unknownEntity, root, nil, unknown) }
  }

  /// Visits the links of a relationship that no to-one of the other end holds, in the order of their owners;
  /// only those between objects, at least one of them of a given entity.
  package func forEachLink(
    of relationship: String,
    in entityName: String,
    among entities: Set<String>,
    _ body: (_ owner: Int64, _ other: Int64, _ order: Int64?, _ otherOrder: Int64?) throws -> Void
  ) throws {
    guard
      let query = LinkQuery(
        of: relationship,
        in: entityName,
        schema,
        database: "main",
        scansTables: false
      )
    else { return }
    let owners = try keys(of: entityName)
    let others = try keys(of: query.description.destinationEntityName)
    let cursor = try database.cursor(
      "SELECT owner, other, owner_order, other_order FROM (\(query.sql))"
        + " ORDER BY owner, owner_order, other"
    )
    while try cursor.statement.step() {
      guard let owner = cursor.statement.key(0), let other = cursor.statement.key(1),
        isObject(owner, of: entityName, owners),
        isObject(other, of: query.description.destinationEntityName, others),
        [(owner, owners), (other, others)].contains(where: { key, keys in
          entity(of: key, keys).map(entities.contains) == true
        })
      else { continue }
      try body(owner, other, cursor.statement.key(2), cursor.statement.key(3))
    }
  }

  private func linkCursor(_ name: String, of shape: RecordShape) throws -> LinkCursor? {
    guard
      let query = LinkQuery(
        of: name,
        in: shape.entityName,
        schema,
        database: "main",
        scansTables: false
      )
    else { return nil }
    let destination = query.description.destinationEntityName
    // Each entity below the declaring one reads all links; one of them counts those of no owner. A key of
    // the other end's to-one is counted there.
    let first = schema.model.hierarchyNames(below: query.declaringEntity).first {
      schema.model[$0]?.isAbstract == false
    }
    let isCounted = if case .inverseKey = query.storage { false } else { first == shape.entityName }
    return LinkCursor(
      try database.cursor(
        "SELECT owner, other FROM (\(query.sql)) ORDER BY owner, owner_order, other"
      ),
      query,
      keys: try keys(of: destination),
      owners: isCounted ? try keys(of: query.declaringEntity) : nil
    )
  }

  /// Returns the objects of the table of an entity.
  private func keys(of entityName: String) throws -> ObjectKeys? {
    guard let table = schema.table(of: entityName) else { return nil }
    if let known = keys[table.name] { return known }
    let found = try ObjectKeys(of: SQL.scan("main", table.name), database.connection) { number in
      schema.entityName(Int(number)).flatMap { schema.model[$0] }?.isAbstract == false
    }
    keys[table.name] = found
    return found
  }

  private func entity(of key: Int64, _ keys: ObjectKeys?) -> String? {
    keys.flatMap { schema.entityName(Int($0.number(of: key))) }
  }

  fileprivate func isObject(_ key: Int64, of entityName: String, _ keys: ObjectKeys?) -> Bool {
    guard let number = keys?.number(of: key), number > 0,
      let name = schema.entityName(Int(number))
    else { return false }
    return name == entityName || schema.model.isKind(name, of: entityName)
  }

  private func link(
    _ key: Int64?,
    _ slot: RelationshipSlot,
    _ keys: ObjectKeys?,
    _ property: String,
    _ shape: RecordShape
  ) -> RecordValue {
    guard let key, isObject(key, of: slot.relationship.destinationEntityName, keys) else {
      note(.brokenLink, shape.entityName, property)
      return .nothing
    }
    return .object(key)
  }
}

/// The links of one to-many relationship, read beside the rows of their owners.
private final class LinkCursor {
  private let rows: PreparedStatement
  private let query: LinkQuery
  private let keys: ObjectKeys?
  /// The owners, where links of no owner are counted here.
  private let owners: ObjectKeys?
  private var isBegun = false
  /// The link that was read and not yet given.
  private var next: (owner: Int64, other: Int64)?

  init(_ rows: PreparedStatement, _ query: LinkQuery, keys: ObjectKeys?, owners: ObjectKeys?) {
    self.rows = rows
    self.query = query
    self.keys = keys
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
      } else if reader.isObject(link.other, of: query.description.destinationEntityName, keys) {
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
    guard let owners, !reader.isObject(owner, of: query.declaringEntity, owners) else { return }
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

// MARK: Values

extension ObjectReader {
  func composite(
    _ slots: [AttributeSlot],
    _ property: String,
    _ shape: RecordShape,
    _ key: Int64,
    _ stored: (Int) throws -> SQLiteValue
  ) throws -> RecordValue {
    var isNothing = true
    let elements = try slots.map { slot in
      let value = try value(stored(slot.slot), slot, slot.attribute.name, shape, key)
      if value != .nothing { isNothing = false }
      return RecordValue.Element(name: slot.attribute.ownName, value: value)
    }
    return isNothing ? .nothing : .composite(elements)
  }

  /// Returns the value of a column's stored value, where nothing about it can be wrong: nearly all are such; nil
  /// for others.
  private static func plain(_ stored: SQLiteValue, _ slot: AttributeSlot) -> RecordValue? {
    switch (slot.type, stored) {
    case (_, .null): .nothing
    case (.string, .text(let text)): .scalar(.string(text))
    case (.integer64, .integer(let number)): .scalar(.integer(number))
    case (.integer32, .integer(let number)):
      Int32(exactly: number) == nil ? nil : .scalar(.integer(number))
    case (.boolean, .integer(let number)):
      number == 0 || number == 1 ? .scalar(.boolean(number == 1)) : nil
    case (.double, .real(let number)): number.isNaN ? nil : .scalar(.real(number))
    case (.date, .real(let seconds)):
      CivilTime.hasText(secondsSince2001: seconds) ? .scalar(.date(seconds)) : nil
    case (.uuid, .blob(let bytes)): bytes.count == 16 ? .scalar(.uuid(bytes)) : nil
    case (.binary, .blob(let bytes)): slot.isTagged ? nil : .scalar(.binary(bytes))
    case (.decimal, .integer(let number)): .scalar(.decimal(String(number)))
    default: nil
    }
  }

  /// Returns the value of a column's stored value; one that is none of the attribute's type as it is stored.
  func value(
    _ stored: SQLiteValue,
    _ slot: AttributeSlot,
    _ property: String,
    _ shape: RecordShape,
    _ key: Int64
  ) throws -> RecordValue {
    let decoded: ExpressionValue
    do {
      decoded = try slot.value(stored, folder: slot.isTagged ? context.externalData : "")
    } catch {
      let isExternal = if case .blob = stored { slot.isTagged } else { false }
      note(isExternal ? .missingFile : .wrongType, shape.entityName, property)
      return Self.unreadable(stored)
    }
    guard case .scalar(let scalar) = decoded else { return .nothing }
    let type = slot.attribute.attributeType
    if type.isNumeric, StoredNumber.stored(column: stored, as: type) == nil {
      // A number out of the type's range, or the text of none.
      note(.wrongType, shape.entityName, property)
      return Self.unreadable(stored)
    }
    switch (slot.attribute.attributeType, scalar) {
    case (.transformable, .binary(let bytes)): return transformed(bytes)
    // The shortest digits that give the same float.
    case (.float, .real(let real)) where real.isFinite:
      return .scalar(.real(Double("\(Float(real))") ?? real))
    case (.date, .date(let seconds)):
      // The range of years is asked again where the text is written.
      guard CivilTime.hasText(secondsSince2001: seconds) else {
        note(.noDate, shape.entityName, property)
        return .unreadable(.real(seconds))
      }
      return .scalar(scalar)
    case (.binary, .binary(let bytes)) where slot.isTagged:
      guard let files else { return .scalar(scalar) }
      return .file(try files("\(shape.entityName)-\(key)-\(property)", bytes))
    default: return .scalar(scalar)
    }
  }

  private static func unreadable(_ stored: SQLiteValue) -> RecordValue {
    switch stored {
    case .null: .nothing
    case .integer(let number): .unreadable(.integer(number))
    case .real(let number): .unreadable(.real(number))
    case .text(let text): .unreadable(.string(text))
    case .malformedText(let bytes), .blob(let bytes): .unreadable(.binary(bytes))
    }
  }

  /// Returns the property list in a transformable attribute's bytes: a keyed archive of one.
  private func transformed(_ bytes: [UInt8]) -> RecordValue {
    guard bytes.starts(with: Array("bplist".utf8)), let value = try? transformer.value(of: bytes)
    else { return .encoded(bytes) }
    return .propertyList(value)
  }
}
