import MigrationPlanning
import ObjectModel
import StoreAccess

extension ObjectHopComparison {
  /// Checks that the links of a carried relationship exist, object by object.
  func compareLinks(
    _ index: Int,
    _ entity: ResolvedEntityMapping,
    _ name: String,
    _ connection: borrowing SQLiteConnection,
    _ checks: inout Checks
  ) throws {
    let new = entity.destination
    guard reasonToLeaveOut(name, entity) == nil, let carried = carried(name, entity),
      let here = links(carried.relationship, of: entity.source, in: "main", source),
      let there = links(name, of: new, in: "result", result)
    else { return }
    let isOneToOne =
      source.model.property(carried.relationship, of: entity.source)?.property.relationship
      .map { RelationshipCardinality($0, in: source.model).isOneToOne } ?? false
    let makers = makers(carried)
    let others = makers.map { String($0.offset) }.joined(separator: ", ")
    let carriedLinks =
      "SELECT ao.destination_key AS owner, ax.destination_key AS other FROM (\(here)) l "
      + "CROSS JOIN scratch.association ao ON ao.mapping = \(index) AND ao.source_key = l.owner "
      + "CROSS JOIN scratch.association ax ON ax.mapping IN (\(others)) AND ax.source_key = l.other"
    let expected = isOneToOne ? undisputed(carriedLinks) : carriedLinks
    let relationship = result.model.property(name, of: new)?.property.relationship
    // Where an object became several, a to-one leads to one of them.
    let isChoice = makers.count > 1 && relationship?.isToMany == false
    var missing =
      isChoice
      ? "SELECT DISTINCT owner FROM (\(expected)) EXCEPT "
        + "SELECT owner FROM (\(expected) INTERSECT SELECT owner, other FROM (\(there)))"
      : "\(expected) EXCEPT SELECT owner, other FROM (\(there))"
    checks.links.count += try connection.count("SELECT COUNT(*) FROM (\(expected))")
    var count = try connection.count("SELECT COUNT(*) FROM (\(missing))")
    if count > 0, !isChoice, let relationship {
      (missing, count) = try leavingOutTaken(missing, count, relationship, there, connection)
    }
    guard count > 0 else { return }
    checks.links.fail(
      .init(
        entity: new,
        property: name,
        "\(count) links that \(entity.mapping.name) carries are missing",
        count: count,
        primaryKeys: try StoreVerifier.keys(connection, "\(missing) LIMIT 5")
      )
    )
  }

  /// Returns the missing links without those replaced by another link.
  ///
  /// Several mappings may give links to an end that holds one. The run counts the replaced ones, at
  /// least as many, and goes on only if the user accepts changed links.
  private func leavingOutTaken(
    _ missing: String,
    _ count: Int64,
    _ relationship: RelationshipDescription,
    _ there: String,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> (missing: String, count: Int64) {
    let inverse = result.model.inverse(of: relationship)?.property.relationship
    let names = [relationship.name, inverse?.name]
    let ends =
      (relationship.isToMany ? [] : ["owner"]) + (inverse?.isToMany == false ? ["other"] : [])
    let literals = names.compactMap(\.self).map { SQL.literal(.text($0)) }.joined(separator: ", ")
    let taken = try connection.count(
      "SELECT COALESCE(SUM(count), 0) FROM scratch.taken WHERE relationship IN (\(literals))"
    )
    guard !ends.isEmpty, taken > 0 else { return (missing, count) }
    let isFree = ends.map { "\($0) NOT IN (SELECT \($0) FROM (\(there)))" }
    let rest = "SELECT owner, other FROM (\(missing)) WHERE \(isFree.joined(separator: " AND "))"
    let restCount = try connection.count("SELECT COUNT(*) FROM (\(rest))")
    return count - restCount <= taken ? (rest, restCount) : (missing, count)
  }

  /// Returns the links of a one-to-one that no other of its links contests.
  ///
  /// Each side has a key of its own. Where two links between kept objects disagree, one of them is
  /// dropped: a run counts these and goes on only if the user accepts changed links.
  private func undisputed(_ links: String) -> String {
    func alone(_ end: String) -> String {
      "\(end) NOT IN (SELECT \(end) FROM (\(links)) GROUP BY \(end) HAVING COUNT(*) > 1)"
    }
    return "SELECT * FROM (\(links)) WHERE \(alone("owner")) AND \(alone("other"))"
  }

  /// Returns the reason not to compare a relationship's links; nil where there is none.
  func reasonToLeaveOut(_ name: String, _ entity: ResolvedEntityMapping) -> String? {
    let (old, new) = (entity.source, entity.destination)
    guard result.storage(of: name, in: new) != nil else { return nil }
    guard let carried = carried(name, entity),
      source.storage(of: carried.relationship, in: old) != nil,
      hasSameShape(carried.relationship, of: old, name, of: new)
    else { return "is not carried as it is by \(entity.mapping.name)" }
    let inverse = result.model.property(name, of: new)?.property.relationship
      .flatMap { result.model.inverse(of: $0)?.property.relationship }
    if let inverse, !inverse.isToMany {
      let made = mapping.mappings(fromSource: old).count { other in
        other.destinationEntityName.map {
          result.model.isKind($0, of: inverse.destinationEntityName)
        } ?? false
      }
      if made > 1 { return "leads to objects that keep one link, from one that becomes several" }
    }
    guard entity.mapping.isOneToOne, makers(carried).allSatisfy(\.element.isOneToOne) else {
      return "leads from or to objects that are no pairs with rows"
    }
    return nil
  }

  private func links(
    _ relationship: String,
    of entity: String,
    in database: String,
    _ schema: PhysicalSchema
  ) -> String? {
    LinkQuery(of: relationship, in: entity, schema, database: database, scansTables: true)?.sql
  }

  /// Returns the entity mappings that make the objects to which a carried relationship leads.
  private func makers(_ carried: Carried) -> [(offset: Int, element: EntityMapping)] {
    DestinationInstancesRequest.makers(
      in: mapping,
      named: carried.mapping,
      of: carried.origin,
      in: source.model,
      for: carried.destination,
      in: result.model
    )
  }

  /// The source relationship that is carried, and whose objects its links lead to.
  private struct Carried {
    var relationship: String
    /// The entity mapping; nil for all that make objects of the destination.
    var mapping: String?
    /// The entity to which it led.
    var origin: String
    /// The entity to which it leads.
    var destination: String
  }

  /// Returns the carried relationship of a relationship mapping, if the mapping only carries it.
  private func carried(_ name: String, _ entity: ResolvedEntityMapping) -> Carried? {
    guard let request = entity.requests[name], let relationship = request.relationship,
      let before = source.model.property(relationship, of: entity.source)?.property.relationship,
      let after = result.model.property(name, of: entity.destination)?.property.relationship
    else { return nil }
    return Carried(
      relationship: relationship,
      mapping: request.mapping,
      origin: before.destinationEntityName,
      destination: after.destinationEntityName
    )
  }

  /// Returns whether a relationship has as many objects at either end as before.
  private func hasSameShape(
    _ name: String,
    of entity: String,
    _ newName: String,
    of newEntity: String
  ) -> Bool {
    guard let old = source.model.property(name, of: entity)?.property.relationship,
      let new = result.model.property(newName, of: newEntity)?.property.relationship
    else { return false }
    return RelationshipCardinality(new, in: result.model).hasCounts(
      of: RelationshipCardinality(old, in: source.model)
    )
  }
}
