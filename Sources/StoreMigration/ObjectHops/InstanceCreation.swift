import StoreAccess

/// The creation of one entity mapping's objects by SQL, batch by batch in the order of the source's keys.
struct InstanceCreation {
  let creation: ObjectHopProgram.Creation
  /// The greatest number of source rows of a batch.
  let batchSize: Int

  private var source: String { "old.\(SQL.identifier(creation.source.name))" }
  private var destination: String { "main.\(SQL.identifier(creation.destination.name))" }

  /// The name of the index by which objects are found that have certain values.
  private var indexName: String { "waystone_deduplication_\(creation.mapping)" }

  /// Makes the objects of the rows behind a key.
  ///
  /// - Returns: The key of the batch's last row; nil where none is left.
  func run(
    after last: Int64,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    guard let end = try end(after: last, on: connection) else {
      if !creation.deduplication.isEmpty {
        try connection.execute("DROP INDEX IF EXISTS main.\(SQL.identifier(indexName))")
      }
      return nil
    }
    let rows =
      "\(source) s NOT INDEXED WHERE s.Z_PK > \(SQL.literal(.integer(last))) AND s.Z_PK <= \(end) "
      + "AND s.Z_ENT = \(creation.sourceNumber)"
      + (creation.filter.map { " AND (\($0))" } ?? "")
    let table = creation.destination.name
    let greatest = try ScratchDatabase.greatestKey(in: table, on: connection)
    if creation.deduplication.isEmpty {
      try makeEach(rows, last: last, end: end, greatest, on: connection)
    } else {
      try findOrMake(rows, greatest, on: connection)
    }
    guard creation.keys != .kept else { return end }
    let issued = try connection.integer(
      "SELECT MAX(+destination_key) FROM scratch.association WHERE mapping = \(creation.mapping) "
        + "AND source_key > \(SQL.literal(.integer(last))) AND source_key <= \(end)"
    )
    if let issued, issued > greatest {
      try ScratchDatabase.write(greatestKey: issued, in: table, on: connection)
    }
    return end
  }

  /// Returns the key of the last row of the batch behind a key.
  private func end(
    after last: Int64,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    try connection.integer(
      "SELECT MAX(id) FROM (SELECT s.Z_PK AS id FROM \(source) s NOT INDEXED "
        + "WHERE s.Z_PK > \(SQL.literal(.integer(last))) ORDER BY s.Z_PK LIMIT \(batchSize))"
    )
  }

  /// Makes one object of each row.
  private func makeEach(
    _ rows: String,
    last: Int64,
    end: Int64,
    _ greatest: Int64,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let mapping = creation.mapping
    try connection.execute(
      "INSERT INTO scratch.association SELECT \(mapping), \(creation.sourceNumber), id, "
        + "\(creation.destinationNumber), \(key(greatest)) FROM (SELECT s.Z_PK AS id FROM \(rows)) s "
        + "ORDER BY id"
    )
    let columns = creation.values.map { SQL.identifier($0.column) }
    let save =
      creation.keys == .issued ? "1" : "CASE a.destination_key WHEN s.Z_PK THEN s.Z_OPT ELSE 1 END"
    let values =
      ["a.destination_key", "\(creation.destinationNumber)", save]
      + creation.values.map(\.sql)
    try connection.execute(
      "INSERT INTO \(destination) (\((["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", "))) "
        + "SELECT \(values.joined(separator: ", ")) FROM scratch.association a "
        + "CROSS JOIN \(source) s ON s.Z_PK = a.source_key WHERE a.mapping = \(mapping) "
        + "AND a.source_key > \(SQL.literal(.integer(last))) AND a.source_key <= \(end) ORDER BY a.source_key"
    )
  }

  /// Returns the key of the object made of the row with the key `id`.
  private func key(_ greatest: Int64) -> String {
    switch creation.keys {
    case .kept: return "id"
    case .issued: return "\(greatest) + ROW_NUMBER() OVER (ORDER BY id)"
    case .keptUnlessTaken:
      let isTaken = "EXISTS (SELECT 1 FROM \(destination) d WHERE d.Z_PK = id)"
      return "CASE WHEN \(isTaken) THEN \(greatest) + SUM(\(isTaken)) OVER (ORDER BY id) "
        + "ELSE id END"
    }
  }

  /// Makes one object of the first of several rows with equal values, unless there is one already.
  private func findOrMake(
    _ rows: String,
    _ greatest: Int64,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let keys = creation.deduplication.map { SQL.identifier($0) }
    try connection.execute(
      "CREATE INDEX IF NOT EXISTS main.\(SQL.identifier(indexName)) "
        + "ON \(SQL.identifier(creation.destination.name)) (\(keys.joined(separator: ", ")), Z_ENT)"
    )
    let columns = creation.values.map { SQL.identifier($0.column) }
    let list = creation.values.map { "\($0.sql) AS \(SQL.identifier($0.column))" }
    // In an empty copy of the table the values get the form that their columns give them.
    try connection.execute("DROP TABLE IF EXISTS temp.waystone_batch")
    try connection.execute(
      "CREATE TEMP TABLE waystone_batch AS SELECT * FROM \(destination) LIMIT 0"
    )
    try connection.execute(
      "INSERT INTO temp.waystone_batch (\((["Z_PK", "Z_OPT"] + columns).joined(separator: ", "))) "
        + "SELECT \((["s.Z_PK", "s.Z_OPT"] + list).joined(separator: ", ")) FROM \(rows)"
    )
    let equal = keys.map { "d.\($0) IS b.\($0)" }.joined(separator: " AND ")
    let present = "FROM \(destination) d WHERE d.Z_ENT = \(creation.destinationNumber) AND \(equal)"
    try connection.execute(
      "INSERT INTO \(destination) (\((["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", "))) "
        + "SELECT \(key(greatest)), \(creation.destinationNumber), "
        + "\((["1"] + columns).joined(separator: ", ")) FROM (SELECT MIN(Z_PK) AS id"
        + columns.map { ", \($0)" }.joined() + " FROM temp.waystone_batch b "
        + "WHERE NOT EXISTS (SELECT 1 \(present)) GROUP BY \(keys.joined(separator: ", "))) "
        + "ORDER BY id"
    )
    try connection.execute(
      "INSERT INTO scratch.association SELECT \(creation.mapping), \(creation.sourceNumber), b.Z_PK, "
        + "\(creation.destinationNumber), (SELECT MIN(d.Z_PK) \(present)) FROM temp.waystone_batch b "
        + "ORDER BY b.Z_PK"
    )
    try connection.execute("DROP TABLE temp.waystone_batch")
  }
}
