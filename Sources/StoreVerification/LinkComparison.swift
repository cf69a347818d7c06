import MigrationPlanning
import ObjectModel
import StoreAccess

/// A set of the result's links, and the set of the source's links that it should equal.
struct LinkComparison {
  /// The final entity that declares the relationship.
  var entity: String
  /// The final relationship.
  var relationship: String
  /// The query of the result's links.
  var result: String
  /// The query of the links in the owners' own columns, and the result's table with the owners, as
  /// a term of FROM; nil where the other side has the same, or may differ as in the source.
  var own: (links: String, owners: String)?
  /// The query of the source's links, dropped ends left out; nil where all links are new.
  var source: String?
  /// The origin of the links; nil where they are new.
  var place: RelationshipLineage?
  /// The source tables with the rows at both ends, as terms of FROM.
  var ends: [String] = []
  /// The number of links, where the proofs of both stores show the same links and orders.
  var proven: Int64?

  /// Compares the sets: first by their numbers and digests, and pair by pair where those differ.
  func run(
    _ connection: borrowing SQLiteConnection,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) {
    if let proven, source != nil {
      checks.links.count += proven
      if place?.keepsOrder == true { checks.order.count += proven }
      if place?.keepsInverseOrder == true { checks.order.count += proven }
      return
    }
    guard let source else {
      let count = try connection.count("SELECT COUNT(*) FROM (\(result))")
      if count > 0 { fail(&checks.links, count, "links come from nowhere", []) }
      return
    }
    let sum = "SELECT COUNT(*), waystone_digest(owner, other) FROM"
    let new = try connection.counts("\(sum) (\(result))")
    let old = try connection.counts("\(sum) (\(source))")
    checks.links.count += new[0]
    if new != old { try compareSets(source, new: new[0], old: old[0], connection, &checks) }
    if let own {
      // A key that leads to no row is kept as it was, and no row can have its other side.
      let lone =
        "SELECT owner, other FROM (\(result)) WHERE owner IN (SELECT Z_PK FROM \(own.owners)) "
        + "EXCEPT SELECT owner, other FROM (\(own.links))"
      let count = try connection.count("SELECT COUNT(*) FROM (\(lone))")
      if count > 0 {
        fail(
          &checks.links,
          count,
          "links are said by the other side alone",
          try owners(lone, connection)
        )
      }
    }
    if place?.keepsOrder == true { try compareOrder(connection, source, by: "owner", &checks) }
    if place?.keepsInverseOrder == true {
      try compareOrder(connection, source, by: "other", &checks)
    }
  }

  /// Finds the links of one set alone, reading both in the order of their keys.
  private func compareSets(
    _ source: String,
    new newCount: Int64,
    old oldCount: Int64,
    _ connection: borrowing SQLiteConnection,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) {
    let pairs = "SELECT owner, other FROM (\(result))"
    let old = "SELECT owner, other FROM (\(source))"
    let extra = "\(pairs) EXCEPT \(old) ORDER BY 1, 2"
    let extraCount = try connection.count("SELECT COUNT(*) FROM (\(extra))")
    if extraCount > 0 {
      fail(&checks.links, extraCount, "links come from nowhere", try owners(extra, connection))
    }
    let missing = "\(old) EXCEPT \(pairs) ORDER BY 1, 2"
    let missingCount = try connection.count("SELECT COUNT(*) FROM (\(missing))")
    if missingCount > 0 {
      try reportMissing(missingCount, missing, old, pairs, connection, &checks)
    }
    // Neither set has a pair twice, so that those of one alone are all that differs.
    let unfound = newCount - extraCount - (oldCount - missingCount)
    if unfound != 0 || extraCount + missingCount == 0 {
      let text = "links differ from the source, in a place that no query finds"
      fail(&checks.links, max(1, abs(unfound)), text, [])
    }
  }

