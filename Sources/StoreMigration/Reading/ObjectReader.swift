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
    try forEachRow(of: entityName) { row in try body(row.record()) }
  }

  /// Visits the rows of the objects of exactly an entity in the order of their keys.
  ///
  /// - Parameter body: Called with each row, which is the same instance at another place.
  /// - Throws: The errors of `body`, or an error of the database.
  /// - Complexity: One pass over the table, and one over the links of each to-many relationship.
  package func forEachRow(of entityName: String, _ body: (ObjectRow) throws -> Void) throws {
    let shape = try shape(of: entityName)
    let row = try ObjectRow(
      shape,
      links: shape.properties.map { property -> LinkCursor? in
        guard case .toMany = property.storage else { return nil }
        return try linkCursor(property.name, of: shape)
      },
      destinations: shape.properties.map { property -> LinkTargets? in
        guard case .toOne(let slot) = property.storage else { return nil }
        return try targets(of: slot.relationship.destinationEntityName)
      },
      in: self
    )
    var count = 0
    while try row.next() {
      count += 1
      if count % 1024 == 0 { try checkCancellation() }
      try body(row)
    }
    try row.finish()
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
    let owners = try targets(of: entityName)
    let others = try targets(of: query.description.destinationEntityName)
    let cursor = try database.cursor(
      "SELECT owner, other, owner_order, other_order FROM (\(query.sql))"
        + " ORDER BY owner, owner_order, other"
    )
    while try cursor.statement.step() {
      guard let owner = cursor.statement.key(0), let other = cursor.statement.key(1),
        owners.contains(owner), others.contains(other),
        [(owner, owners), (other, others)].contains(where: { key, targets in
          schema.entityName(targets.number(of: key)).map(entities.contains) == true
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
      targets: try targets(of: destination),
      owners: isCounted ? try targets(of: query.declaringEntity) : nil
    )
  }

  /// Returns the objects of an entity and of those below it.
  private func targets(of entityName: String) throws -> LinkTargets {
    guard let table = schema.table(of: entityName) else { return LinkTargets() }
    let found =
      try keys[table.name]
      ?? ObjectKeys(of: SQL.scan("main", table.name), database.connection) { number in
        schema.entityName(Int(number)).flatMap { schema.model[$0] }?.isAbstract == false
      }
    keys[table.name] = found
    return LinkTargets(found, ofEntities: schema.entityNumbers(below: entityName))
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
    if type.isStoredAsNumber, StoredNumber.stored(column: stored, as: type) == nil {
      // A number out of the type's range, or the text of none.
      note(.wrongType, shape.entityName, property)
      return Self.unreadable(stored)
    }
    switch type {
    case .transformable: if case .binary(let bytes) = scalar { return transformed(bytes) }
    case .float:
      // The shortest digits that give the same float.
      if case .real(let real) = scalar, real.isFinite {
        return .scalar(.real(Double("\(Float(real))") ?? real))
      }
    case .date:
      // The range of years is asked again where the text is written.
      if case .date(let seconds) = scalar, !CivilTime.hasText(secondsSince2001: seconds) {
        note(.noDate, shape.entityName, property)
        return .unreadable(.real(seconds))
      }
    case .binary:
      if case .binary(let bytes) = scalar, slot.isTagged, let files {
        return .file(try files("\(shape.entityName)-\(key)-\(property)", bytes))
      }
    case .integer16, .integer32, .integer64, .boolean, .decimal, .double, .string, .uri, .uuid,
      .undefined, .objectID, .composite:
      break
    }
    return .scalar(scalar)
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
