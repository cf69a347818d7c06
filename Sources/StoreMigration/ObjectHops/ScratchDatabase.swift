import StoreAccess

/// The tables of an object hop's scratch database: its position, the source of each object that it made,
/// and the keys that it issued.
struct ScratchDatabase {
  /// A position in the steps of a hop.
  struct Position: Hashable, Sendable {
    /// The index of the running step.
    var step: Int
    /// The last key that the step is done with; `Int64.min` where it has not begun.
    var lastKey: Int64

    /// Returns the beginning of a step.
    static func beginning(of step: Int) -> Position { Position(step: step, lastKey: .min) }
  }

  /// The version of the form of these tables: a hop that was begun with another begins anew.
  private static let version = 3

  /// Makes the tables and records the hop that owns them.
  ///
  /// - Parameters:
  ///   - owner: A text that is the same for the same hop of the same run only.
  ///   - greatestKeys: The greatest key that may not be issued, by the destination table's name.
  static func create(
    on connection: borrowing SQLiteConnection,
    owner: String,
    greatestKeys: [String: Int64]
  ) throws(SQLiteError) {
    try connection.execute("CREATE TABLE scratch.link (step INTEGER, \(LinkWriter.columns))")
    try connection.execute(
      script: """
        CREATE TABLE scratch.hop (
          owner TEXT, version INTEGER, token INTEGER, step INTEGER, last_key INTEGER
        );
        CREATE TABLE scratch.issued (table_name TEXT PRIMARY KEY, greatest INTEGER) WITHOUT ROWID;
        CREATE INDEX scratch.link_owner ON link (step, owner, owner_order, source_other, other);
        CREATE INDEX scratch.link_other ON link (step, other, other_order, source_owner, owner)
        """
    )
    try OverwrittenLinks.create(on: connection)
    try MissedLookups.create(in: "scratch", on: connection)
    let token = Int32.random(in: 1 ... .max)
    try connection.execute(
      "INSERT INTO scratch.hop VALUES (?, ?, ?, 0, ?)",
      [.text(owner), .integer(Int64(version)), .integer(Int64(token)), .integer(.min)]
    )
    try connection.setApplicationID(token)
    for (table, greatest) in greatestKeys.sorted(by: { $0.key < $1.key }) {
      try connection.execute(
        "INSERT INTO scratch.issued VALUES (?, ?)",
        [.text(table), .integer(greatest)]
      )
    }
  }

  /// Returns whether the scratch database is of the hop of a run, and the file beside it is its own.
  ///
  /// - Parameter mark: The number that marks the finished file.
  static func belongs(
    to owner: String,
    mark: Int64,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Bool {
    let tables = try connection.integer(
      "SELECT COUNT(*) FROM scratch.sqlite_schema WHERE name IN ('hop', 'issued', 'association', "
        + "'link', 'taken')"
    )
    guard tables == 5 else { return false }
    let rows = try connection.rows("SELECT owner, version, token FROM scratch.hop")
    let application = try connection.integer("PRAGMA main.application_id")
    guard rows.count == 1, rows[0][0].text == owner, rows[0][1].integer == Int64(version) else {
      return false
    }
    return rows[0][2].integer == application || application == mark
  }

  /// Returns the position of the hop.
  static func position(
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Position {
    let row = try connection.rows("SELECT step, last_key FROM scratch.hop").first
    return Position(
      step: Int(clamping: row?[0].integer ?? 0),
      lastKey: row?[1].integer ?? .min
    )
  }

  /// Writes where the hop is, in the transaction of the batch that brings it there.
  static func write(
    _ position: Position,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    try connection.execute(
      "UPDATE scratch.hop SET step = ?, last_key = ?",
      [.integer(Int64(position.step)), .integer(position.lastKey)]
    )
  }

  /// Returns the greatest key issued in a destination table.
  static func greatestKey(
    in table: String,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64 {
    try connection.integer(
      "SELECT greatest FROM scratch.issued WHERE table_name = ?",
      [.text(table)]
    ) ?? 0
  }

  /// Writes the greatest key issued in a destination table.
  static func write(
    greatestKey key: Int64,
    in table: String,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    try connection.execute(
      "UPDATE scratch.issued SET greatest = ? WHERE table_name = ?",
      [.integer(key), .text(table)]
    )
  }
}
