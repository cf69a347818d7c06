import StoreAccess

/// The creation of one relationship of an entity mapping's objects by SQL, batch by batch.
///
/// Where the links of one batch can want the same place as those of another, all are collected in
/// the scratch database first.
struct RelationshipCreation {
  let connection: ObjectHopProgram.Connection
  /// The number under which links are collected.
  let number: Int
  /// The greatest number of owners of a batch.
  let batchSize: Int

  /// Collects or writes the links of the owners behind a key of the source.
  ///
  /// - Returns: The key of the batch's last owner; nil where none is left.
  func run(
    after last: Int64,
    isWhole: Bool,
    on database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    let rows =
      "FROM scratch.association WHERE mapping = \(connection.mapping) AND source_key > \(Self.literal(last))"
    let batch = isWhole ? rows : "\(rows) ORDER BY source_key LIMIT \(batchSize)"
    let end = try database.integer(
      "SELECT MAX(source_key) FROM (SELECT source_key \(batch))"
    )
    guard let end else { return nil }
    let query = Self.query(
      connection,
      owners: "WHERE owner > \(Self.literal(last)) AND owner <= \(end)"
    )
    guard connection.isDirect else {
      try database.execute(
        "INSERT INTO scratch.link (step, \(LinkWriter.columns)) SELECT \(number), * FROM (\(query))"
      )
      return end
    }
    try write(query, isCounted: connection.isContested, on: database)
    return end
  }

  /// Writes the links that were collected, of the owners behind a key, or where the others' rows
  /// hold them of the others.
  ///
  /// - Returns: The key of the batch's last owner or other; nil where none is left.
  func writeCollected(
    after last: Int64,
    on database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    let end = if case .toMany = connection.place { "other" } else { "owner" }
    let rows = "FROM scratch.link l WHERE l.step = \(number) AND l.\(end) > \(Self.literal(last))"
    let bound = try database.integer(
      "SELECT MAX(id) FROM (SELECT l.\(end) AS id \(rows) ORDER BY l.\(end) LIMIT \(batchSize))"
    )
    guard let bound else { return nil }
    let wanted = "SELECT \(LinkWriter.columns) \(rows) AND l.\(end) <= \(bound)"
    var query = wanted
    if case .oneToOne = connection.place {
      query += " AND \(isFirst(of: "owner", isFlipped: false))"
      query += " AND \(isFirst(of: "other", isFlipped: true))"
    }
    try write(query, isCounted: true, besides: query == wanted ? nil : wanted, on: database)
    return bound
  }

  private static func literal(_ key: Int64) -> String { SQL.literal(.integer(key)) }

  private func isFirst(of end: String, isFlipped: Bool) -> String {
    func key(_ row: String) -> String {
      let names = LinkWriter.order(isFlipped: isFlipped).split(separator: ", ")
      return "(COALESCE(\(row).\(names[0]), 0), \(row).\(names[1]), \(row).\(names[2]))"
    }
    return "NOT EXISTS (SELECT 1 FROM scratch.link e WHERE e.step = \(number) "
      + "AND e.\(end) = l.\(end) AND \(key("e")) < \(key("l")))"
  }

  /// Writes links.
  ///
  /// - Parameters:
  ///   - isCounted: Whether those are counted that have no place then.
  ///   - all: The query for all that want a place, where some of them are left out before.
  private func write(
    _ query: String,
    isCounted: Bool,
    besides all: String? = nil,
    on database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let writer = LinkWriter(place: connection.place)
    if !isCounted, let sql = writer.insertion(of: query) { return try database.execute(sql) }
    try database.execute("DELETE FROM \(LinkWriter.table)")
    try database.execute("INSERT INTO \(LinkWriter.table) (\(LinkWriter.columns)) \(query)")
    if isCounted {
      try writer.note(all ?? "SELECT \(LinkWriter.columns) FROM \(LinkWriter.table)", on: database)
    }
    try writer.write(on: database)
    guard isCounted else { return }
    try OverwrittenLinks.add(
      writer.countTaken(on: database),
      mapping: connection.mapping,
      connection.relationship,
      on: database
    )
  }

  /// Returns the query for the links of the objects that were made of some source rows.
  ///
  /// The links come first: where two tables have them, as both sides of a one-to-one do, SQLite would
  /// scan all of them for each object (measured: 17 times as long for 32,000 objects).
  ///
  /// - Parameter owners: The condition on the column `owner`, the key of a source row; none for all of them.
  static func query(_ connection: ObjectHopProgram.Connection, owners: String = "") -> String {
    let others = connection.others.map(String.init).joined(separator: ", ")
    let numbers = connection.otherNumbers.map(String.init).joined(separator: ", ")
    return
      """
      SELECT ao.destination_key, ao.destination_entity, ax.destination_key, ax.destination_entity,
        l.owner_order, l.other_order, ao.source_key, ax.source_key
      FROM (
        SELECT * FROM (\(connection.links)) \(owners)
      ) l
      CROSS JOIN scratch.association ao
        ON ao.mapping = \(connection.mapping) AND ao.source_key = +l.owner
      CROSS JOIN scratch.association ax
        ON ax.mapping IN (\(others)) AND ax.source_key = +l.other
        AND ax.destination_entity IN (\(numbers))
      """
  }
}
