import ObjectModel

/// A comparison of a store of the XML kind with the rows that were made of it: a second reading, object by
/// object.
struct XMLStoreVerification {
  let reader: XMLStoreReader
  let entities: XMLStoreEntities
  let keys: XMLStoreKeys
  private var path: String { reader.path }
  private var schema: PhysicalSchema { entities.schema }

  /// Throws if an object, a value or a link of the file is not among the rows, or a row is none of the
  /// file's.
  func verify(
    _ connection: borrowing SQLiteConnection,
    _ account: XMLStoreAccount,
    _ shouldContinue: () -> Bool
  ) throws(StoreAccessError) {
    let readings = Readings(schema: schema, toMany: entities.toMany)
    var counts: [Int64: Int] = [:]
    var statedLinks = 0
    var total = 0
    try reader.forEachObject { object in
      try XMLStoreConversion.check(shouldContinue, at: total)
      total += 1
      let entity = try entities.entity(of: object, in: path)
      counts[entity.number, default: 0] += 1
      statedLinks += try compare(object, entity, readings, connection)
    }
    var rows: [Int64: Int] = [:]
    do throws(SQLiteError) {
      for table in schema.tables {
        let name = SQL.identifier(table.name)
        for row in try connection.rows("SELECT Z_ENT, COUNT(*) FROM \(name) GROUP BY Z_ENT") {
          rows[row[0].integer ?? 0, default: 0] += Int(clamping: row[1].integer ?? 0)
        }
      }
    } catch { throw StoreAccessError(error) }
    guard counts == rows, counts == account.objects else {
      throw unequal(nil, nil, "the numbers of objects differ")
    }
    try verifyLinks(stated: statedLinks, account, connection)
  }

  /// Throws if there are more links of to-many relationships than the file states.
  private func verifyLinks(
    stated: Int,
    _ account: XMLStoreAccount,
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) {
    var kept = 0
    do throws(SQLiteError) {
      for reference in entities.toMany {
        guard
          let query = LinkQuery(
            of: reference.propertyName,
            in: reference.entityName,
            schema,
            database: "main",
            scansTables: true
          )
        else { continue }
        kept += Int(clamping: try connection.integer("SELECT COUNT(*) FROM (\(query.sql))") ?? 0)
      }
    } catch { throw StoreAccessError(error) }
    guard kept >= stated, kept <= stated + 2 * account.oneEnded else {
      throw unequal(nil, nil, "the numbers of links differ")
    }
  }

  /// Compares an object with its row.
  ///
  /// - Returns: The number of its links of to-many relationships.
  private func compare(
    _ object: XMLStoreObject,
    _ entity: XMLStoreEntity,
    _ readings: Readings,
    _ connection: borrowing SQLiteConnection
  ) throws -> Int {
    let key = try key(of: object.identifier, connection)
    guard let row = try readings.row(of: entity, key, connection),
      row[0] == .integer(key), row[1] == .integer(entity.number)
    else { throw unequal(object, nil, "it has no row") }
    var unseen = Set(row.indices).subtracting([0, 1, 2]).filter { !row[$0].isNull }
    for value in object.values {
      guard case .attribute(let attribute, let column)? = entity.properties[value.name.lowercased()]
      else { throw unequal(object, value.line, value.name) }
      unseen.remove(column)
      // The column has what the other rows make of it.
      if attribute.derivationExpression != nil { continue }
      let stored: SQLiteValue
      do throws(XMLStoreValue.Fault) {
        stored = try XMLStoreValue(attribute: attribute).stored(value) { _ in }
      } catch { throw unequal(object, value.line, attribute.name) }
      guard Self.isSame(stored, row[column]) else {
        throw unequal(object, value.line, attribute.name)
      }
    }
    var count = 0
    for links in object.links {
      let others = try links.identifiers.map { try self.key(of: $0, connection) }
      switch entity.properties[links.name.lowercased()] {
      case .toOne(_, let key, let column)?:
        if others.isEmpty { continue }
        unseen.remove(key)
        if let column { unseen.remove(column) }
        guard row[key] == others.first.map({ .integer($0) }) else {
          throw unequal(object, links.line, links.name)
        }
      case .toMany(_, let number)?:
        count += others.count
        let found = try readings.links(number, of: key, connection)
        guard found.isOrdered ? found.keys.starts(with: others) : found.keys.isSuperset(of: others)
        else { throw unequal(object, links.line, links.name) }
      default: throw unequal(object, links.line, links.name)
      }
    }
    // Inverses and derived values are filled in from other objects.
    let filled = entity.properties.values.reduce(into: Set<Int>()) { columns, property in
      switch property {
      case .toOne(_, let key, let entity): columns.formUnion([key, entity].compactMap(\.self))
      case .attribute(let attribute, let column) where attribute.derivationExpression != nil:
        columns.insert(column)
      default: break
      }
    }
    guard unseen.isSubset(of: filled) else { throw unequal(object, nil, "its row has more values") }
    return count
  }

