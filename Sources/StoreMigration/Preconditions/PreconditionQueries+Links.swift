import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

extension PreconditionQueries {
  /// Returns the rows with their numbers of links, and the condition that violates the kind.
  func linkQuestion(
    _ kind: Precondition.Kind,
    _ part: Part
  ) throws -> RowQuestion {
    let count = "COALESCE(l.n, 0)"
    let condition: String
    var isOfRealRows = false
    switch kind {
    case .noLinks, .noLinksTo: condition = "\(count) > 0"
    case .atMostOneLink: condition = "\(count) > 1"
    case .linkCount(let least, let greatest, let orNone):
      isOfRealRows = true
      condition =
        (orNone ? "l.n < \(least)" : "\(count) < \(least)")
        + (greatest == .max ? "" : " OR \(count) > \(greatest)")
    default: throw Doubt(reason: "this is not asked of links")
    }
    guard let name = part.relationships.first ?? nil else {
      // A relationship that a hop between added has no links.
      return RowQuestion(
        source: part.joined(to: " LEFT JOIN (SELECT 0 AS n) l"),
        condition: condition
      )
    }
    var links = try self.links(of: name, in: part.entity)
    if case .noLinksTo(let rows, _) = kind {
      let others = try parts(of: rows, isAboutLinks: true)
      guard !others.contains(where: \.isSome) else {
        throw Doubt(reason: "only the run knows which objects a filter takes")
      }
      let wanted = others.map { "SELECT s.Z_PK FROM \($0.source)" }
      links = "SELECT * FROM (\(links)) WHERE other IN (\(wanted.joined(separator: " UNION ALL ")))"
    }
    if isOfRealRows {
      let target = try targetTable(of: name, in: part.entity)
      links = "SELECT * FROM (\(links)) WHERE other IN (SELECT Z_PK FROM \(target))"
    }
    let counted =
      " LEFT JOIN (SELECT owner, COUNT(*) AS n FROM (\(links)) GROUP BY owner) l "
      + "ON l.owner = s.Z_PK"
    return RowQuestion(source: part.joined(to: counted), condition: condition)
  }

  /// Counts the rows whose links are not those that another relationship leads back by, among links
  /// between these rows and such as are there.
  func sameLinks(
    _ parts: [Part],
    _ entity: String,
    _ property: String,
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    let (total, forth) = try allLinks(parts, connection, ofRealRows: true)
    guard let forth else { return .proven(of: total) }
    let rows = parts.map { "SELECT s.Z_PK FROM \($0.source)" }.joined(separator: " UNION ALL ")
    let back =
      "SELECT other AS owner, owner AS other FROM (\(try links(of: property, in: entity))) "
      + "WHERE other IN (\(rows))"
    let stray =
      "SELECT owner FROM (\(forth) EXCEPT \(back)) UNION "
      + "SELECT owner FROM (\(back) EXCEPT \(forth))"
    return try answer(stray, of: total, connection)
  }

  /// Counts the rows that have a link to an object that is there, and to which another row has one too.
  func sharedObjects(
    _ parts: [Part],
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    let (total, all) = try allLinks(parts, connection, ofRealRows: true)
    guard let all else { return .proven(of: total) }
    let shared =
      "SELECT other, COUNT(DISTINCT owner) AS n FROM (\(all)) GROUP BY other HAVING n > 1"
    let owners =
      "SELECT DISTINCT owner FROM (\(all)) WHERE other IN (SELECT other FROM (\(shared)))"
    return try answer(owners, of: total, connection)
  }

  /// Counts the rows that have links which become one with others, as rows at their ends become one.
  func distinctLinks(
    _ parts: [Part],
    _ owners: [Precondition.Subject],
    _ others: [Precondition.Subject],
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    let (total, all) = try allLinks(parts, connection, ofRealRows: true)
    guard let all else { return .proven(of: total) }
    let links = try grouped(all, owners, others)
    let shared =
      "SELECT DISTINCT owner FROM "
      + "(SELECT owner, COUNT(*) OVER (PARTITION BY x, y) AS n FROM (\(links))) WHERE n > 1"
    return try answer(shared, of: total, connection)
  }

