import ObjectModel

/// A writer of the links of to-many relationships, once all rows are there.
///
/// The file states a link at both of its ends, as far as both have a relationship for it. Where one end alone
/// states it, it is kept; where the ends contradict each other, nothing is guessed.
struct XMLStoreLinker {
  /// The links of to-many relationships, as objects state them.
  static let table = "temp.waystone_stated_links"

  let entities: XMLStoreEntities
  let keys: XMLStoreKeys
  let path: String
  private var schema: PhysicalSchema { entities.schema }

  /// Writes all links.
  ///
  /// - Returns: The number of links that one end alone states.
  /// - Throws: ``StoreAccessError`` with `damaged`, which names the line and the object.
  func link(_ connection: borrowing SQLiteConnection) throws(StoreAccessError) -> Int {
    try asStoreAccess { () throws(SQLiteError) in
      try connection.execute(
        "CREATE INDEX temp.waystone_stated_links_by_other ON waystone_stated_links (relationship, other)"
      )
    }
    var oneEnded = try linkPairs(connection)
    for (number, reference) in entities.toMany.enumerated() {
      let name = reference.propertyName
      switch schema.storage(of: name, in: reference.entityName) {
      case .inverseKey(let table, let key, let order):
        try checkSingleOwners(number, name, connection)
        try check(number, name, table, key, connection)
        oneEnded += try asStoreAccess { () throws(SQLiteError) in
          try fillKeys(
            number,
            table,
            key,
            entity: inverseEntityColumn(of: reference),
            order,
            connection
          )
        }
      case .ownerKey(let table, let owner, let order):
        try checkSingleOwners(number, name, connection)
        try asStoreAccess { () throws(SQLiteError) in
          _ = try fillKeys(number, table, owner, entity: nil, order, connection)
        }
      case .join(let join, _, _, _) where join.master == reference:
        oneEnded += try asStoreAccess { () throws(SQLiteError) in
          try fill(join, number, connection)
        }
      case .join, .key, nil: break
      }
    }
    return oneEnded
  }

  /// Writes the other ends of one-to-one relationships that one end alone states, each of which has a column of
  /// its own.
  ///
  /// - Returns: Their number.
  /// - Throws: ``StoreAccessError`` where the ends contradict each other, or two objects have one destination.
  private func linkPairs(
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) -> Int {
    var count = 0
    for entity in schema.model.entities {
      for relationship in entity.relationships where !relationship.isToMany {
        guard let inverse = schema.model.inverse(of: relationship),
          case .key(let table, let key, _, _)? = schema.storage(
            of: relationship.name,
            in: entity.name
          ),
          case .key(let otherTable, let otherKey, let otherEntity, _)? = schema.storage(
            of: inverse.property.name,
            in: inverse.entityName
          )
        else { continue }
        let (own, other) = (SQL.identifier(key), SQL.identifier(otherKey))
        let (rows, others) = (
          "main.\(SQL.identifier(table))", "main.\(SQL.identifier(otherTable))"
        )
        try refuse(
          "SELECT a.Z_PK, NULL, a.Z_ENT FROM \(rows) a JOIN \(others) b ON b.Z_PK = a.\(own) "
            + "WHERE b.\(other) <> a.Z_PK UNION ALL SELECT MAX(a.Z_PK), NULL, MAX(a.Z_ENT) FROM \(rows) a "
            + "WHERE a.\(own) IS NOT NULL GROUP BY a.\(own) HAVING COUNT(*) > 1 LIMIT 1",
          [],
          "\(relationship.name) leads to an object whose inverse leads to another",
          connection
        )
        count += try asStoreAccess { () throws(SQLiteError) in
          let entity = otherEntity.map { ", \(SQL.identifier($0)) = a.Z_ENT" } ?? ""
          try connection.execute(
            "UPDATE \(others) AS b SET \(other) = a.Z_PK\(entity) FROM \(rows) a "
              + "WHERE a.\(own) = b.Z_PK AND b.\(other) IS NULL"
          )
          return Int(clamping: connection.changes)
        }
      }
    }
    return count
  }