  /// Returns the key of an identifier: by itself where identifiers are numbers.
  private func key(
    of identifier: some StringProtocol,
    _ connection: borrowing SQLiteConnection
  ) throws -> Int64 {
    if keys.isNumbered, let number = XMLStoreKeys.number(of: identifier) { return number }
    return try keys.object(identifier, connection)?.key ?? 0
  }

  /// Returns whether a column has a value, whose type SQLite may have changed by the column's affinity.
  private static func isSame(_ value: SQLiteValue, _ column: SQLiteValue) -> Bool {
    switch (value, column) {
    case (.real(let value), .integer(let column)): value == Double(column)
    case (.integer(let value), .real(let column)): Double(value) == column
    default: value == column
    }
  }

  private func unequal(
    _ object: XMLStoreObject?,
    _ line: Int?,
    _ part: String
  ) -> StoreAccessError {
    .inXMLStore(
      path,
      line ?? object?.line,
      object: object?.identifier,
      "the store of the SQLite kind that was made of it is not the same (\(part.prefix(80)))",
      code: .other,
      recovery: "Please report this with the message above; the store is as it was."
    )
  }
}

/// The statements that read rows and links by their keys.
private final class Readings {
  struct Links {
    let keys: [Int64]
    let isOrdered: Bool
  }

  private final class Statement {
    let statement: SQLiteStatement

    init(_ sql: String, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
      statement = try connection.prepare(sql)
    }
  }

  private let schema: PhysicalSchema
  private let toMany: [PropertyReference]
  private var rows: [String: Statement] = [:]
  private var links: [Int: (statement: Statement, isOrdered: Bool)] = [:]

  init(schema: PhysicalSchema, toMany: [PropertyReference]) {
    self.schema = schema
    self.toMany = toMany
  }

  func row(
    of entity: XMLStoreEntity,
    _ key: Int64,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [SQLiteValue]? {
    let reading: Statement
    if let known = rows[entity.name] {
      reading = known
    } else {
      reading = try Statement(entity.selectSQL, connection)
      rows[entity.name] = reading
    }
    try reading.statement.bind(key, at: 1)
    guard try reading.statement.step() else { return nil }
    defer { reading.statement.reset() }
    return reading.statement.values
  }

  func links(
    _ number: Int,
    of owner: Int64,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Links {
    if links[number] == nil {
      let reference = toMany[number]
      guard
        let query = LinkQuery(
          of: reference.propertyName,
          in: reference.entityName,
          schema,
          database: "main",
          scansTables: false
        )
      else { return Links(keys: [], isOrdered: false) }
      let sql = "SELECT other FROM (\(query.sql)) WHERE owner = ? ORDER BY owner_order"
      links[number] = (try Statement(sql, connection), query.orderColumn != nil)
    }
    guard let (reading, isOrdered) = links[number] else { return Links(keys: [], isOrdered: false) }
    try reading.statement.bind(owner, at: 1)
    var keys: [Int64] = []
    while try reading.statement.step() { keys.append(reading.statement.int64(0)) }
    return Links(keys: keys, isOrdered: isOrdered)
  }
}

extension [Int64] {
  /// Returns whether all of some keys are among these.
  fileprivate func isSuperset(of others: [Int64]) -> Bool {
    others.isEmpty || Set(self).isSuperset(of: others)
  }
}
