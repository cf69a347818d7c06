import Files
import ObjectModel

extension StoreCensus {
  /// A reading of a store, table by table.
  struct Reading {
    private let schema: PhysicalSchema
    private let database: String
    private let present: [String: Set<String>]
    private let isDigested: Bool
    /// The place of each table of entities, by the name of its root entity.
    private let tables: [String: Int]
    /// The objects of each table to which links lead, or from which they come in tables of their own.
    private var keys: [ObjectKeys?]
    /// The concrete entities, by their numbers.
    private var entities: [EntityCensus?]
    /// The links with an end that is no object, unless a row of their owner holds them.
    private var dangling: [PropertyReference: Int64] = [:]

    init(
      _ schema: PhysicalSchema,
      _ database: String,
      _ present: [String: Set<String>],
      _ digesting: Digesting?
    ) {
      self.schema = schema
      self.database = database
      self.present = present
      isDigested = digesting != nil
      keys = Array(repeating: nil, count: schema.tables.count)
      entities = Array(repeating: nil, count: schema.entityNames.count + 1)
      var tables: [String: Int] = [:]
      for (place, table) in schema.tables.enumerated() { tables[table.rootEntityName] = place }
      self.tables = tables
      for table in schema.tables {
        // A table that is not there holds nothing; to digest it fails.
        guard isDigested || present[table.name] != nil else { continue }
        for name in schema.model.hierarchyNames(below: table.rootEntityName) {
          guard schema.model[name]?.isAbstract == false,
            let number = schema.entityNumber(name).flatMap({ UInt16(exactly: $0) })
          else { continue }
          entities[Int(number)] = EntityCensus(
            of: name,
            number: number,
            schema,
            present: present[table.name] ?? [],
            tables: tables,
            digester: digesting.map { EntityDigester($0) }
          )
        }
      }
    }

    private func table(of entity: String) -> Int? {
      tables[schema.model.rootEntityName(of: entity)]
    }

    // MARK: Objects

    /// Reads the keys of the objects at the ends of links.
    mutating func readKeys(
      _ connection: borrowing SQLiteConnection,
      _ shouldContinue: () -> Bool
    ) throws {
      var wanted: Set<Int> = []
      for entity in schema.model.entities {
        for relationship in entity.relationships where relationship.isPersistent {
          wanted.formUnion(
            [entity.name, relationship.destinationEntityName].compactMap { table(of: $0) }
          )
        }
      }
      for place in wanted where present[schema.tables[place].name] != nil {
        guard shouldContinue() else { throw StoreCensus.stopped }
        keys[place] = try ObjectKeys(
          of: SQL.scan(database, schema.tables[place].name),
          connection,
          where: { Int($0) < entities.count && entities[Int($0)] != nil }
        )
      }
    }

    /// Reads the rows of each table, in the order of their keys.
    mutating func readRows(
      _ connection: borrowing SQLiteConnection,
      _ shouldContinue: () -> Bool
    ) throws {
      for table in schema.tables {
        guard shouldContinue() else { throw StoreCensus.stopped }
        let members = schema.model.hierarchyNames(below: table.rootEntityName).compactMap {
          schema.entityNumber($0).flatMap { entities[$0] }
        }
        guard !members.isEmpty else { continue }
        var places: [String: Int] = [:]
        var columns = ["Z_ENT", "Z_PK"]
        for column in members.flatMap(\.columns) where places[column] == nil {
          places[column] = columns.count
          columns.append(column)
        }
        var fields = [[EntityCensus.Field]](repeating: [], count: entities.count)
        for member in members { fields[Int(member.number)] = member.placed(places) }
        let statement = try connection.prepare(
          "SELECT \(columns.map { SQL.identifier($0) }.joined(separator: ", ")) "
            + "FROM \(SQL.scan(database, table.name)) ORDER BY Z_PK"
        )
        while try statement.step() {
          guard let number = statement.key(0), number > 0, number < entities.count else { continue }
          try entities[Int(number)]?.add(statement, fields[Int(number)], keys)
        }
      }
    }

    // MARK: Links

