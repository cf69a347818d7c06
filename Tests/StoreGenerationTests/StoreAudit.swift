import ObjectModel
import StoreAccess

/// Asks a store by SQL whether its rows obey its model.
final class StoreAudit {
  let connection: SQLiteConnection
  let schema: PhysicalSchema
  private(set) var problems: [String] = []
  /// The number of links of each relationship, by `Entity.name`.
  private(set) var linkCounts: [String: Int64] = [:]

  init(_ path: String, model: ManagedObjectModel) throws {
    connection = try SQLiteConnection(path: path, access: .readOnly)
    schema = PhysicalSchema(model: model)
    try check()
  }

  private func count(_ sql: String) throws -> Int64 {
    try connection.integer("SELECT COUNT(*) FROM \(sql)") ?? -1
  }

  private func expectNone(_ what: String, _ sql: String) throws {
    let count = try count(sql)
    if count != 0 { problems.append("\(what): \(count)") }
  }

  private func list(_ entity: String) -> String {
    "(" + schema.entityNumbers(below: entity).map(String.init).joined(separator: ",") + ")"
  }

  private func quoted(_ name: String?) -> String { SQL.identifier(name ?? "") }

  private func check() throws {
    let integrity = try connection.text("PRAGMA integrity_check")
    if integrity != "ok" { problems.append("integrity_check: \(integrity ?? "")") }
    for entity in schema.model.entities {
      for attribute in entity.attributes { try check(attribute, of: entity.name) }
      for relationship in entity.relationships { try check(relationship, of: entity.name) }
    }
    for table in schema.tables {
      let greatest = try connection.integer("SELECT MAX(Z_PK) FROM \(quoted(table.name))") ?? 0
      let issued = try connection.integer(
        "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = \(SQL.literal(table.rootEntityName))"
      )
      if issued != greatest { problems.append("Z_MAX of \(table.rootEntityName)") }
    }
  }

  private func check(_ attribute: AttributeDescription, of entity: String) throws {
    guard let column = schema.column(of: attribute.name, in: entity)?.name,
      let table = schema.table(of: entity)?.name, attribute.derivationExpression == nil
    else { return }
    let place = "\(entity).\(attribute.name)"
    let rows = "\(quoted(table)) WHERE Z_ENT IN \(list(entity))"
    if !attribute.isOptional {
      try expectNone("\(place) is NULL", "\(rows) AND \(quoted(column)) IS NULL")
    }
    for (bound, sign) in [(attribute.validation.minimum, "<"), (attribute.validation.maximum, ">")]
    {
      guard case .integer(let bound) = bound else { continue }
      let value =
        attribute.attributeType == .string ? "length(\(quoted(column)))" : quoted(column)
      try expectNone("\(place) is out of bounds", "\(rows) AND \(value) \(sign) \(bound)")
    }
    let types =
      switch attribute.attributeType {
      case .integer16, .integer32, .integer64, .boolean: "'integer'"
      case .double, .float: "'real'"
      case .date, .decimal: "'real', 'integer'"
      case .string, .uri: "'text'"
      default: "'blob'"
      }
    try expectNone(
      "\(place) has another type",
      "\(rows) AND typeof(\(quoted(column))) NOT IN (\(types), 'null')"
    )
  }

