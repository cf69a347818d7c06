import MigrationPlanning
import ObjectModel
import StoreAccess

extension TableHopCompiler {
  /// Compiles the program that fills a join table.
  func compile(_ join: JoinTable) -> TableHopProgram.Join {
    TableHopProgram.Join(destination: join, content: content(of: join))
  }

  private func content(of join: JoinTable) -> TableHopProgram.JoinContent {
    let master = join.master
    guard
      case .join(_, let own, let other, let order)? = destination.storage(
        of: master.propertyName,
        in: master.entityName
      )
    else { return .empty }
    let inverse = join.other.flatMap { destination.storage(of: $0.propertyName, in: $0.entityName) }
    var inverseOrder: String?
    if case .join(_, _, _, let column)? = inverse, !join.isReflexive { inverseOrder = column }
    guard let origin = origin(of: join) else { return .empty }

    let conditions = keptConditions(of: join, origin)
    if conditions.isEmpty,
      let columns = columns(
        origin,
        own: own,
        other: other,
        order: order,
        inverseOrder: inverseOrder
      )
    {
      return columns
    }
    guard let links = linksQuery(origin) else { return .empty }
    var names = [own, other]
    var values = ["owner", "other"]
    if let order {
      names.append(order)
      values.append("COALESCE(owner_order, \(Self.place(partition: "owner", by: "other")))")
    }
    if let inverseOrder {
      names.append(inverseOrder)
      values.append("COALESCE(other_order, \(Self.place(partition: "other", by: "owner")))")
    }
    var query = "SELECT \(values.joined(separator: ", ")) FROM (\(links))"
    if !conditions.isEmpty { query += " WHERE \(conditions.joined(separator: " AND "))" }
    return .query(query, columns: names)
  }

  /// Returns the source relationship that either side of the pair carries, seen from the master.
  private func origin(of join: JoinTable) -> RelationshipSource? {
    func carried(_ side: PropertyReference) -> RelationshipSource? {
      destination.model.property(side.propertyName, of: side.entityName)
        .flatMap { mapping.linkOrigins(of: $0).first }
    }
    return carried(join.master) ?? join.other.flatMap(carried)?.flipped
  }

  /// Returns the columns of a source join table that hold the same as the destination's, if all do.
  private func columns(
    _ origin: RelationshipSource,
    own: String,
    other: String,
    order: String?,
    inverseOrder: String?
  ) -> TableHopProgram.JoinContent? {
    let (entity, relationship) = (origin.entity, origin.relationship)
    let isFlipped = origin.isFlipped
    guard
      case .join(let table, let oldOwn, let oldOther, let oldOrder)? = source.storage(
        of: relationship,
        in: entity
      )
    else { return nil }
    var oldInverseOrder: String?
    if let description = source.model.property(relationship, of: entity)?.property.relationship,
      let inverse = source.model.inverse(of: description), !table.isReflexive,
      case .join(_, _, _, let column)? = source.storage(
        of: inverse.property.name,
        in: inverse.entityName
      )
    {
      oldInverseOrder = column
    }
    var pairs = [
      (destination: own, source: isFlipped ? oldOther : oldOwn),
      (destination: other, source: isFlipped ? oldOwn : oldOther),
    ]
    for (new, old) in [
      (order, isFlipped ? oldInverseOrder : oldOrder),
      (inverseOrder, isFlipped ? oldOrder : oldInverseOrder),
    ] {
      guard let new else { continue }
      guard let old else { return nil }
      pairs.append((destination: new, source: old))
    }
    return .columns(from: table, pairs)
  }

  /// Returns the conditions that both ends of a link are carried to the relationship's entities; none
  /// where all are.
  private func keptConditions(of join: JoinTable, _ origin: RelationshipSource) -> [String] {
    let others = referents(of: origin)
    let owners = referents(of: origin.flipped)
    let target =
      destination.model.property(join.master.propertyName, of: join.master.entityName)?
      .property.relationship?.destinationEntityName ?? ""
    return [
      keptCondition("owner", owners, join.master.entityName),
      keptCondition("other", others, target),
    ].compactMap(\.self)
  }
}
