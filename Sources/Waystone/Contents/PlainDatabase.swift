internal import ObjectModel
internal import StoreAccess
internal import StoreMigration

/// A database without anything of Core Data's: a table for each root entity, foreign keys for links.
///
/// One table for a whole hierarchy, since a link may lead to an object of any entity of it, and a foreign key
/// leads to one table. Keys are unique in a hierarchy, too.
final class PlainDatabase {
  /// A column and the property that it has.
  private struct Column {
    enum Content {
      case value
      /// The element of a composite attribute.
      case element(String)
      /// The place in the list of the ordered relationship that is the to-one's inverse.
      case position
    }
    var name: String
    var type: String
    /// The entity that declares the property.
    var owner: String
    var property: String
    var content: Content
    /// The root of the destination, where a foreign key leads there.
    var destination: String?
  }

  private struct Table {
    var root: String
    var name: String
    var key: String
    var entityColumn: String?
    var columns: [Column] = []
    var entities: [String] = []
  }

  private struct Join {
    var name: String
    var entity: String
    var relationship: String
    var hasOrder: Bool
    var hasOtherOrder: Bool
    /// The root of either end, where all objects that can be there are in the dump.
    var ends: [String?]
  }

  private let dump: StoreDump
  private let connection: PreparedDatabase
  private var names = UniqueNames()
  private var tables: [Table] = []
  private var joins: [Join] = []
  private var model: ManagedObjectModel { dump.reader.schema.model }

  /// Lays a database out in an empty file.
  ///
  /// - Throws: ``SQLiteError``.
  init(_ dump: StoreDump, at path: String) throws {
    self.dump = dump
    connection = PreparedDatabase(try SQLiteConnection(path: path, access: .readWrite))
    try connection.connection.execute(
      script: "PRAGMA main.journal_mode = OFF; PRAGMA main.synchronous = OFF"
    )
    for entity in dump.entities { try add(entity) }
    try addJoins()
  }

  /// Returns whether all objects that a relationship can lead to are in the dump.
  private func isWhole(_ entityName: String) -> Bool {
    model.hierarchyNames(below: entityName).allSatisfy {
      model[$0]?.isAbstract != false || dump.entities.contains($0)
    }
  }

  private func add(_ entity: String) throws {
    let root = model.rootEntityName(of: entity)
    let shape = try dump.reader.shape(of: entity)
    let place: Int
    if let known = tables.firstIndex(where: { $0.root == root }) {
      place = known
    } else {
      var table = Table(root: root, name: tableName(root), key: "")
      var columns = UniqueNames()
      table.key = columns.name(for: "objectID")
      let isHierarchy = model.hierarchyNames(below: root).count > 1
      table.entityColumn = isHierarchy ? columns.name(for: "entity") : nil
      place = tables.count
      tables.append(table)
    }
    tables[place].entities.append(entity)
    var taken = UniqueNames()
    _ = taken.name(for: tables[place].key)
    if let name = tables[place].entityColumn { _ = taken.name(for: name) }
    for column in tables[place].columns { _ = taken.name(for: column.name) }
    for property in shape.properties {
      let owner = model.declaredProperty(property.name, of: entity)?.entityName ?? entity
      guard
        !tables[place].columns.contains(where: { $0.owner == owner && $0.property == property.name }
        )
      else { continue }
      func append(
        _ name: String,
        _ type: String,
        _ content: Column.Content = .value,
        to destination: String? = nil
      ) {
        tables[place].columns.append(
          Column(
            name: taken.name(for: name),
            type: type,
            owner: owner,
            property: property.name,
            content: content,
            destination: destination
          )
        )
      }
      if let attribute = property.attribute {
        append(property.name, Self.type(of: attribute))
      } else if let elements = property.elements {
        for element in elements {
          append(
            "\(property.name)_\(element.name)",
            Self.type(of: element.attribute),
            .element(element.name)
          )
        }
      } else if let relationship = property.relationship, !relationship.isToMany {
        let destination = relationship.destinationEntityName
        append(
          property.name,
          "INTEGER",
          to: isWhole(destination) ? model.rootEntityName(of: destination) : nil
        )
        if shape.hasOrder(property) { append("\(property.name)_position", "INTEGER", .position) }
      }
    }
  }

