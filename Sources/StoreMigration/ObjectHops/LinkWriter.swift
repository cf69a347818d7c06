import StoreAccess

/// A writer of one batch's links from a temporary table to the place that keeps them.
///
/// Both sides of a relationship are written at once. If several links want one place, the first
/// wins, in the order of the source's list; a later mapping's link replaces an earlier one's.
struct LinkWriter {
  /// The temporary table.
  static let table = "temp.waystone_links"

  /// The columns: keys and entity numbers of the destination, places in either list, and the keys of the
  /// source that decide which link is the first.
  static let columns =
    "owner, owner_entity, other, other_entity, owner_order, other_order, source_owner, source_other"

  let place: LinkPlace

  /// Makes the temporary table on a connection.
  static func prepare(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
    try connection.execute("CREATE TEMP TABLE IF NOT EXISTS waystone_links (\(columns))")
    try connection.execute("CREATE TEMP TABLE IF NOT EXISTS waystone_wanted (owner, other)")
  }

  /// Notes the links that want a place, and those that have it.
  func note(
    _ links: String,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    var queries = ["SELECT owner, other FROM wanted"]
    func held(_ key: LinkPlace.Key, isFlipped: Bool) -> String {
      let column = "t.\(SQL.identifier(key.key))"
      let ends = isFlipped ? "\(column), t.Z_PK" : "t.Z_PK, \(column)"
      return "SELECT \(ends) FROM main.\(SQL.identifier(key.table)) t WHERE \(column) IS NOT NULL "
        + "AND t.Z_PK IN (SELECT \(isFlipped ? "other" : "owner") FROM wanted)"
    }
    switch place {
    case .toOne(let key): queries.append(held(key, isFlipped: false))
    case .toMany(let key): queries.append(held(key, isFlipped: true))
    case .oneToOne(let key, let inverse):
      queries += [held(key, isFlipped: false), held(inverse, isFlipped: true)]
    case .join: queries = []
    }
    try connection.execute("DELETE FROM temp.waystone_wanted")
    guard !queries.isEmpty else { return }
    try connection.execute(
      "INSERT INTO temp.waystone_wanted WITH wanted (\(Self.columns)) AS (\(links)) "
        + queries.joined(separator: " UNION ")
    )
  }

  /// Returns the number of noted links that are not in the file.
  func countTaken(on connection: borrowing SQLiteConnection) throws(SQLiteError) -> Int64 {
    let (key, row, end): (LinkPlace.Key, String, String)
    switch place {
    case .toOne(let own), .oneToOne(let own, _): (key, row, end) = (own, "owner", "other")
    case .toMany(let own): (key, row, end) = (own, "other", "owner")
    case .join: return 0
    }
    return try connection.count(
      "SELECT COUNT(*) FROM temp.waystone_wanted w WHERE NOT EXISTS (SELECT 1 FROM "
        + "main.\(SQL.identifier(key.table)) t WHERE t.Z_PK = w.\(row) "
        + "AND t.\(SQL.identifier(key.key)) = w.\(end))"
    )
  }

  /// Writes the links of the temporary table.
  func write(on connection: borrowing SQLiteConnection) throws(SQLiteError) {
    switch place {
    case .toOne(let key): try connection.execute(Self.update(key, isFlipped: false))
    case .toMany(let key): try connection.execute(Self.update(key, isFlipped: true))
    case .oneToOne(let key, let inverse):
      try connection.execute(
        "DELETE FROM \(Self.table) WHERE rowid NOT IN (SELECT link FROM (SELECT rowid AS link, "
          + "ROW_NUMBER() OVER (PARTITION BY owner ORDER BY \(Self.order(isFlipped: false))) AS a, "
          + "ROW_NUMBER() OVER (PARTITION BY other ORDER BY \(Self.order(isFlipped: true))) AS b "
          + "FROM \(Self.table)) WHERE a = 1 AND b = 1)"
      )
      try connection.execute(Self.forget(key, inverse, isFlipped: false))
      try connection.execute(Self.forget(inverse, key, isFlipped: true))
      try connection.execute(Self.update(key, isFlipped: false))
      try connection.execute(Self.update(inverse, isFlipped: true))
    case .join(let table, let own, let other, let order, let inverseOrder):
      try connection.execute(Self.insert(table, own, other, order, inverseOrder))
    }
  }

