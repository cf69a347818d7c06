import MigrationPlanning
import ObjectModel
import StoreAccess

extension TableHopCompiler {
  /// Returns the source column that already holds, in each row, the key of a to-one's destination.
  private func keyColumn(
    _ origin: RelationshipSource,
    row: ResolvedEntityMapping
  ) -> (key: String, entity: String?, order: String?)? {
    let table = source.table(of: row.source)?.name
    switch (source.storage(of: origin.relationship, in: origin.entity), origin.isFlipped) {
    case (.key(_, let key, let number, let order)?, false): return (key, number, order)
    case (.inverseKey(let place, let key, let order)?, true) where place == table,
      (.ownerKey(let place, let key, let order)?, true) where place == table:
      return (key, nil, order)
    default: return nil
    }
  }

  /// Returns the value of the key column of a to-one relationship.
  mutating func key(of relationship: String, row: ResolvedEntityMapping) -> ColumnValue? {
    guard let origin = mapping.links(of: relationship, in: row) else { return nil }
    let target = destinationEntity(of: relationship, in: row.destination)
    if becomesOneToOne(relationship, row: row, origin: origin) {
      // Both sides choose among the same links, those whose ends are both carried.
      let owners = destination.model.property(relationship, of: row.destination)?.entityName
      return lookup(keptLinks(origin, target, owners: owners).map(Self.oneToOne), "other")
    }
    guard let column = keyColumn(origin, row: row) else {
      return lookup(keptLinks(origin, target), "other")
    }
    let value = keptKey(column, origin, target)
    guard isCompletedByInverse(relationship, row: row, origin: origin),
      let claimed = lookup(keptLinks(origin, target), "other")
    else { return value }
    return .expression("COALESCE(\(value.sql), \(claimed.sql))")
  }

  /// Returns the entity that a destination relationship leads to.
  private func destinationEntity(of relationship: String, in entity: String) -> String {
    destination.model.property(relationship, of: entity)?.property.relationship?
      .destinationEntityName ?? ""
  }

  /// Returns the key in a column, unless it leads to a row that is not carried.
  private func keptKey(
    _ column: (key: String, entity: String?, order: String?),
    _ origin: RelationshipSource,
    _ target: String
  ) -> ColumnValue {
    keptColumn(column.key, beside: column.key, origin, target)
  }

  /// Returns a column that goes with a key, or the key itself, unless that leads to a row that is not
  /// carried.
  ///
  /// The row itself decides, not the entity number beside the key, which may be stale.
  private func keptColumn(
    _ column: String,
    beside key: String,
    _ origin: RelationshipSource,
    _ target: String
  ) -> ColumnValue {
    let condition = keptCondition("s.\(SQL.identifier(key))", referents(of: origin), target)
    return condition.map { .expression("CASE WHEN \($0) THEN s.\(SQL.identifier(column)) END") }
      ?? .column(column)
  }

  /// Returns the condition that a key leads to a row that is carried to a destination entity; nil where
  /// all are.
  ///
  /// - Parameters:
  ///   - sources: The concrete source entities to which the key may lead.
  func keptCondition(
    _ key: String,
    _ sources: [String],
    _ target: String
  ) -> String? {
    let kept = sources.filter { name in
      mapping.destination(of: name).map { destination.model.isKind($0, of: target) } ?? false
    }
    guard kept.count < sources.count, let table = source.table(of: sources[0])?.name else {
      return nil
    }
    let numbers = kept.compactMap { source.entityNumber($0).map(String.init) }
      .joined(separator: ", ")
    return "\(key) IN (SELECT Z_PK FROM \(SQL.scan("old", table)) WHERE Z_ENT IN (\(numbers)))"
  }

  /// Returns the links of an origin that lead to rows that are carried to a destination entity.
  ///
  /// - Parameter owners: The destination entity to which their owners must be carried, too; nil where
  ///   only links of such owners are looked up.
  private func keptLinks(
    _ origin: RelationshipSource,
    _ target: String,
    owners: String? = nil
  ) -> String? {
    linksQuery(origin).map { query in
      let conditions = [
        keptCondition("other", referents(of: origin), target),
        owners.flatMap { keptCondition("owner", referents(of: origin.flipped), $0) },
      ].compactMap(\.self)
      return conditions.isEmpty
        ? query : "SELECT * FROM (\(query)) WHERE \(conditions.joined(separator: " AND "))"
    }
  }

