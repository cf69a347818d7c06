import StoreAccess

/// The counts of keys that expressions of a hop looked up and no object has, by property.
///
/// They are counted in the scratch database by the batches that look them up, and so are known also where the
/// hop was interrupted.
struct MissedLookups {
  /// A property of an entity mapping's objects, and how many of them found nothing for it.
  struct Line: Hashable, Sendable {
    let mapping: Int
    let property: String
    let count: Int64
  }

  /// Makes the table, where it is not there yet.
  static func create(
    in scratch: String,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(SQL.identifier(scratch, "missed")) (mapping INTEGER, "
        + "property TEXT, count INTEGER, PRIMARY KEY (mapping, property)) WITHOUT ROWID"
    )
  }

  /// Counts some more.
  static func add(
    _ line: Line,
    in scratch: String,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    try connection.execute(
      "INSERT INTO \(SQL.identifier(scratch, "missed")) VALUES (?, ?, ?) "
        + "ON CONFLICT DO UPDATE SET count = count + excluded.count",
      [.integer(Int64(line.mapping)), .text(line.property), .integer(line.count)]
    )
  }

  /// Returns all counts, in the order of the entity mappings.
  static func all(on connection: borrowing SQLiteConnection) throws(SQLiteError) -> [Line] {
    try connection.rows(
      "SELECT mapping, property, count FROM scratch.missed ORDER BY mapping, property"
    )
    .map { row in
      Line(
        mapping: Int(clamping: row[0].integer ?? 0),
        property: row[1].text ?? "",
        count: row[2].integer ?? 0
      )
    }
  }
}
