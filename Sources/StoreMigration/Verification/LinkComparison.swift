import ObjectModel
import StoreAccess

/// Two sets of links, of which the result's should be the source's.
struct LinkComparison {
  /// The final entity that declares the relationship.
  var entity: String
  /// The final relationship.
  var relationship: String
  /// The query of the result's links.
  var result: String
  /// The query of the source's links, dropped ends left out; nil where all links are new.
  var source: String?
  /// Where the links come from; nil where they are new.
  var place: RelationshipLineage?
  /// The source tables with the rows at both ends.
  var ends: [String] = []

  /// Compares, both sets being walked in the order of their keys.
  func run(
    _ connection: borrowing SQLiteConnection,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) {
    let pairs = "SELECT owner, other FROM (\(result))"
    guard let source else {
      let count = try connection.integer("SELECT COUNT(*) FROM (\(pairs))") ?? 0
      if count > 0 { fail(&checks.links, count, "links come from nowhere", []) }
      return
    }
    let old = "SELECT owner, other FROM (\(source))"
    let count = try connection.integer("SELECT COUNT(*) FROM (\(pairs))") ?? 0
    let oldCount = try connection.integer("SELECT COUNT(*) FROM (\(old))") ?? 0
    checks.links.count += count
    let extra = "\(pairs) EXCEPT \(old) ORDER BY 1, 2"
    let extraCount = try connection.integer("SELECT COUNT(*) FROM (\(extra))") ?? 0
    if extraCount > 0 {
      fail(&checks.links, extraCount, "links come from nowhere", try owners(extra, connection))
    }
    // The result has each pair once: where all are the source's and as many, none is missing.
    if extraCount > 0 || count != oldCount {
      let missing = "\(old) EXCEPT \(pairs) ORDER BY 1, 2"
      let missingCount = try connection.integer("SELECT COUNT(*) FROM (\(missing))") ?? 0
      if missingCount > 0 {
        try reportMissing(missingCount, missing, old, pairs, connection, &checks)
      }
    }
    if place?.keepsOrder == true { try compareOrder(connection, source, by: "owner", &checks) }
    if place?.keepsInverseOrder == true {
      try compareOrder(connection, source, by: "other", &checks)
    }
  }

  /// Tells missing links that the plan gives up from those that nothing explains.
  ///
  /// A link that dangled in the source has no row to live in where another table keeps it. Where
  /// an end can have only one, another link of that end must have its place; where both can, the
  /// choice may leave some ends without any.
  private func reportMissing(
    _ count: Int64,
    _ missing: String,
    _ old: String,
    _ new: String,
    _ connection: borrowing SQLiteConnection,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) {
    var conditions = zip(["owner", "other"], ends).map { "\($0) IN (SELECT Z_PK FROM \($1))" }
    if let place, place.isNarrowed {
      let end = place.isOwnerNarrowed ? "owner" : "other"
      conditions.append(
        place.isOwnerNarrowed && place.isOtherNarrowed
          ? "0" : "\(end) NOT IN (SELECT \(end) FROM (\(new)))"
      )
    }
    let condition = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
    let lost = "SELECT owner, other FROM (\(missing)) WHERE \(condition)"
    let lostCount = try connection.integer("SELECT COUNT(*) FROM (\(lost))") ?? 0
    if lostCount > 0 {
      let keys = try owners(lost, connection)
      fail(&checks.links, lostCount, "links of the source are missing", keys)
    }
    if count > lostCount {
      let keys = try owners(missing, connection)
      fail(&checks.narrowed, count - lostCount, "links find no place in the result", keys)
    }
  }