    /// Reads the links that no row of their owner holds, and the order of those that have one.
    mutating func readLinks(
      _ connection: borrowing SQLiteConnection,
      _ shouldContinue: () -> Bool
    ) throws {
      let declared = schema.model.entities.flatMap { entity in
        entity.relationships.filter(\.isPersistent).map { (entity.name, $0) }
      }
      // Each entity has its own in the order of their names.
      for (entity, relationship) in declared.sorted(by: {
        ByteOrder.precedes($0.1.name, $1.1.name)
          || $0.1.name == $1.1.name && ByteOrder.precedes($0.0, $1.0)
      }) {
        guard shouldContinue() else { throw StoreCensus.stopped }
        let links = LinkQuery(
          of: relationship.name,
          in: entity,
          schema,
          database: database,
          scansTables: !isDigested
        )
        guard let links, isDigested || links.isKept(in: present) else { continue }
        if isOneToOne(relationship) { try noteDisagreement(links, connection) }
        try read(links, connection)
      }
    }

    private func isOneToOne(_ relationship: RelationshipDescription) -> Bool {
      let inverse = schema.model.inverse(of: relationship)?.property.relationship
      return !relationship.isToMany && inverse?.isToMany == false
    }

    /// Notes the owners' entities where the other side of a one-to-one holds links that theirs does
    /// not.
    private mutating func noteDisagreement(
      _ links: LinkQuery,
      _ connection: borrowing SQLiteConnection
    ) throws {
      let more = try connection.integer(
        "SELECT 1 FROM (\(links.sql) EXCEPT \(links.ownSQL)) LIMIT 1"
      )
      guard more != nil else { return }
      for owner in owners(links.declaringEntity) {
        entities[owner]?.oneSided.insert(links.relationship)
      }
    }

    /// Returns the numbers of the concrete entities that have what an entity declares.
    private func owners(_ entity: String) -> [Int] {
      schema.model.hierarchyNames(below: entity).compactMap { schema.entityNumber($0) }.filter {
        entities[$0] != nil
      }
    }

    /// Returns what of a relationship must be read apart from the rows.
    private func reads(_ links: LinkQuery) -> (isCounted: Bool, isDigested: Bool) {
      switch links.storage {
      case .key: return (false, false)
      // The rows of the inverse contain all of it but the order.
      case .inverseKey(_, _, let order): return (false, isDigested && order != nil)
      case .ownerKey: return (true, isDigested)
      case .join:
        let inverse = schema.model.inverse(of: links.description)
        let isInverseOrdered = inverse?.property.relationship?.isOrdered ?? false
        // One end contains all of both, but for their orders.
        let isFirst =
          inverse.map { ($0.entityName, $0.property.name) }.map {
            (links.declaringEntity, links.relationship) <= $0
          } ?? true
        let saysMore = links.description.isOrdered || isFirst && !isInverseOrdered
        return (isFirst, isDigested && saysMore)
      }
    }

    private mutating func read(_ links: LinkQuery, _ connection: borrowing SQLiteConnection) throws
    {
      let (isCounted, isDigested) = reads(links)
      guard isCounted || isDigested, let first = table(of: links.declaringEntity),
        let last = table(of: links.description.destinationEntityName), let owners = keys[first],
        let others = keys[last]
      else { return }
      var isOwner = [Bool](repeating: false, count: entities.count)
      for owner in self.owners(links.declaringEntity) {
        isOwner[owner] = true
        if isDigested { entities[owner]?.digester?.add(text: Array(links.relationship.utf8)) }
      }
      let order = links.orderColumn == nil ? "" : "l.owner_order, "
      let sql =
        "SELECT l.owner, l.other FROM (\(links.ownSQL)) l"
        + (isDigested ? " ORDER BY l.owner, \(order)l.other" : "")
      let statement = try connection.prepare(sql)
      var found: Int64 = 0
      while try statement.step() {
        guard let key = statement.key(0) else { continue }
        let number = Int(owners.number(of: key))
        guard isOwner[number] else {
          if isDigested { digestOrphan(links, key, statement, others) }
          continue
        }
        if isDigested { entities[number]?.digester?.add(key, statement.int64(1)) }
        guard isCounted, let other = statement.key(1).map({ others.number(of: $0) }), other > 0
        else { continue }
        found += 1
        entities[number]?.addLink(of: links.relationship, to: other, schema.entityNames.count)
      }
      guard isCounted else { return }
      let missing = try count(of: links, connection) - found
      if missing > 0 { dangling[links.reference, default: 0] += missing }
    }