  /// Returns whether a to-one is all that is left of a one-to-one: its inverse is dropped or to-many.
  ///
  /// Both sides of a one-to-one hold a key, and real stores disagree now and then: links that only
  /// the other side holds would be lost with its column.
  private func isCompletedByInverse(
    _ relationship: String,
    row: ResolvedEntityMapping,
    origin: RelationshipSource
  ) -> Bool {
    guard !origin.isFlipped,
      let old = source.model.property(origin.relationship, of: origin.entity)?
        .property.relationship,
      let oldInverse = source.model.inverse(of: old),
      oldInverse.property.relationship?.isToMany == false,
      !source.model.isOwnInverse(old, declaredBy: oldInverse.entityName),
      let new = destination.model.property(relationship, of: row.destination)?
        .property.relationship
    else { return false }
    if let inverse = destination.model.inverse(of: new)?.property.relationship {
      return inverse.isToMany
    }
    return !mapping.entities.compactMap(\.self).contains { other in
      source.model.isKind(other.source, of: oldInverse.entityName)
        && other.relationships.values.contains {
          $0.unchanged.carriedProperty == oldInverse.property.name
        }
    }
  }

  /// Returns the value of the entity-number column that goes with a to-one's key.
  mutating func referencedEntity(of relationship: String, row: ResolvedEntityMapping)
    -> ColumnValue?
  {
    guard let origin = mapping.links(of: relationship, in: row),
      let key = key(of: relationship, row: row), key != .null
    else { return nil }
    let referents = referents(of: origin)
    let pairs = referents.compactMap { name -> (Int, Int)? in
      guard let new = mapping.destination(of: name), let number = source.entityNumber(name),
        let renumbered = destination.entityNumber(new)
      else { return nil }
      return (number, renumbered)
    }
    // Whether the key is another than the one beside the number.
    let isChosen =
      isCompletedByInverse(relationship, row: row, origin: origin)
      || becomesOneToOne(relationship, row: row, origin: origin)
    let target = destinationEntity(of: relationship, in: row.destination)
    let arrivesWhole = keptCondition("", referents, target) == nil
    if !isChosen, arrivesWhole, let column = keyColumn(origin, row: row),
      let entity = column.entity
    {
      let isSame = pairs.count == referents.count && pairs.allSatisfy { $0.0 == $0.1 }
      return isSame
        ? .column(entity)
        : .expression(Self.renumber("s.\(SQL.identifier(entity))", pairs))
    }
    if referents.count == 1, let number = pairs.first?.1 {
      return .expression("CASE WHEN (\(key.sql)) IS NOT NULL THEN \(number) END")
    }
    guard let table = referents.first.flatMap({ source.table(of: $0) })?.name else { return nil }
    return .expression(
      "(SELECT \(Self.renumber("t.Z_ENT", pairs)) FROM \(SQL.scan("old", table, as: "t")) "
        + "WHERE t.Z_PK = \(key.sql))"
    )
  }

  /// Returns the value of the column that keeps a row's place in the ordered list of a to-one's inverse.
  mutating func order(of relationship: String, row: ResolvedEntityMapping) -> ColumnValue? {
    guard let origin = mapping.links(of: relationship, in: row) else { return nil }
    guard let column = keyColumn(origin, row: row) else {
      let target = destinationEntity(of: relationship, in: row.destination)
      return lookup(keptLinks(origin, target), "other_order")
    }
    if let order = column.order {
      let target = destinationEntity(of: relationship, in: row.destination)
      return keptColumn(order, beside: column.key, origin, target)
    }
    guard let key = key(of: relationship, row: row), key != .null else { return nil }
    return Self.placed(key)
  }

  /// Returns the place of a row in the list of the owner that a key leads to, in the order of the keys.
  private static func placed(_ key: ColumnValue) -> ColumnValue {
    .expression(
      "CASE WHEN (\(key.sql)) IS NOT NULL THEN \(place(partition: key.sql, by: "s.Z_PK")) END"
    )
  }

