import ObjectModel
import StoreAccess

/// The links of one relationship as a set of pairs, however a database keeps them.
struct LinkSet {
  let database: String
  let schema: PhysicalSchema
  /// The entity that has the relationship, or one below it.
  let entity: String
  let relationship: String
  /// Whether the other side is to come first.
  let isFlipped: Bool

  /// The query of (owner, other, owner_order, other_order), an order that is not kept being NULL;
  /// nil where the store has no place for the relationship.
  func query() -> String? {
    guard let storage = schema.storage(of: relationship, in: entity),
      let declared = schema.model.property(relationship, of: entity),
      let description = declared.property.relationship
    else { return nil }
    let inverse = schema.model.inverse(of: description)
    let other = inverse.flatMap {
      schema.storage(of: $0.property.name, in: $0.entityName)
    }
    switch storage {
    case .key(let table, let key, _, let order):
      let own = select(table, owner: "Z_PK", other: key, otherOrder: order)
      // Both sides of a one-to-one hold a key, and real stores disagree now and then.
      guard case .key(let table, let key, _, _)? = other else { return own }
      return "\(own) UNION \(select(table, owner: key, other: "Z_PK"))"
    case .inverseKey(let table, let key, let order), .ownerKey(let table, let key, let order):
      return select(table, owner: key, other: "Z_PK", ownerOrder: order)
    case .join(let table, let own, let destination, let order):
      var otherOrder: String?
      if case .join(_, _, _, let column)? = other, !table.isReflexive { otherOrder = column }
      let links = select(
        table.name,
        owner: own,
        other: destination,
        ownerOrder: order,
        otherOrder: otherOrder
      )
      guard table.isReflexive else { return links }
      // A relationship that is its own inverse is kept in one direction or in both.
      return "\(links) UNION \(select(table.name, owner: destination, other: own))"
    }
  }

  private func select(
    _ table: String,
    owner: String,
    other: String,
    ownerOrder: String? = nil,
    otherOrder: String? = nil
  ) -> String {
    func column(_ name: String?) -> String { name.map { "l.\(SQL.identifier($0))" } ?? "NULL" }
    let (first, second) = isFlipped ? (other, owner) : (owner, other)
    let (place, otherPlace) = isFlipped ? (otherOrder, ownerOrder) : (ownerOrder, otherOrder)
    let keys = [owner, other].filter { $0 != "Z_PK" }.map { "\(column($0)) IS NOT NULL" }
    return "SELECT \(column(first)) AS owner, \(column(second)) AS other, "
      + "\(column(place)) AS owner_order, \(column(otherPlace)) AS other_order "
      + "FROM \(SQL.scan(database, table, as: "l")) WHERE \(keys.joined(separator: " AND "))"
  }
}