  private func check(
    _ relationship: RelationshipDescription,
    of entity: String
  ) throws {
    let place = "\(entity).\(relationship.name)"
    let destination = relationship.destinationEntityName
    let there = quoted(schema.table(of: destination)?.name)
    let here = quoted(schema.table(of: entity)?.name)
    let owners = "\(here) o WHERE o.Z_ENT IN \(list(entity))"
    let isTarget = "d.Z_ENT IN \(list(destination))"
    switch schema.storage(of: relationship.name, in: entity) {
    case .key(_, let key, let number, let order):
      let key = "o.\(quoted(key))"
      linkCounts[place] = try count("\(owners) AND \(key) IS NOT NULL")
      try expectNone(
        "\(place) dangles",
        "\(owners) AND \(key) IS NOT NULL AND NOT EXISTS "
          + "(SELECT 1 FROM \(there) d WHERE d.Z_PK = \(key) AND \(isTarget))"
      )
      if let number {
        try expectNone(
          "\(place) names another entity",
          "\(owners) AND o.\(quoted(number)) IS NOT "
            + "(SELECT d.Z_ENT FROM \(there) d WHERE d.Z_PK = \(key))"
        )
      }
      // Where there are more owners than partners, some must stay alone.
      let partners = try count("\(there) d WHERE \(isTarget)")
      let isOneToOne =
        schema.model.inverse(of: relationship)?.property.relationship?.isToMany == false
      if !relationship.isOptional, partners > 0, try !isOneToOne || count(owners) <= partners {
        try expectNone("\(place) is NULL", "\(owners) AND \(key) IS NULL")
      }
      if let order {
        try expectNone(
          "\(place) lacks a place",
          "\(owners) AND (o.\(quoted(order)) IS NULL) <> (\(key) IS NULL)"
        )
        try checkOrder(place, "\(owners) AND \(key) IS NOT NULL", key, "o.\(quoted(order))")
      }
      try checkPairs(relationship, of: entity, key: key)
    case .inverseKey(_, let key, _), .ownerKey(_, let key, _):
      let links = "\(there) d WHERE \(isTarget) AND d.\(quoted(key)) = o.Z_PK"
      try checkCounts(relationship, place, owners, links)
      if case .ownerKey = schema.storage(of: relationship.name, in: entity) {
        linkCounts[place] = try count("\(there) WHERE \(quoted(key)) IS NOT NULL")
      }
    case .join(let table, let own, let other, let order):
      let name = quoted(table.name)
      linkCounts[place] = try count(name)
      try expectNone(
        "\(place) dangles",
        "\(name) j WHERE NOT EXISTS (SELECT 1 FROM \(owners) AND o.Z_PK = j.\(quoted(own))) "
          + "OR NOT EXISTS (SELECT 1 FROM \(there) d WHERE \(isTarget) "
          + "AND d.Z_PK = j.\(quoted(other)))"
      )
      try checkCounts(relationship, place, owners, "\(name) j WHERE j.\(quoted(own)) = o.Z_PK")
      if let order { try checkOrder(place, "\(name) o", "o.\(quoted(own))", "o.\(quoted(order))") }
    case nil: if relationship.isPersistent { problems.append("\(place) is nowhere") }
    }
  }

  /// Places of one owner are 2048, 3072 and so on, each once.
  private func checkOrder(
    _ place: String,
    _ rows: String,
    _ owner: String,
    _ order: String
  ) throws {
    try expectNone(
      "\(place) has gaps in its order",
      "(SELECT \(order) AS k, row_number() OVER (PARTITION BY \(owner) ORDER BY \(order)) AS n "
        + "FROM \(rows)) WHERE k <> 1024 + 1024 * n"
    )
  }

  private func checkCounts(
    _ relationship: RelationshipDescription,
    _ place: String,
    _ owners: String,
    _ links: String
  ) throws {
    let least = max(relationship.isOptional ? 0 : 1, Int(relationship.minCount))
    let number = "(SELECT COUNT(*) FROM \(links))"
    let there = quoted(schema.table(of: relationship.destinationEntityName)?.name)
    let list = list(relationship.destinationEntityName)
    let destinations = try count("\(there) d WHERE d.Z_ENT IN \(list)")
    let needed = try Int64(least) * count(owners)
    if least > 0, destinations >= needed {
      try expectNone("\(place) has too few", "\(owners) AND \(number) < \(least)")
    }
    guard relationship.maxCount > 0 else { return }
    try expectNone(
      "\(place) has too many",
      "\(owners) AND \(number) > \(relationship.maxCount)"
    )
  }

  /// The partner of a partner is oneself.
  private func checkPairs(
    _ relationship: RelationshipDescription,
    of entity: String,
    key: String
  ) throws {
    guard let inverse = schema.model.inverse(of: relationship),
      case .key(let table, let back, _, _) = schema.storage(
        of: inverse.property.name,
        in: inverse.entityName
      )
    else { return }
    let here = quoted(schema.table(of: entity)?.name)
    try expectNone(
      "\(entity).\(relationship.name) and its inverse disagree",
      "\(here) o WHERE o.Z_ENT IN \(list(entity)) AND \(key) IS NOT NULL AND o.Z_PK IS NOT "
        + "(SELECT d.\(quoted(back)) FROM \(quoted(table)) d WHERE d.Z_PK = \(key))"
    )
  }
}