    /// Returns the number of links of a relationship that rows keep, including links to no object.
    private func count(
      of links: LinkQuery,
      _ connection: borrowing SQLiteConnection
    ) throws -> Int64 {
      let table = SQL.scan(database, links.table)
      switch links.storage {
      case .key, .inverseKey: return 0
      case .ownerKey(_, let key, _):
        return try connection.count("SELECT COUNT(\(SQL.identifier(key))) FROM \(table)")
      case .join(let join, let own, let other, _):
        guard join.isReflexive else {
          return try connection.count("SELECT COUNT(*) FROM \(table)")
        }
        // A row contains two links, and another the same two; one without a key at an end contains none.
        let (own, other) = (SQL.identifier(own), SQL.identifier(other))
        return try connection.count(
          "SELECT (SELECT COUNT(*) FROM (\(links.ownSQL))) + COUNT(*) FROM \(table) "
            + "WHERE \(own) IS NULL OR \(other) IS NULL"
        )
      }
    }

    /// Digests a link of a table of links whose owner is not there, with the object at its other end.
    private mutating func digestOrphan(
      _ links: LinkQuery,
      _ owner: Int64,
      _ row: borrowing SQLiteStatement,
      _ others: ObjectKeys
    ) {
      guard case .join = links.storage, let other = row.key(1) else { return }
      let end = Int(others.number(of: other))
      entities[end]?.digester?.add(text: Array(links.relationship.utf8))
      entities[end]?.digester?.add(other, owner)
    }

    // MARK: The whole

    /// Returns the links with an end that is no object, by relationship; each is counted where it is kept.
    func finishDangling() -> [PropertyReference: Int64] {
      var all = dangling
      for entity in entities.compactMap(\.self) {
        for (relationship, count) in entity.danglingKeys {
          let declared = schema.model.property(relationship, of: entity.name)
          guard let declared else { continue }
          let place = PropertyReference(
            entityName: declared.entityName,
            propertyName: relationship
          )
          all[place, default: 0] += count
        }
      }
      return all
    }

    /// Returns the counts of all entities.
    func finish() -> [Entity] {
      var found: [String: Entity] = [:]
      for entity in entities.compactMap(\.self) {
        found[entity.name] = Entity(
          name: entity.name,
          objects: entity.rowCount,
          values: entity.values,
          oneSided: entity.oneSided,
          digest: entity.digester.map { digester in
            var digester = digester
            return LogicalDigest.Entity(
              name: entity.name,
              rowCount: entity.rowCount,
              hash: digester.finish(),
              missingFileCount: digester.missingFileCount
            )
          }
        )
      }
      for entity in entities.compactMap(\.self) {
        for (relationship, counts) in entity.keyedLinks + entity.links.map({ ($0, $1) }) {
          note(counts, of: relationship, entity.name, in: &found)
        }
      }
      return found.values.sorted { ByteOrder.precedes($0.name, $1.name) }
    }

    /// Notes the links of a relationship, for its inverse too.
    private func note(
      _ counts: [Int64],
      of relationship: String,
      _ entity: String,
      in found: inout [String: Entity]
    ) {
      guard let declared = schema.model.property(relationship, of: entity),
        let description = declared.property.relationship
      else { return }
      // Each side of a one-to-one has keys of its own, and the two may disagree.
      let isOwn =
        schema.model.isOwnInverse(description, declaredBy: declared.entityName)
        || isOneToOne(description)
      let inverse = isOwn ? nil : schema.model.inverse(of: description)?.property.name
      for (number, count) in counts.enumerated() where number > 0 && count > 0 {
        guard let other = schema.entityName(number) else { continue }
        found[entity]?.links[relationship, default: [:]][other, default: 0] += count
        if let inverse {
          found[other]?.links[inverse, default: [:]][entity, default: 0] += count
        }
      }
    }
  }

  fileprivate static var stopped: StoreAccessError {
    StoreAccessError(code: .interrupted, message: "The reading of the store was stopped")
  }
}