  /// Separates missing links that the plan gives up from unexplained ones.
  ///
  /// A link that dangled in the source has no row to be in where another table keeps it. Where an
  /// end can have only one, another link of that end must have its place. Where both can, the
  /// choice may leave an end without any: then a link may be missing if another shared one of its
  /// ends, and no more than the ends cannot hold, a number that the plan reports.
  private func reportMissing(
    _ count: Int64,
    _ missing: String,
    _ old: String,
    _ new: String,
    _ connection: borrowing SQLiteConnection,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) {
    let rows = zip(["owner", "other"], ends).map { "\($0) IN (SELECT Z_PK FROM \($1))" }
    let isThere = rows.isEmpty ? "1" : rows.joined(separator: " AND ")
    let isNarrowedTwice = place?.isOwnerNarrowed == true && place?.isOtherNarrowed == true
    var condition = isThere
    if isNarrowedTwice {
      for end in ["owner", "other"] {
        condition +=
          " AND \(end) NOT IN (SELECT \(end) FROM (\(old)) GROUP BY \(end) HAVING COUNT(*) > 1)"
      }
    } else if let place, place.isNarrowed {
      let end = place.isOwnerNarrowed ? "owner" : "other"
      condition += " AND \(end) NOT IN (SELECT \(end) FROM (\(new)))"
    }
    var lost = "SELECT owner, other FROM (\(missing)) WHERE \(condition)"
    var lostCount = try connection.count("SELECT COUNT(*) FROM (\(lost))")
    if isNarrowedTwice {
      let surplus = try connection.count(
        "SELECT 2 * COUNT(*) - COUNT(DISTINCT owner) - COUNT(DISTINCT other) FROM (\(old))"
      )
      let gone = "SELECT owner, other FROM (\(missing)) WHERE \(isThere)"
      let excess = try connection.count("SELECT COUNT(*) FROM (\(gone))") - surplus
      if excess > lostCount { (lost, lostCount) = (gone, excess) }
    }
    if lostCount > 0 {
      let keys = try owners(lost, connection)
      fail(&checks.links, lostCount, "links of the source are missing", keys)
    }
    if count > lostCount {
      let keys = try owners(missing, connection)
      checks.narrowed.count += try connection.count("SELECT COUNT(*) FROM (\(old))")
      fail(&checks.narrowed, count - lostCount, "links find no place in the result", keys)
    }
  }