  /// Counts the rows that have links for which objects that become one have no room.
  func room(
    _ parts: [Part],
    _ owners: [Precondition.Subject],
    _ others: [Precondition.Subject],
    isToOne: Bool,
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    let (total, all) = try allLinks(parts, connection, ofRealRows: true)
    guard let all else { return .proven(of: total) }
    let links = try grouped(all, owners, others)
    func crowded(_ end: String, _ far: String) -> String {
      "\(end) IN (SELECT \(end) FROM (\(links)) GROUP BY \(end) HAVING COUNT(DISTINCT \(far)) > 1)"
    }
    let condition = crowded("y", "x") + (isToOne ? " OR \(crowded("x", "y"))" : "")
    return try answer(
      "SELECT DISTINCT owner FROM (\(links)) WHERE \(condition)",
      of: total,
      connection
    )
  }

  /// Returns the links with the remaining row for each end, where several rows become one.
  private func grouped(
    _ links: String,
    _ owners: [Precondition.Subject],
    _ others: [Precondition.Subject]
  ) throws -> String {
    "SELECT l.owner AS owner, COALESCE(a.g, l.owner) AS x, COALESCE(b.g, l.other) AS y "
      + "FROM (\(links)) l LEFT JOIN (\(try groups(of: owners))) a ON a.pk = l.owner "
      + "LEFT JOIN (\(try groups(of: others))) b ON b.pk = l.other"
  }

  /// Returns the rows, each with the least key among those of the same values.
  private func groups(of subjects: [Precondition.Subject]) throws -> String {
    guard let count = subjects.first?.values.count else {
      return "SELECT NULL AS pk, NULL AS g WHERE 0"
    }
    guard subjects.allSatisfy({ $0.values.count == count }) else {
      throw Doubt(reason: "objects become one by keys that differ")
    }
    let names = (0..<count).map { "v\($0)" }
    let parts = try parts(of: subjects, isAboutLinks: false)
    guard !parts.contains(where: \.isSome) else {
      throw Doubt(reason: "only the run knows which objects a filter takes")
    }
    let rows = parts.map { part in
      let values = zip(part.values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
      return "SELECT s.Z_PK AS pk, \(values) FROM \(part.source)"
    }
    .joined(separator: " UNION ALL ")
    return "SELECT pk, MIN(pk) OVER (PARTITION BY \(names.joined(separator: ", "))) AS g "
      + "FROM (\(rows))"
  }

  /// Returns the answer of a query for the owners that violate a condition.
  private func answer(
    _ owners: String,
    of total: Int64,
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    let rows = try connection.integer("SELECT COUNT(*) FROM (\(owners))") ?? 0
    guard rows > 0 else { return .proven(of: total) }
    let keys = try StoreVerifier.keys(
      connection,
      "SELECT owner FROM (\(owners)) ORDER BY owner LIMIT \(Finding.Evidence.keyLimit)"
    )
    return .refuted(rows: rows, of: total, groups: nil, keys: keys)
  }

  /// Returns the number of rows, and a query for all their links; nil where none can have one.
  private func allLinks(
    _ parts: [Part],
    _ connection: borrowing SQLiteConnection,
    ofRealRows: Bool = false
  ) throws -> (rows: Int64, query: String?) {
    var total: Int64 = 0
    var owned: [String] = []
    for part in parts {
      guard let name = part.relationships.first ?? nil else { continue }
      total += try connection.integer("SELECT COUNT(*) FROM \(part.source)") ?? 0
      var query =
        "SELECT owner, other FROM (\(try links(of: name, in: part.entity))) "
        + "WHERE owner IN (SELECT s.Z_PK FROM \(part.source))"
      if ofRealRows {
        query += " AND other IN (SELECT Z_PK FROM \(try targetTable(of: name, in: part.entity)))"
      }
      owned.append(query)
    }
    return (total, owned.isEmpty ? nil : owned.joined(separator: " UNION ALL "))
  }

  private func targetTable(of relationship: String, in entity: String) throws -> String {
    let target = schema.model.property(relationship, of: entity)?.property.relationship?
      .destinationEntityName
    guard let table = target.flatMap({ schema.table(of: $0)?.name }) else {
      throw Doubt(reason: "the store has no table of \(target ?? relationship)")
    }
    try check(table, ["Z_PK"])
    return SQL.identifier(database, table)
  }

  /// Returns the links of a relationship, where the store keeps them as its model predicts.
  private func links(of relationship: String, in entity: String) throws -> String {
    guard
      let links = LinkQuery(
        of: relationship,
        in: entity,
        schema,
        database: database,
        scansTables: false
      )
    else { throw Doubt(reason: "the store keeps no links of \(entity).\(relationship)") }
    try check(links.table, links.columns)
    return links.sql
  }
}