  /// Returns a name for a table or an index; SQLite keeps names that begin with `sqlite_` to itself.
  private func tableName(_ wanted: String) -> String {
    names.name(for: wanted.lowercased().hasPrefix("sqlite_") ? "_" + wanted : wanted)
  }

  private static func type(of attribute: AttributeDescription) -> String {
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .float, .double: "REAL"
    case .decimal: "NUMERIC"
    case .date, .string, .uri, .uuid: "TEXT"
    case .undefined, .binary, .transformable, .objectID, .composite: "BLOB"
    }
  }

  /// Finds the to-many relationships whose links no to-one holds, once for both of their ends.
  private func addJoins() throws {
    var seen: Set<PropertyReference> = []
    for entity in model.entities.map(\.name).sorted(by: ByteOrder.precedes) {
      for relationship in model[entity]?.relationships ?? [] {
        let reference = PropertyReference(entityName: entity, propertyName: relationship.name)
        let ends = [entity, relationship.destinationEntityName]
        let dumped = ends.map { end in
          model.hierarchyNames(below: end).contains { dump.entities.contains($0) }
        }
        guard relationship.isToMany, dumped.contains(true),
          let storage = dump.reader.schema.storage(of: relationship.name, in: entity)
        else { continue }
        let hasOrder: Bool
        var hasOtherOrder = false
        switch storage {
        case .key: continue
        case .inverseKey(_, _, let order):
          // The to-ones of the other end hold the links, where these are in the dump.
          guard dumped[0], !isWhole(ends[1]) else { continue }
          hasOrder = order != nil
        case .ownerKey(_, _, let order): hasOrder = order != nil
        case .join(let table, _, _, let order):
          // One end names the table, as in the store.
          guard table.master == reference, seen.insert(reference).inserted else { continue }
          hasOrder = order != nil
          hasOtherOrder = table.ownerOrderColumn != nil && table.other != nil
        }
        joins.append(
          Join(
            name: tableName("\(entity)_\(relationship.name)"),
            entity: entity,
            relationship: relationship.name,
            hasOrder: hasOrder,
            hasOtherOrder: hasOtherOrder,
            ends: ends.map { isWhole($0) ? model.rootEntityName(of: $0) : nil }
          )
        )
      }
    }
  }
}

// MARK: Writing

extension PlainDatabase {
  /// Writes all tables.
  ///
  /// - Throws: An error of either database, or of a request to stop.
  func write() throws -> ContentsSummary {
    try connection.connection.execute("BEGIN")
    for table in tables { try connection.connection.execute(createSQL(table)) }
    for join in joins { try connection.connection.execute(createSQL(join)) }
    var counts: [String: Int] = [:]
    for table in tables {
      for entity in table.entities { counts[entity] = try fill(table, entity) }
    }
    for join in joins { try fill(join) }
    // After the rows, which costs less than to keep them up to date.
    for table in tables {
      for column in table.columns where column.destination != nil {
        try index(table.name, column.name)
      }
    }
    for join in joins { try index(join.name, "destination") }
    try connection.connection.execute("COMMIT")
    return try dump.summary(counts)
  }

  private func index(_ table: String, _ column: String) throws {
    let name = tableName("\(table)_\(column)_index")
    try connection.connection.execute(
      "CREATE INDEX \(SQL.identifier(name)) ON \(SQL.identifier(table)) (\(SQL.identifier(column)))"
    )
  }

  private func reference(to root: String) -> String {
    guard let table = tables.first(where: { $0.root == root }) else { return "" }
    return " REFERENCES \(SQL.identifier(table.name)) (\(SQL.identifier(table.key)))"
  }

  private func createSQL(_ table: Table) -> String {
    var lines = ["\(SQL.identifier(table.key)) INTEGER PRIMARY KEY"]
    if let name = table.entityColumn { lines.append("\(SQL.identifier(name)) TEXT NOT NULL") }
    for column in table.columns {
      lines.append(
        "\(SQL.identifier(column.name)) \(column.type)"
          + (column.destination.map(reference) ?? "")
      )
    }
    return "CREATE TABLE \(SQL.identifier(table.name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
  }

