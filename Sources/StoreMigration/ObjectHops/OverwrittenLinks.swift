import StoreAccess

/// The links that expressions of a hop set and others removed, since one end holds one link only.
///
/// They are counted in the scratch database by the batches that write links, and so are known also
/// where the hop was interrupted. Links that a named policy writes are not counted.
struct OverwrittenLinks {
  /// The relationship of an entity mapping, and how many of its links, or of those that were there
  /// before, are gone.
  struct Line: Hashable, Sendable {
    let mapping: Int
    let relationship: String
    let count: Int64
  }

  /// Makes the table.
  static func create(on connection: borrowing SQLiteConnection) throws(SQLiteError) {
    try connection.execute(
      "CREATE TABLE scratch.taken (mapping INTEGER, relationship TEXT, count INTEGER, "
        + "PRIMARY KEY (mapping, relationship)) WITHOUT ROWID"
    )
  }

  /// Counts some more.
  static func add(
    _ count: Int64,
    mapping: Int,
    _ relationship: String,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    guard count > 0 else { return }
    try connection.execute(
      "INSERT INTO scratch.taken VALUES (?, ?, ?) "
        + "ON CONFLICT DO UPDATE SET count = count + excluded.count",
      [.integer(Int64(mapping)), .text(relationship), .integer(count)]
    )
  }

  /// Returns all counts.
  static func all(on connection: borrowing SQLiteConnection) throws(SQLiteError) -> [Line] {
    try connection.rows("SELECT mapping, relationship, count FROM scratch.taken").map { row in
      Line(
        mapping: Int(clamping: row[0].integer ?? 0),
        relationship: row[1].text ?? "",
        count: row[2].integer ?? 0
      )
    }
  }
}