  /// Returns the place that Core Data gives to the members of a list that is set at once.
  ///
  /// Measured on stores of public apps: 2048, 3072, 4096 and so on.
  static func place(partition: String, by order: String) -> String {
    "1024 + 1024 * ROW_NUMBER() OVER (PARTITION BY \(partition) ORDER BY \(order))"
  }

  /// Returns the value of a column that a to-many without inverse keeps in its destination's rows.
  mutating func oneSided(
    _ relationship: String,
    of entity: String,
    rows: [ResolvedEntityMapping],
    wantsOrder: Bool
  ) -> ColumnValue {
    guard let declared = destination.model.property(relationship, of: entity),
      let description = declared.property.relationship
    else { return .null }
    let origins = mapping.linkOrigins(of: declared)
    return fold(rows) { compiler, row in
      guard
        compiler.destination.model.isKind(row.destination, of: description.destinationEntityName),
        let origin = origins.first(where: { $0.leads(to: row.source, in: compiler.source.model) })?
          .flipped
      else { return nil }
      guard let column = compiler.keyColumn(origin, row: row) else {
        return compiler.lookup(
          compiler.keptLinks(origin, entity),
          wantsOrder ? "other_order" : "other"
        )
      }
      let key = compiler.keptKey(column, origin, entity)
      guard wantsOrder else { return key }
      return column.order.map { compiler.keptColumn($0, beside: column.key, origin, entity) }
        ?? Self.placed(key)
    }
  }

  /// Returns the concrete source entities that the links of an origin may lead to, from a row's view.
  func referents(of origin: RelationshipSource) -> [String] {
    let declared = source.model.property(origin.relationship, of: origin.entity)
    let target = declared?.property.relationship?.destinationEntityName
    guard let root = origin.isFlipped ? declared?.entityName : target else { return [] }
    return source.model.hierarchyNames(below: root).filter { source.model[$0]?.isAbstract != true }
  }

  // MARK: Links that no column holds

  /// Returns a column of a row's first link, looked up in a temporary table.
  private mutating func lookup(_ query: String?, _ column: String) -> ColumnValue? {
    guard let query else { return nil }
    let index = linkQueries.firstIndex(of: query) ?? linkQueries.count
    if index == linkQueries.count { linkQueries.append(query) }
    return .expression(
      "(SELECT l.\(column) FROM temp.\(Self.linksName(index)) l WHERE l.owner = s.Z_PK "
        + "ORDER BY l.owner_order, l.other LIMIT 1)"
    )
  }

  /// Returns whether a relationship that was not one-to-one becomes so.
  private func becomesOneToOne(
    _ relationship: String,
    row: ResolvedEntityMapping,
    origin: RelationshipSource
  ) -> Bool {
    guard
      let new = destination.model.property(relationship, of: row.destination)?
        .property.relationship,
      let old = source.model.property(origin.relationship, of: origin.entity)?
        .property.relationship
    else { return false }
    return RelationshipCardinality(new, in: destination.model).isOneToOne
      && !RelationshipCardinality(old, in: source.model).isOneToOne
  }

  /// Returns a query for links that are first at both ends, so that both ends agree.
  static func oneToOne(_ query: String) -> String {
    "SELECT owner, other, owner_order, other_order FROM (SELECT *, "
      + "ROW_NUMBER() OVER (PARTITION BY owner ORDER BY owner_order, other) AS own_place, "
      + "ROW_NUMBER() OVER (PARTITION BY other ORDER BY other_order, owner) AS other_place "
      + "FROM (\(query))) WHERE own_place = 1 AND other_place = 1"
  }

  /// Returns the links of an origin from a row's view, as a query over (owner, other, …).
  func linksQuery(_ origin: RelationshipSource) -> String? {
    let links = LinkQuery(
      of: origin.relationship,
      in: origin.entity,
      source,
      database: "old",
      scansTables: true
    )
    return origin.isFlipped ? links?.flippedSQL : links?.sql
  }
}