  private func createSQL(_ join: Join) -> String {
    var lines = zip(["source", "destination"], join.ends).map { name, root in
      "\(name) INTEGER NOT NULL\(root.map(reference) ?? "")"
    }
    if join.hasOrder { lines.append("position INTEGER") }
    if join.hasOtherOrder { lines.append("source_position INTEGER") }
    lines.append("PRIMARY KEY (source, destination)")
    return "CREATE TABLE \(SQL.identifier(join.name)) (\n  \(lines.joined(separator: ",\n  "))\n)"
      + " WITHOUT ROWID"
  }

  private func fill(_ table: Table, _ entity: String) throws -> Int {
    let shape = try dump.reader.shape(of: entity)
    let own = table.columns.filter { column in
      shape.places[column.property] != nil
        && model.declaredProperty(column.property, of: entity)?.entityName == column.owner
    }
    let places = own.map { shape.places[$0.property] ?? 0 }
    let names = [table.key] + (table.entityColumn.map { [$0] } ?? []) + own.map(\.name)
    let insert = try connection.cursor(
      "INSERT INTO \(SQL.identifier(table.name))"
        + " (\(names.map { SQL.identifier($0) }.joined(separator: ", ")))"
        + " VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
    )
    var count = 0
    try dump.reader.forEachRecord(of: entity) { record in
      count += 1
      try insert.statement.bind(record.key, at: 1)
      var index = 2
      if table.entityColumn != nil {
        try insert.statement.bind(entity, at: index)
        index += 1
      }
      for (column, place) in zip(own, places) {
        try insert.statement.bind(Self.stored(column, record, place), at: index)
        index += 1
      }
      try insert.statement.run()
    }
    return count
  }

  private func fill(_ join: Join) throws {
    let insert = try connection.cursor(
      "INSERT OR IGNORE INTO \(SQL.identifier(join.name)) VALUES (?, ?"
        + "\(join.hasOrder ? ", ?" : "")\(join.hasOtherOrder ? ", ?" : ""))"
    )
    try dump.reader.forEachLink(
      of: join.relationship,
      in: join.entity,
      among: Set(dump.entities)
    ) {
      owner,
      other,
      order,
      back in
      try insert.statement.bind(owner, at: 1)
      try insert.statement.bind(other, at: 2)
      var index = 3
      for (isThere, position) in [(join.hasOrder, order), (join.hasOtherOrder, back)] where isThere
      {
        try insert.statement.bind(position.map { SQLiteValue.integer($0) } ?? .null, at: index)
        index += 1
      }
      try insert.statement.run()
    }
  }

  private static func stored(
    _ column: Column,
    _ record: ObjectReader.Record,
    _ place: Int
  ) -> SQLiteValue {
    switch column.content {
    case .value: return stored(record.values[place])
    case .position: return record.orders[place].map { .integer($0) } ?? .null
    case .element(let name):
      guard case .composite(let elements) = record.values[place] else { return .null }
      return elements.first { $0.name == name }.map { stored($0.value) } ?? .null
    }
  }

  private static func stored(_ value: RecordValue) -> SQLiteValue {
    switch value {
    case .nothing, .objects: return .null
    case .object(let key): return .integer(key)
    case .file(let name): return .text(name)
    case .encoded(let bytes): return .blob(bytes)
    case .scalar(let scalar), .unreadable(let scalar): return stored(scalar)
    case .composite, .propertyList, .list:
      var json = RecordJSON()
      json.write(value)
      return .text(json.take())
    }
  }

  private static func stored(_ value: AttributeValue) -> SQLiteValue {
    switch value {
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .decimal(let digits):
      // The very number that the store has: it keeps decimal numbers as these two.
      switch DecimalText.stored(digits)?.value {
      case .integer(let number): return .integer(number)
      case .real(let number): return .real(number)
      default: return .text(digits)
      }
    case .string(let text), .uri(let text): return .text(text)
    case .date(let seconds):
      return CivilTime.iso8601(secondsSince2001: seconds).map { .text($0) } ?? .real(seconds)
    case .uuid(let bytes): return .text(RecordJSON.uuid(bytes))
    case .binary(let bytes): return .blob(bytes)
    }
  }
}