  // MARK: Keys in the destinations' rows

  /// Throws if two objects have one destination, which has room for one of them.
  private func checkSingleOwners(
    _ number: Int,
    _ name: String,
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) {
    try refuse(
      "SELECT owner, line, owner_entity FROM \(Self.table) l WHERE relationship = ?1 AND EXISTS "
        + "(SELECT 1 FROM \(Self.table) o WHERE o.relationship = ?1 "
        + "AND o.other = l.other AND o.owner < l.owner) LIMIT 1",
      [.integer(Int64(number))],
      "\(name) leads to an object that the same relationship of another leads to",
      connection
    )
  }

  /// Throws if a destination names another owner than the one that has it.
  private func check(
    _ number: Int,
    _ name: String,
    _ table: String,
    _ key: String,
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) {
    try refuse(
      "SELECT l.owner, l.line, l.owner_entity FROM \(Self.table) l "
        + "JOIN main.\(SQL.identifier(table)) t ON t.Z_PK = l.other WHERE l.relationship = ? "
        + "AND t.\(SQL.identifier(key)) <> l.owner LIMIT 1",
      [.integer(Int64(number))],
      "\(name) leads to an object whose inverse leads to another",
      connection
    )
  }

  /// Throws if a query finds a link: its owner's key, the line and the number of the owner's entity.
  private func refuse(
    _ query: String,
    _ bindings: [SQLiteValue],
    _ words: String,
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) {
    let rows = try asStoreAccess { () throws(SQLiteError) in
      try connection.rows(query, bindings)
    }
    if let row = rows.first { throw try fault(row, words, connection) }
  }

  private func fault(
    _ row: [SQLiteValue],
    _ words: String,
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) -> StoreAccessError {
    let (owner, line, entity) = (row[0].integer ?? 0, row[1].integer, row[2].integer ?? 0)
    let identifier = try asStoreAccess { () throws(SQLiteError) in
      try keys.identifier(ofKey: owner, entityNumbers: [Int(clamping: entity)], connection)
    }
    return .inXMLStore(path, line.map { Int(clamping: $0) }, object: identifier, words)
  }

  /// Returns the column of the owner's entity number in the destinations' rows, where there is one.
  private func inverseEntityColumn(of reference: PropertyReference) -> String? {
    let declared = schema.model.property(reference.propertyName, of: reference.entityName)
    guard let relationship = declared?.property.relationship,
      let inverse = schema.model.namedInverse(of: relationship),
      case .key(_, _, let entity, _)? = schema.storage(
        of: inverse.property.name,
        in: inverse.entityName
      )
    else { return nil }
    return entity
  }

