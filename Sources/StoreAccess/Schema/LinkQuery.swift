package import ObjectModel

/// The links of one relationship as SQL, however a store keeps them.
///
/// It is the one answer to where links are: hops, their verification, accounts, validation and digests
/// read links through it. Tests compare the answer with stores of public apps, and with a count in
/// Python that reads the tables by itself.
package struct LinkQuery: Sendable {
  /// The schema of the store.
  package let schema: PhysicalSchema
  /// The entity that has the relationship, or one below it.
  package let entity: String
  /// The relationship's name.
  package let relationship: String
  /// `main`, or the name under which the database is attached.
  package let database: String
  /// The storage of the links.
  package let storage: RelationshipStorage
  /// The relationship.
  package let description: RelationshipDescription
  /// The entity that declares it.
  package let declaringEntity: String
  /// Whether the query reads the tables themselves, and none of their indexes: for all links at once,
  /// and not for those of some owners.
  private let scansTables: Bool

  /// The links of a relationship; nil where stores keep none.
  package init?(
    of relationship: String,
    in entity: String,
    _ schema: PhysicalSchema,
    database: String,
    scansTables: Bool
  ) {
    guard let storage = schema.storage(of: relationship, in: entity),
      let declared = schema.model.property(relationship, of: entity),
      let description = declared.property.relationship
    else { return nil }
    self.schema = schema
    self.entity = entity
    self.relationship = relationship
    self.database = database
    self.storage = storage
    self.description = description
    declaringEntity = declared.entityName
    self.scansTables = scansTables
  }

  /// The relationship and the entity that declares it.
  package var reference: PropertyReference {
    PropertyReference(entityName: declaringEntity, propertyName: relationship)
  }

  /// The table that has the links.
  package var table: String {
    switch storage {
    case .key(let table, _, _, _), .inverseKey(let table, _, _), .ownerKey(let table, _, _): table
    case .join(let join, _, _, _): join.name
    }
  }

  /// The columns of ``table`` without which there are no links.
  package var columns: [String] {
    switch storage {
    case .key(_, let key, _, _), .inverseKey(_, let key, _), .ownerKey(_, let key, _):
      ["Z_PK", key]
    case .join(_, let own, let other, _): [own, other]
    }
  }

  /// The column with the place of a destination among those of one owner, where the list has one.
  package var orderColumn: String? {
    switch storage {
    case .key: nil
    case .inverseKey(_, _, let order), .ownerKey(_, _, let order), .join(_, _, _, let order): order
    }
  }

  /// The query of (`owner`, `other`, `owner_order`, `other_order`).
  ///
  /// `owner_order` is the place of `other` in the owner's list, `other_order` that of `owner` in the
  /// other's; an order that is not kept is NULL.
  package var sql: String { sql(isFlipped: false) }

  /// The same seen from the other end: the destination is the `owner`.
  package var flippedSQL: String { sql(isFlipped: true) }

  /// The same of the links that the owners' side of a one-to-one holds; equal to ``sql`` for any other
  /// relationship.
  package var ownSQL: String { sql(isFlipped: false, ofBothSides: false) }

  private func sql(isFlipped: Bool, ofBothSides: Bool = true) -> String {
    func links(
      _ table: String,
      owner: String,
      other: String,
      ownerOrder: String? = nil,
      otherOrder: String? = nil,
      where condition: String? = nil
    ) -> String {
      func column(_ name: String?) -> String { name.map { "l.\(SQL.identifier($0))" } ?? "NULL" }
      let (first, second) = isFlipped ? (other, owner) : (owner, other)
      let (place, otherPlace) = isFlipped ? (otherOrder, ownerOrder) : (ownerOrder, otherOrder)
      let conditions =
        [owner, other].filter { $0 != "Z_PK" }.map { "\(column($0)) IS NOT NULL" }
        + [condition].compactMap(\.self)
      let source =
        scansTables
        ? SQL.scan(database, table, as: "l") : SQL.identifier(database, table) + " AS l"
      return "SELECT \(column(first)) AS owner, \(column(second)) AS other, "
        + "\(column(place)) AS owner_order, \(column(otherPlace)) AS other_order "
        + "FROM \(source) WHERE \(conditions.joined(separator: " AND "))"
    }
    switch storage {
    case .key(let table, let key, _, let order):
      let own = links(
        table,
        owner: "Z_PK",
        other: key,
        otherOrder: order,
        where: rows(of: declaringEntity)
      )
      // Both sides of a one-to-one hold a key, and real stores disagree now and then.
      guard ofBothSides, case .key(let table, let key, _, _)? = inverseStorage else { return own }
      return "\(own) UNION \(links(table, owner: key, other: "Z_PK"))"
    case .inverseKey(let table, let key, let order), .ownerKey(let table, let key, let order):
      return links(table, owner: key, other: "Z_PK", ownerOrder: order)
    case .join(let join, let own, let other, let order):
      var otherOrder: String?
      if case .join(_, _, _, let column)? = inverseStorage, !join.isReflexive {
        otherOrder = column
      }
      let forward = links(
        join.name,
        owner: own,
        other: other,
        ownerOrder: order,
        otherOrder: otherOrder
      )
      guard join.isReflexive else { return forward }
      // A relationship that is its own inverse is kept in one direction or in both.
      return "\(forward) UNION \(links(join.name, owner: other, other: own))"
    }
  }

  /// Returns whether a database has what the query reads.
  ///
  /// - Parameter present: The columns of each table.
  package func isKept(in present: [String: Set<String>]) -> Bool {
    present[table]?.isSuperset(of: columns) == true
  }

  private var inverseStorage: RelationshipStorage? {
    schema.model.inverse(of: description).flatMap {
      schema.storage(of: $0.property.name, in: $0.entityName)
    }
  }

  /// Returns the condition that a row `l` is of an entity or its descendants; nil where all rows are.
  private func rows(of entity: String) -> String? {
    guard schema.model[entity]?.superentityName != nil else { return nil }
    let numbers = schema.entityNumbers(below: entity).map(String.init)
    return "l.Z_ENT IN (\(numbers.joined(separator: ", ")))"
  }

  /// Returns the ordered to-many relationships of a schema.
  package static func ordered(
    in schema: PhysicalSchema,
    database: String
  ) -> [LinkQuery] {
    schema.model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> LinkQuery? in
        guard relationship.isPersistent, relationship.isToMany, relationship.isOrdered,
          let links = LinkQuery(
            of: relationship.name,
            in: entity.name,
            schema,
            database: database,
            scansTables: true
          ), links.orderColumn != nil
        else { return nil }
        return links
      }
    }
  }
}
