import StoreAccess

/// An assignment of places to members of ordered relationships that have none yet, behind those that
/// have.
///
/// Places are those that Core Data gives to a list that is set at once: 2048, 3072 and so on, in the
/// order of the members' keys.
struct OrderKeyAssignment {
  /// The column of keys by which members belong to one list, and that of their places.
  struct Place {
    let table: String
    let id: String
    let owner: String
    let member: String
    let order: String
  }

  let places: [Place]
  /// The lists that are merged into relationships; a place may recur in a merged one.
  var merged: MergedLists?

  init(_ schema: PhysicalSchema) {
    var places: [Place] = []
    for table in schema.tables {
      for column in table.columns {
        let owner: String?
        switch column.role {
        case .orderKey(let entity, let name):
          if case .key(_, let key, _, _)? = schema.storage(of: name, in: entity) {
            owner = key
          } else {
            owner = nil
          }
        case .oneSidedOrder(let entity, let name):
          if case .ownerKey(_, let key, _)? = schema.storage(of: name, in: entity) {
            owner = key
          } else {
            owner = nil
          }
        default: owner = nil
        }
        guard let owner else { continue }
        places.append(
          Place(table: table.name, id: "Z_PK", owner: owner, member: "Z_PK", order: column.name)
        )
      }
    }
    for join in schema.joinTables {
      for (order, owner, member) in [
        (join.destinationOrderColumn, join.ownerColumn, join.destinationColumn),
        (join.ownerOrderColumn, join.destinationColumn, join.ownerColumn),
      ] {
        guard let order else { continue }
        places.append(
          Place(
            table: join.name,
            id: "rowid",
            owner: owner.name,
            member: member.name,
            order: order.name
          )
        )
      }
    }
    self.places = places
  }

  /// Fills the places.
  ///
  /// - Complexity: O(*n*) in the rows of tables with places; O(*n* log *n*) where some are missing.
  func run(on connection: borrowing SQLiteConnection) throws(SQLiteError) {
    for place in places {
      let table = "main.\(SQL.identifier(place.table))"
      let (owner, order) = (SQL.identifier(place.owner), SQL.identifier(place.order))
      let missing = "\(owner) IS NOT NULL AND \(order) IS NULL"
      if let merged, merged.contains(place) {
        try merged.number(place, on: connection)
        try renumber(place, on: connection)
      }
      guard try connection.integer("SELECT 1 FROM \(table) WHERE \(missing) LIMIT 1") != nil else {
        continue
      }
      try connection.execute(
        """
        UPDATE \(table) AS t SET \(order) = b.place FROM (
          SELECT id, COALESCE(last, 1024) + 1024 * number AS place FROM (
            SELECT \(place.id) AS id, \(order) AS present,
              MAX(\(order)) OVER (PARTITION BY \(owner)) AS last,
              ROW_NUMBER() OVER (
                PARTITION BY \(owner), \(order) IS NULL ORDER BY \(SQL.identifier(place.member))
              ) AS number
            FROM \(table) WHERE \(owner) IS NOT NULL
          ) WHERE present IS NULL
        ) AS b WHERE t.\(place.id) = b.id
        """
      )
    }
  }

  /// Numbers the lists anew in which several members have one place, by their places and then by their
  /// keys.
  private func renumber(
    _ place: Place,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let table = "main.\(SQL.identifier(place.table))"
    let (owner, order) = (SQL.identifier(place.owner), SQL.identifier(place.order))
    let crowded =
      "SELECT \(owner) FROM \(table) WHERE \(owner) IS NOT NULL AND \(order) IS NOT NULL "
      + "GROUP BY \(owner), \(order) HAVING COUNT(*) > 1"
    guard try connection.integer("SELECT 1 FROM (\(crowded)) LIMIT 1") != nil else { return }
    try connection.execute(
      """
      UPDATE \(table) AS t SET \(order) = 1024 + 1024 * b.number FROM (
        SELECT \(place.id) AS id, ROW_NUMBER() OVER (
          PARTITION BY \(owner) ORDER BY \(order), \(SQL.identifier(place.member))
        ) AS number
        FROM \(table) WHERE \(order) IS NOT NULL AND \(owner) IN (\(crowded))
      ) AS b WHERE t.\(place.id) = b.id
      """
    )
  }
}