  /// Checks that each list has the same keys, or at least the same sequence.
  private func compareOrder(
    _ connection: borrowing SQLiteConnection,
    _ source: String,
    by list: String,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) {
    let place = "\(list)_order"
    let sum = "SELECT COUNT(*), waystone_digest(owner, other, \(place)) FROM"
    let new = try connection.counts("\(sum) (\(result))")
    checks.order.count += new[0]
    guard try connection.counts("\(sum) (\(source))") != new else { return }
    // The tables themselves cannot be searched for a pair; a temporary copy of the pairs can.
    let sets = "WITH s AS MATERIALIZED (\(source)), d AS MATERIALIZED (\(result)) "
    let both = "s JOIN d ON d.owner = s.owner AND d.other = s.other"
    let steps =
      "SELECT s.\(list) AS list, s.\(place) AS old, LAG(s.\(place)) OVER "
      + "(PARTITION BY s.\(list) ORDER BY d.\(place)) AS before FROM \(both)"
    let count = try connection.count("\(sets)SELECT COUNT(*) FROM (\(steps)) WHERE before > old")
    guard count > 0 else { return }
    let keys = try StoreVerifier.keys(
      connection,
      "\(sets)SELECT DISTINCT list FROM (\(steps)) WHERE before > old LIMIT 5"
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

extension ResultComparison {
  /// Returns the comparison of a final relationship's links with those that it carries.
  func linkComparison(_ name: String, of entity: String) -> [LinkComparison] {
    let set = LinkQuery(
      of: name,
      in: entity,
      result.schema,
      database: result.database,
      scansTables: true
    )
    guard let links = set?.sql else { return [] }
    let place = lineage.declaredRelationship(name, of: entity)
    return [
      LinkComparison(
        entity: entity,
        relationship: name,
        result: links,
        own: place.flatMap {
          isNewlyPaired(name, of: entity, $0) ? ownLinks(set, of: entity) : nil
        },
        source: place.flatMap { sourceLinks($0, of: name, in: entity) },
        place: place,
        ends: place.map(sourceEnds) ?? [],
        proven: place.flatMap { provenLinks(name, of: entity, $0) }
      )
    ]
  }

  private func ownLinks(
    _ set: LinkQuery?,
    of entity: String
  ) -> (links: String, owners: String)? {
    guard let set, let table = result.schema.table(of: entity) else { return nil }
    return (set.ownSQL, result.scan(table.name))
  }

  /// Returns whether a relationship is a one-to-one with keys on each side, and was none before, so that
  /// no row of the source can have made the two sides disagree.
  private func isNewlyPaired(_ name: String, of entity: String, _ place: RelationshipLineage)
    -> Bool
  {
    guard let new = result.schema.model.property(name, of: entity)?.property.relationship,
      result.schema.model.inverse(of: new) != nil,
      RelationshipCardinality(new, in: result.schema.model).isOneToOne,
      let old = source.schema.model.property(place.relationship, of: place.entity)?
        .property.relationship
    else { return false }
    return !RelationshipCardinality(old, in: source.schema.model).isOneToOne
  }

  /// Returns the links that live in join tables of the result.
  func linksOfJoins() -> [LinkComparison] {
    result.schema.joinTables.flatMap {
      linkComparison($0.master.propertyName, of: $0.master.entityName)
    }
  }

  /// Returns the number of links in two join tables with the same rows and carried ends.
  private func provenLinks(
    _ name: String,
    of entity: String,
    _ place: RelationshipLineage
  ) -> Int64? {
    guard let proven, conditions(of: place, becoming: name, in: entity).isEmpty,
      case .join(let old, let key, let farKey, _)? = source.schema.storage(
        of: place.relationship,
        in: place.entity
      ), case .join(let new, let own, let far, _)? = result.schema.storage(of: name, in: entity),
      !old.isReflexive, !new.isReflexive
    else { return nil }
    let keys = place.isFlipped ? [farKey, key] : [key, farKey]
    return proven.commonLinks(
      of: old.name,
      keys + old.orders(of: keys[0]),
      and: new.name,
      [own, far] + new.orders(of: own)
    )
  }

  /// Returns the links of a source relationship whose ends are both among those of the final one.
  private func sourceLinks(
    _ place: RelationshipLineage,
    of name: String,
    in entity: String
  ) -> String? {
    let set = LinkQuery(
      of: place.relationship,
      in: place.entity,
      source.schema,
      database: source.database,
      scansTables: true
    )
    guard let links = place.isFlipped ? set?.flippedSQL : set?.sql else { return nil }
    let conditions = conditions(of: place, becoming: name, in: entity)
    if conditions.isEmpty { return links }
    return "SELECT * FROM (\(links)) WHERE \(conditions.joined(separator: " AND "))"
  }

  /// Returns the conditions that both ends of a source's link are objects between which the final
  /// relationship leads; none where all are.
  private func conditions(
    of place: RelationshipLineage,
    becoming name: String,
    in entity: String
  ) -> [String] {
    let (model, final) = (source.schema.model, result.schema.model)
    guard let declared = final.property(name, of: entity),
      let other = declared.property.relationship?.destinationEntityName
    else { return [] }
    let ends = zip(endEntities(place), [declared.entityName, other])
    return zip(["owner", "other"], ends).compactMap { column, end in
      let (entity, last) = end
      let concrete = model.hierarchyNames(below: entity).filter {
        model[$0]?.isAbstract == false
      }
      let kept = concrete.filter {
        lineage.finalEntity(of: $0).map { final.isKind($0, of: last) } ?? false
      }
      guard kept.count < concrete.count, let table = source.schema.table(of: entity)?.name
      else { return nil }
      let numbers = kept.compactMap { source.schema.entityNumber($0).map(String.init) }
      return "\(column) IN (SELECT Z_PK FROM \(source.scan(table)) "
        + "WHERE Z_ENT IN (\(numbers.joined(separator: ", "))))"
    }
  }

  /// Returns the source entities at both ends of a relationship, the owner's first.
  func endEntities(_ place: RelationshipLineage) -> [String] {
    guard let declared = source.schema.model.property(place.relationship, of: place.entity),
      let description = declared.property.relationship
    else { return [] }
    let ends = [declared.entityName, description.destinationEntityName]
    return place.isFlipped ? ends.reversed() : ends
  }

  private func sourceEnds(_ place: RelationshipLineage) -> [String] {
    endEntities(place).compactMap { source.schema.table(of: $0).map { source.scan($0.name) } }
  }

  /// Checks orders that are new: each member has a place of its own.
  func compareNewOrders(
    _ connection: borrowing SQLiteConnection,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) {
    for list in LinkQuery.ordered(in: result.schema, database: result.database) {
      let place = lineage.declaredRelationship(list.relationship, of: list.entity)
      if place?.keepsOrder == true { continue }
      try list.checkOrder(connection, &checks.order)
    }
  }
}