  /// Writes the owners' keys and the places into the destinations' rows.
  ///
  /// - Returns: The number of links that one end alone states.
  private func fillKeys(
    _ number: Int,
    _ table: String,
    _ key: String,
    entity: String?,
    _ order: String?,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int {
    let (table, key) = ("main.\(SQL.identifier(table))", SQL.identifier(key))
    let number = SQLiteValue.integer(Int64(number))
    let unlisted =
      try connection.integer(
        "SELECT COUNT(*) FROM \(table) t WHERE t.\(key) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
          + "\(Self.table) l WHERE l.relationship = ? AND l.owner = t.\(key) AND l.other = t.Z_PK)",
        [number]
      ) ?? 0
    let columns = [
      "\(key) = l.owner", entity.map { "\(SQL.identifier($0)) = l.owner_entity" },
    ].compactMap(\.self)
    try connection.execute(
      "UPDATE \(table) AS t SET \(columns.joined(separator: ", ")) FROM \(Self.table) l "
        + "WHERE l.relationship = ? AND l.other = t.Z_PK AND t.\(key) IS NULL",
      [number]
    )
    let filled = connection.changes
    if let order = order.map({ SQL.identifier($0) }) {
      try connection.execute(
        "UPDATE \(table) AS t SET \(order) = \(OrderKey.first) + \(OrderKey.step) * l.place "
          + "FROM \(Self.table) l WHERE l.relationship = ? AND l.other = t.Z_PK",
        [number]
      )
      // Objects that their owner does not list come last.
      try connection.execute(
        "UPDATE \(table) AS t SET \(order) = s.place FROM (SELECT u.Z_PK AS own, \(OrderKey.first) + "
          + "\(OrderKey.step) * (ROW_NUMBER() OVER (PARTITION BY u.\(key) ORDER BY u.Z_PK) - 1 + "
          + "(SELECT COUNT(*) FROM \(Self.table) l WHERE l.relationship = ?1 AND l.owner = u.\(key))"
          + ") AS place FROM \(table) u WHERE u.\(key) IS NOT NULL AND u.\(order) IS NULL) s "
          + "WHERE t.Z_PK = s.own",
        [number]
      )
    }
    return Int(clamping: unlisted + filled)
  }

  // MARK: Join tables

  /// Writes the pairs of a join table, which both ends state.
  ///
  /// - Returns: The number of links that one end alone states.
  private func fill(
    _ join: JoinTable,
    _ number: Int,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int {
    let table = "main.\(SQL.identifier(join.name))"
    let (own, other) = (
      SQL.identifier(join.ownerColumn.name), SQL.identifier(join.destinationColumn.name)
    )
    let inverse = join.other.map { entities.toMany.firstIndex(of: $0) ?? -1 } ?? number
    let place = "\(OrderKey.first) + \(OrderKey.step) * l.place"
    func insert(_ number: Int, isFlipped: Bool, order: SchemaColumn?) throws(SQLiteError) {
      let order = order.map { SQL.identifier($0.name) }
      let columns = [own, other] + [order].compactMap(\.self)
      let values =
        (isFlipped ? ["l.other", "l.owner"] : ["l.owner", "l.other"])
        + (order == nil ? [] : [place])
      let update = order.map { "UPDATE SET \($0) = excluded.\($0)" } ?? "NOTHING"
      try connection.execute(
        "INSERT INTO \(table) (\(columns.joined(separator: ", "))) SELECT "
          + "\(values.joined(separator: ", ")) FROM \(Self.table) l WHERE l.relationship = ? "
          + "ON CONFLICT (\(own), \(other)) DO \(update)",
        [.integer(Int64(number))]
      )
    }
    try insert(number, isFlipped: false, order: join.destinationOrderColumn)
    try insert(inverse, isFlipped: true, order: join.ownerOrderColumn)
    if let order = join.destinationOrderColumn {
      try append(table, list: own, member: other, order: SQL.identifier(order.name), connection)
    }
    if let order = join.ownerOrderColumn {
      try append(table, list: other, member: own, order: SQL.identifier(order.name), connection)
    }
    func unreturned(_ first: Int, _ second: Int) throws(SQLiteError) -> Int64 {
      try connection.integer(
        "SELECT COUNT(*) FROM \(Self.table) a WHERE a.relationship = ?1 AND NOT EXISTS (SELECT 1 FROM "
          + "\(Self.table) b WHERE b.relationship = ?2 AND b.owner = a.other AND b.other = a.owner)",
        [.integer(Int64(first)), .integer(Int64(second))]
      ) ?? 0
    }
    let count =
      try unreturned(number, inverse) + (inverse == number ? 0 : unreturned(inverse, number))
    return Int(clamping: count)
  }

  /// Gives the pairs that a list does not have a place at its end.
  private func append(
    _ table: String,
    list: String,
    member: String,
    order: String,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    try connection.execute(
      "UPDATE \(table) AS t SET \(order) = s.place FROM (SELECT u.\(list) AS list, u.\(member) AS member, "
        + "COALESCE((SELECT MAX(v.\(order)) FROM \(table) v WHERE v.\(list) = u.\(list)), "
        + "\(OrderKey.first - OrderKey.step)) + \(OrderKey.step) * ROW_NUMBER() OVER "
        + "(PARTITION BY u.\(list) ORDER BY u.\(member)) AS place FROM \(table) u "
        + "WHERE u.\(order) IS NULL) s WHERE t.\(list) = s.list AND t.\(member) = s.member"
    )
  }
}
