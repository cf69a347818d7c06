import ObjectModel

/// A writer of the rows of objects, and of the links of their to-many relationships into a table of its own.
final class XMLStoreRowWriter {
  /// A statement that outlives the call that compiled it.
  private final class Statement {
    let statement: SQLiteStatement

    init(_ sql: String, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
      statement = try connection.prepare(sql)
    }
  }

  private let keys: XMLStoreKeys
  private let path: String
  private let insertLink: Statement
  private var inserts: [String: Statement] = [:]

  init(
    _ keys: XMLStoreKeys,
    _ path: String,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    self.keys = keys
    self.path = path
    try connection.execute(
      "CREATE TABLE \(XMLStoreLinker.table) (relationship INTEGER, owner INTEGER, other INTEGER, "
        + "place INTEGER, owner_entity INTEGER, line INTEGER, "
        + "PRIMARY KEY (relationship, owner, other)) WITHOUT ROWID"
    )
    insertLink = try Statement(
      "INSERT OR IGNORE INTO \(XMLStoreLinker.table) "
        + "(relationship, owner, other, place, owner_entity, line) VALUES (?, ?, ?, ?, ?, ?)",
      connection
    )
  }

  /// Writes an object.
  func write(
    _ object: XMLStoreObject,
    _ entity: XMLStoreEntity,
    _ connection: borrowing SQLiteConnection,
    _ account: inout XMLStoreAccount
  ) throws {
    guard let own = try keys.object(object.identifier, connection) else {
      throw fault(object, object.line, "it was not there before: the file was changed meanwhile")
    }
    var row = [SQLiteValue](repeating: .null, count: entity.columns.count)
    (row[0], row[1], row[2]) = (.integer(own.key), .integer(entity.number), .integer(1))
    for value in object.values {
      guard case .attribute(let attribute, let column) = try property(value.name, value.line) else {
        throw fault(
          object,
          value.line,
          "\(value.name.prefix(80)) is a relationship of \(entity.name)"
        )
      }
      do throws(XMLStoreValue.Fault) {
        row[column] = try XMLStoreValue(attribute: attribute).stored(value) {
          account.values[$0, default: 0] += 1
        }
      } catch {
        throw fault(object, value.line, "its attribute \(attribute.name) \(error.words)")
      }
    }
    for links in object.links {
      let others = try links.identifiers.map { try other($0, links) }
      switch try property(links.name, links.line) {
      case .attribute:
        throw fault(
          object,
          links.line,
          "\(links.name.prefix(80)) is an attribute of \(entity.name)"
        )
      case .toOne(let destinations, let key, let column):
        guard others.count < 2 else {
          throw fault(
            object,
            links.line,
            "\(links.name) is a to-one, and has \(others.count) links"
          )
        }
        guard let other = others.first else { continue }
        try check(other, destinations, links)
        row[key] = .integer(other.key)
        if let column { row[column] = .integer(other.entityNumber) }
      case .toMany(let destinations, let number):
        for (place, other) in others.enumerated() {
          try check(other, destinations, links)
          try insertLink.statement.bind([
            .integer(Int64(number)), .integer(own.key), .integer(other.key),
            .integer(Int64(place)), .integer(own.entityNumber), .integer(Int64(links.line)),
          ])
          try insertLink.statement.run()
          guard connection.changes == 1 else {
            throw fault(object, links.line, "\(links.name) leads to one object twice")
          }
        }
      case .unreadable: continue
      }
    }
    let insertion = try insert(entity, connection)
    try insertion.statement.bind(row)
    try insertion.statement.run()

    func property(_ name: String, _ line: Int) throws -> XMLStoreEntity.Property {
      guard let property = entity.properties[name.lowercased()] else {
        throw fault(object, line, "\(name.prefix(80)) is no property of \(entity.name)")
      }
      if case .unreadable(let words) = property {
        throw fault(object, line, "\(name.prefix(80)) \(words)")
      }
      return property
    }
    func other(_ identifier: Substring, _ links: XMLStoreObject.Links) throws -> XMLStoreKeys.Object
    {
      guard let other = try keys.object(identifier, connection) else {
        throw fault(
          object,
          links.line,
          "\(links.name.prefix(80)) leads to \(identifier.prefix(40)), which the file does not have"
        )
      }
      return other
    }
    func check(
      _ other: XMLStoreKeys.Object,
      _ destinations: Set<Int64>,
      _ links: XMLStoreObject.Links
    ) throws {
      guard !destinations.contains(other.entityNumber) else { return }
      throw fault(object, links.line, "\(links.name) leads to an object of another entity")
    }
  }

  private func insert(
    _ entity: XMLStoreEntity,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Statement {
    if let known = inserts[entity.name] { return known }
    let made = try Statement(entity.insertSQL, connection)
    inserts[entity.name] = made
    return made
  }

  private func fault(_ object: XMLStoreObject, _ line: Int, _ words: String) -> StoreAccessError {
    .inXMLStore(path, line, object: object.identifier, words)
  }
}
