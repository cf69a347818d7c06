import ObjectModel
import StoreAccess

/// The links of one source relationship as a query, however the store keeps them.
///
/// The query gives `owner`, `other`, `owner_order` (the place of `other` in the owner's list) and
/// `other_order` (the place of `owner` in the other's list); an order that the store does not keep
/// is NULL.
struct RelationshipLinks {
  let schema: PhysicalSchema
  /// The name under which the database is attached.
  var database = "old"
  /// Whether the tables themselves are read, and none of their indexes: for a query that is run once
  /// over all links, and not for one that looks for those of some owners.
  var scansTables = false

  /// The links of a relationship, seen from the entity that has it.
  func query(of relationship: String, in entity: String) -> String? {
    guard let storage = schema.storage(of: relationship, in: entity),
      let declared = schema.model.property(relationship, of: entity),
      let description = declared.property.relationship
    else { return nil }
    let owners = rowCondition("s", in: declared.entityName)
    let named = { (column: String?) in column.map { "s.\(SQL.identifier($0))" } ?? "NULL" }
    switch storage {
    case .key(let table, let key, _, let order):
      let own =
        "SELECT s.Z_PK AS owner, \(named(key)) AS other, NULL AS owner_order, "
        + "\(named(order)) AS other_order FROM \(place(table)) "
        + "WHERE \(named(key)) IS NOT NULL\(owners.map { " AND \($0)" } ?? "")"
      guard let inverse = schema.model.inverse(of: description),
        inverse.property.relationship?.isToMany == false,
        case .key(let otherTable, let otherKey, _, _)? = schema.storage(
          of: inverse.property.name,
          in: inverse.entityName
        )
      else { return own }
      // Both sides of a one-to-one hold the key, and real stores disagree now and then.
      return own + " UNION SELECT \(named(otherKey)), s.Z_PK, NULL, NULL FROM "
        + "\(place(otherTable)) WHERE \(named(otherKey)) IS NOT NULL"
    case .inverseKey(let table, let key, let order), .ownerKey(let table, let key, let order):
      return "SELECT \(named(key)) AS owner, s.Z_PK AS other, "
        + "\(named(order)) AS owner_order, NULL AS other_order "
        + "FROM \(place(table)) WHERE \(named(key)) IS NOT NULL"
    case .join(let join, let own, let other, let order):
      let otherOrder = inverseOrder(of: description)
      let links =
        "SELECT \(named(own)) AS owner, \(named(other)) AS other, "
        + "\(named(order)) AS owner_order, "
        + "\(named(otherOrder)) AS other_order "
        + "FROM \(place(join.name))"
      guard join.isReflexive else { return links }
      // A relationship that is its own inverse is kept in one direction or in both.
      return links + " UNION SELECT \(named(other)), \(named(own)), NULL, NULL "
        + "FROM \(place(join.name))"
    }
  }

  private func place(_ table: String) -> String {
    scansTables ? SQL.scan(database, table, as: "s") : SQL.identifier(database, table) + " s"
  }

  /// The column that orders the owners of one destination, where the inverse is ordered.
  private func inverseOrder(of relationship: RelationshipDescription) -> String? {
    guard let inverse = schema.model.inverse(of: relationship),
      case .join(_, _, _, let order)? = schema.storage(
        of: inverse.property.name,
        in: inverse.entityName
      )
    else { return nil }
    return order
  }

  /// The condition that a row belongs to an entity or its descendants; nil where all rows do.
  private func rowCondition(_ row: String, in entity: String) -> String? {
    guard schema.model[entity]?.superentityName != nil else { return nil }
    let numbers = schema.model.hierarchyNames(below: entity).compactMap {
      schema.entityNumber($0).map(String.init)
    }
    return "\(row).Z_ENT IN (\(numbers.joined(separator: ", ")))"
  }
}