  /// The same keys, or at least the same sequence in each list.
  private func compareOrder(
    _ connection: borrowing SQLiteConnection,
    _ source: String,
    by list: String,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) {
    let place = "\(list)_order"
    let both =
      "(\(source)) s JOIN (\(result)) d ON d.owner = s.owner AND d.other = s.other"
    checks.order.count += try connection.integer("SELECT COUNT(*) FROM (\(result))") ?? 0
    let moved = try connection.integer(
      "SELECT COUNT(*) FROM \(both) WHERE d.\(place) IS NOT s.\(place)"
    )
    guard let moved, moved > 0 else { return }
    let steps =
      "SELECT s.\(list) AS list, s.\(place) AS old, LAG(s.\(place)) OVER "
      + "(PARTITION BY s.\(list) ORDER BY d.\(place)) AS before FROM \(both)"
    let count = try connection.integer("SELECT COUNT(*) FROM (\(steps)) WHERE before > old") ?? 0
    guard count > 0 else { return }
    let keys = try StoreVerifier.keys(
      connection,
      "SELECT DISTINCT list FROM (\(steps)) WHERE before > old LIMIT 5"
    )
    fail(&checks.order, count, "members stand before one that they followed", keys)
  }

  private func owners(
    _ query: String,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Int64] {
    try StoreVerifier.keys(connection, "SELECT DISTINCT owner FROM (\(query)) LIMIT 5")
  }

  private func fail(
    _ check: inout VerificationReport.Check,
    _ count: Int64,
    _ text: String,
    _ keys: [Int64]
  ) {
    check.fail(
      .init(
        entity: entity,
        property: relationship,
        "\(count) \(text)",
        count: count,
        primaryKeys: keys
      )
    )
  }
}

extension CarriedComparison {
  /// The comparison of a final relationship's links with those that it carries.
  func linkComparison(_ name: String, of entity: String) -> [LinkComparison] {
    let set = LinkSet(
      database: result.database,
      schema: result.schema,
      entity: entity,
      relationship: name,
      isFlipped: false
    )
    guard let links = set.query() else { return [] }
    let place = lineage.declaredRelationship(name, of: entity)
    return [
      LinkComparison(
        entity: entity,
        relationship: name,
        result: links,
        source: place.flatMap(sourceLinks),
        place: place,
        ends: place.map(sourceEnds) ?? []
      )
    ]
  }

  /// The links that live in join tables of the result.
  func linksOfJoins() -> [LinkComparison] {
    result.schema.joinTables.flatMap {
      linkComparison($0.master.propertyName, of: $0.master.entityName)
    }
  }

  /// The links of a source relationship whose ends are both carried.
  private func sourceLinks(_ place: RelationshipLineage) -> String? {
    let model = source.schema.model
    let set = LinkSet(
      database: source.database,
      schema: source.schema,
      entity: place.entity,
      relationship: place.relationship,
      isFlipped: place.isFlipped
    )
    guard let links = set.query() else { return nil }
    let conditions = zip(["owner", "other"], endEntities(place))
      .compactMap { column, entity -> String? in
        let concrete = model.hierarchyNames(below: entity).filter {
          model[$0]?.isAbstract == false
        }
        let kept = concrete.filter { lineage.finalEntity(of: $0) != nil }
        guard kept.count < concrete.count, let table = source.schema.table(of: entity)?.name
        else { return nil }
        let numbers = kept.compactMap { source.schema.entityNumber($0).map(String.init) }
        return "\(column) IN (SELECT Z_PK FROM \(source.table(table)) "
          + "WHERE Z_ENT IN (\(numbers.joined(separator: ", "))))"
      }
    if conditions.isEmpty { return links }
    return "SELECT * FROM (\(links)) WHERE \(conditions.joined(separator: " AND "))"
  }

  /// The source entities at both ends of a relationship, the owner's first.
  func endEntities(_ place: RelationshipLineage) -> [String] {
    guard let declared = source.schema.model.property(place.relationship, of: place.entity),
      let description = declared.property.relationship
    else { return [] }
    let ends = [declared.entityName, description.destinationEntityName]
    return place.isFlipped ? ends.reversed() : ends
  }

  private func sourceEnds(_ place: RelationshipLineage) -> [String] {
    endEntities(place).compactMap { source.schema.table(of: $0).map { source.table($0.name) } }
  }

  /// Orders that are new: each member has a place of its own.
  func compareNewOrders(
    _ connection: borrowing SQLiteConnection,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) {
    for list in OrderedList.all(in: result.schema) {
      let place = lineage.declaredRelationship(list.property, of: list.entity)
      if place?.keepsOrder == true { continue }
      try list.check(connection, database: result.database, &checks.order)
    }
  }
}
