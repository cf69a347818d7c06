import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

extension PreconditionQueries {
  /// Counts the rows that keep a link of a to-many relationship, and those with a missing end.
  ///
  /// Such a row is no evidence about a row of the entity: its owner may be missing, or NULL.
  /// - Complexity: One reading of the rows, with a lookup of each end.
  func wholeLinks(
    _ parts: [Part],
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    guard let part = parts.first, let name = part.relationships.first ?? nil,
      let links = LinkQuery(
        of: name,
        in: part.entity,
        schema,
        database: database,
        scansTables: true
      )
    else { throw Doubt(reason: "the store keeps no such links") }
    try check(links.table, links.columns)
    let columns = links.columns.map { "l.\(SQL.identifier($0))" }
    let rows: String
    let ends: (owner: String, other: String)
    switch links.storage {
    case .join: (rows, ends) = ("1", (columns[0], columns[1]))
    case .ownerKey: (rows, ends) = ("\(columns[1]) IS NOT NULL", (columns[1], columns[0]))
    case .key, .inverseKey: throw Doubt(reason: "the rows of the other side keep the links")
    }
    let model = schema.model
    let owners = model.hierarchyNames(below: links.declaringEntity)
    let others = model.hierarchyNames(
      below: model.rootEntityName(of: links.description.destinationEntityName)
    )
    if case .join = links.storage,
      let total = knownWhole(links.table, zip(links.columns, [owners, others]))
    {
      return .proven(of: total)
    }
    let source = "\(SQL.scan(database, links.table, as: "l")) WHERE \(rows)"
    let total = try connection.count("SELECT COUNT(*) FROM \(source)")
    let broken =
      try "\(source) AND NOT (\(isObject(ends.owner, owners)) AND "
      + "\(isObject(ends.other, others)))"
    let count = try connection.count("SELECT COUNT(*) FROM \(broken)")
    guard count > 0 else { return .proven(of: total) }
    let keys = try StoreVerifier.keys(
      connection,
      "SELECT DISTINCT \(ends.owner) FROM \(broken) AND typeof(\(ends.owner)) = 'integer' "
        + "ORDER BY 1 LIMIT \(Finding.Evidence.keyLimit)"
    )
    return .refuted(rows: count, of: total, groups: nil, keys: keys)
  }

  /// Returns the number of rows in a table of links if the proof shows that each key in some
  /// columns is that of an object of some entities; nil where the rows must be queried.
  private func knownWhole(
    _ table: String,
    _ columns: Zip2Sequence<[String], [[String]]>
  ) -> Int64? {
    guard let proof, let rows = proof.rows[table] else { return nil }
    for (column, entities) in columns {
      let numbers = Set(entities.compactMap { schema.entityNumber($0).map(Int64.init) })
      guard rows.values[column]?.count == rows.count,
        let target = entities.first.flatMap({ schema.table(of: $0)?.name }),
        let objects = proof.rows[target], objects.isCountedByEntity,
        numbers.isSuperset(of: objects.countByEntity.filter { $0.value > 0 }.keys),
        proof.wholeReferences.contains(.init(table: table, column: column, target: target))
      else { return nil }
    }
    return rows.count
  }

  /// Returns the condition that a key is that of an object of some entities of one table.
  private func isObject(_ key: String, _ entities: [String]) throws -> String {
    guard let table = entities.first.flatMap({ schema.table(of: $0)?.name }) else {
      throw Doubt(reason: "the store has no table of \(entities.first ?? "an end")")
    }
    try check(table, ["Z_PK", "Z_ENT"])
    let numbers = entities.compactMap { schema.entityNumber($0) }.sorted().map(String.init)
    return "EXISTS (SELECT 1 FROM \(SQL.identifier(database, table)) d WHERE d.Z_PK = \(key) "
      + "AND d.Z_ENT IN (\(numbers.joined(separator: ", "))))"
  }
}
