import MigrationPlanning
import ObjectModel
package import StoreAccess

extension StoreCounts {
  /// Counts a database by plain SQL, which hops share for links alone (``LinkQuery``).
  ///
  /// - Parameters:
  ///   - database: `main`, or the name of an attached database. Nothing is written.
  ///   - schema: What the database has; columns that it lacks hold nothing.
  /// - Throws: ``SQLiteError`` where it cannot be read.
  /// - Complexity: A pass over each table of entities, and one over the links of each relationship with
  ///   a look at the objects at both ends.
  package init(
    of connection: borrowing SQLiteConnection,
    database: String = "main",
    schema: PhysicalSchema
  ) throws {
    self.init()
    let columns = try StoreSchema(of: connection, in: database).columnNames.mapValues(Set.init)
    try connection.enlargeCache()
    for table in schema.tables {
      guard let present = columns[table.name] else { continue }
      try count(table, schema, present, database, connection)
    }
    // The links of a relationship are those of its inverse.
    var counted: Set<[String]> = []
    for entity in schema.model.entities {
      for relationship in entity.relationships where relationship.isPersistent {
        guard !counted.contains([entity.name, relationship.name]) else { continue }
        let links = LinkQuery(
          of: relationship.name,
          in: entity.name,
          schema,
          database: database,
          scansTables: true
        )
        guard let links, links.isKept(in: columns) else { continue }
        let inverse = schema.model.inverse(of: relationship)
        // Each side of a one-to-one has keys of its own, and the two may disagree.
        let isOwn =
          schema.model.isOwnInverse(relationship, declaredBy: entity.name)
          || LinkShape(relationship, in: schema.model).isOneToOne
        if let inverse, !isOwn { counted.insert([inverse.entityName, inverse.property.name]) }
        try count(
          relationship,
          of: entity.name,
          inverse: isOwn ? nil : inverse?.property.name,
          links.ownSQL,
          schema,
          database,
          connection
        )
        if LinkShape(relationship, in: schema.model).isOneToOne {
          try noteDisagreement(links, schema, connection)
        }
      }
    }
  }

  /// Notes the owners' entities where the other side of a one-to-one holds links that theirs does not.
  private mutating func noteDisagreement(
    _ links: LinkQuery,
    _ schema: PhysicalSchema,
    _ connection: borrowing SQLiteConnection
  ) throws {
    let more = try connection.integer(
      "SELECT 1 FROM (\(links.sql) EXCEPT \(links.ownSQL)) LIMIT 1"
    )
    guard more != nil else { return }
    for entity in schema.model.hierarchyNames(below: links.declaringEntity) {
      let known = entities[entity]?.oneSided ?? []
      entities[entity]?.oneSided = known.union([links.relationship])
    }
  }

  /// The concrete entities of a table, by their numbers.
  private static func entities(_ table: EntityTable, _ schema: PhysicalSchema) -> [(Int, String)] {
    schema.model.hierarchyNames(below: table.rootEntityName).compactMap { name in
      guard schema.model[name]?.isAbstract == false else { return nil }
      return schema.entityNumber(name).map { ($0, name) }
    }
  }

  private mutating func count(
    _ table: EntityTable,
    _ schema: PhysicalSchema,
    _ present: Set<String>,
    _ database: String,
    _ connection: borrowing SQLiteConnection
  ) throws {
    let scan = SQL.scan(database, table.name, as: "s")
    let concrete = Self.entities(table, schema)
    for (number, entity) in concrete {
      let names = schema.model.attributes(of: entity)
        .filter { $0.isPersistent && $0.derivationExpression == nil }.map(\.name)
      let stored = names.compactMap { name -> (String, String)? in
        guard let column = schema.column(of: name, in: entity)?.name, present.contains(column)
        else {
          return nil
        }
        return (name, column)
      }
      // SQLite gives at most two thousand columns.
      var counts = Entity(objects: 0)
      var rest = stored[...]
      repeat {
        let some = rest.prefix(500)
        rest = rest.dropFirst(500)
        let terms = ["COUNT(*)"] + some.map { "COUNT(s.\(SQL.identifier($0.1)))" }
        let found = try connection.counts(
          "SELECT \(terms.joined(separator: ", ")) FROM \(scan) WHERE s.Z_ENT IS \(number)"
        )
        counts.objects = found[0]
        for (count, (name, _)) in zip(found.dropFirst(), some) { counts.values[name] = count }
      } while !rest.isEmpty
      entities[entity] = counts
    }
  }

  private mutating func count(
    _ relationship: RelationshipDescription,
    of entity: String,
    inverse: String?,
    _ query: String,
    _ schema: PhysicalSchema,
    _ database: String,
    _ connection: borrowing SQLiteConnection
  ) throws {
    guard let owners = schema.table(of: entity),
      let others = schema.table(of: relationship.destinationEntityName)
    else { return }
    let ends =
      "(\(query)) l JOIN \(SQL.identifier(database, owners.name)) o ON o.Z_PK = l.owner "
      + "JOIN \(SQL.identifier(database, others.name)) x ON x.Z_PK = l.other"
    func add(_ owner: String, _ other: String, _ count: Int64) {
      guard count > 0, entities[owner] != nil, schema.model.isKind(owner, of: entity) else {
        return
      }
      entities[owner]?.links[relationship.name, default: [:]][other, default: 0] += count
      if let inverse {
        entities[other]?.links[inverse, default: [:]][owner, default: 0] += count
      }
    }
    let (from, to) = (Self.entities(owners, schema), Self.entities(others, schema))
    guard !from.isEmpty, !to.isEmpty else { return }
    guard from.count * to.count <= Self.greatestTermCount else {
      let names = { (number: SQLiteValue) -> String? in
        number.integer.flatMap { Int(exactly: $0) }.flatMap(schema.entityName)
      }
      for row in try connection.rows("SELECT o.Z_ENT, x.Z_ENT, COUNT(*) FROM \(ends) GROUP BY 1, 2")
      {
        guard let owner = names(row[0]), let other = names(row[1]), let count = row[2].integer
        else { continue }
        add(owner, other, count)
      }
      return
    }
    // Grouping would sort all links.
    let pairs = from.flatMap { owner in to.map { (owner, $0) } }
    let terms = pairs.map { owner, other in
      "COUNT(*) FILTER (WHERE o.Z_ENT IS \(owner.0) AND x.Z_ENT IS \(other.0))"
    }
    let counts = try connection.counts("SELECT \(terms.joined(separator: ", ")) FROM \(ends)")
    for ((owner, other), count) in zip(pairs, counts) { add(owner.1, other.1, count) }
  }

  /// The greatest number of pairs of entities that are counted in one pass without grouping.
  private static let greatestTermCount = 24
}