  /// Returns the statement that writes links which a query gives, where it needs them but once.
  func insertion(of query: String) -> String? {
    guard case .join(let table, let own, let other, let order, let inverseOrder) = place else {
      return nil
    }
    return "WITH links (\(Self.columns)) AS (\(query)) "
      + Self.insert(table, own, other, order, inverseOrder, from: "links")
  }

  /// Returns the order in which links want a place.
  static func order(isFlipped: Bool) -> String {
    isFlipped ? "other_order, source_owner, owner" : "owner_order, source_other, other"
  }

  /// Returns the statement that sets a key in the rows of the owners, or flipped in those of the others.
  private static func update(_ key: LinkPlace.Key, isFlipped: Bool) -> String {
    let (row, end, number, place) =
      isFlipped
      ? ("other", "owner", "owner_entity", "owner_order")
      : ("owner", "other", "other_entity", "other_order")
    let column = SQL.identifier(key.key)
    var sets = ["\(column) = b.\(end)"]
    if let entity = key.entity { sets.append("\(SQL.identifier(entity)) = b.\(number)") }
    if let order = key.order.map({ SQL.identifier($0) }) {
      // A link that was set from its other side keeps the place that it got there.
      sets.append(
        "\(order) = CASE WHEN t.\(column) IS b.\(end) THEN COALESCE(b.\(place), t.\(order)) "
          + "ELSE b.\(place) END"
      )
    }
    return "UPDATE main.\(SQL.identifier(key.table)) AS t SET \(sets.joined(separator: ", ")) "
      + "FROM (SELECT \(row), \(end), \(number), \(place) FROM (SELECT *, ROW_NUMBER() OVER "
      + "(PARTITION BY \(row) ORDER BY \(order(isFlipped: isFlipped))) AS place FROM \(table)) "
      + "WHERE place = 1) AS b WHERE t.Z_PK = b.\(row)"
  }

  /// Returns the statement by which the former partners of the others forget them, before they get new
  /// ones.
  private static func forget(
    _ key: LinkPlace.Key,
    _ inverse: LinkPlace.Key,
    isFlipped: Bool
  ) -> String {
    let (row, end) = isFlipped ? ("other", "owner") : ("owner", "other")
    let back = "t.\(SQL.identifier(inverse.key))"
    let sets = [key.key, key.entity].compactMap { $0 }.map { "\(SQL.identifier($0)) = NULL" }
    return "UPDATE main.\(SQL.identifier(key.table)) SET \(sets.joined(separator: ", ")) "
      + "WHERE Z_PK IN (SELECT \(back) FROM \(table) b "
      + "CROSS JOIN main.\(SQL.identifier(inverse.table)) t ON t.Z_PK = b.\(end) "
      + "WHERE \(back) IS NOT NULL AND \(back) <> b.\(row))"
  }

  private static func insert(
    _ join: String,
    _ own: String,
    _ other: String,
    _ order: String?,
    _ inverseOrder: String?,
    from links: String = table
  ) -> String {
    let keys = [own, other].map { SQL.identifier($0) }
    var columns = keys
    var values = ["owner", "other"]
    var sets: [String] = []
    for (column, value) in [(order, "owner_order"), (inverseOrder, "other_order")] {
      guard let column = column.map({ SQL.identifier($0) }) else { continue }
      columns.append(column)
      values.append(value)
      // A member that is in a list several times keeps its first place.
      let (new, own) = ("excluded.\(column)", "\(column)")
      sets.append("\(column) = COALESCE(MIN(\(own), \(new)), \(own), \(new))")
    }
    let conflict =
      "ON CONFLICT (\(keys.joined(separator: ", "))) DO "
      + (sets.isEmpty ? "NOTHING" : "UPDATE SET \(sets.joined(separator: ", "))")
    return "INSERT INTO main.\(SQL.identifier(join)) (\(columns.joined(separator: ", "))) "
      + "SELECT \(values.joined(separator: ", ")) FROM \(links) WHERE true "
      + "ORDER BY source_owner, owner, \(Self.order(isFlipped: false)) \(conflict)"
  }
}
