import MigrationTestSupport
import StoreAccess
import Testing

/// Columns that get another declared type where they stand.
@Suite struct RetypedColumnTests {
  private func with(
    _ schema: String,
    _ body: (borrowing SQLiteConnection) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      try AppDatabase.run(folder + "/t.sqlite", schema)
      try body(SQLiteConnection(path: folder + "/t.sqlite", access: .readWrite))
    }
  }

  private func sql(_ connection: borrowing SQLiteConnection) throws -> String? {
    try connection.text("SELECT sql FROM sqlite_schema WHERE name = 'ZT'")
  }

  @Test(arguments: [
    (
      "CREATE TABLE ZT ( Z_PK INTEGER PRIMARY KEY, ZA INTEGER, ZB VARCHAR )",
      "CREATE TABLE ZT ( Z_PK INTEGER PRIMARY KEY, ZA FLOAT, ZB VARCHAR )"
    ),
    (
      "CREATE TABLE \"ZT\"(Z_PK INTEGER PRIMARY KEY, \"ZA\"  integer , ZB VARCHAR(3, 4))",
      "CREATE TABLE \"ZT\"(Z_PK INTEGER PRIMARY KEY, \"ZA\"  FLOAT , ZB VARCHAR(3, 4))"
    ),
    (
      "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZB DEFAULT (1), \"Z,A\" INTEGER, za INTEGER)",
      "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZB DEFAULT (1), \"Z,A\" INTEGER, za FLOAT)"
    ),
  ])
  func `the type is replaced, and nothing else`(_ before: String, _ after: String) throws {
    try with(before + "; INSERT INTO ZT (Z_PK, ZA) VALUES (1, 5), (2, 7)") { connection in
      let canRetype = try connection.canRetype([("ZA", "INTEGER")], of: "ZT")
      #expect(canRetype)
      let name = try connection.text(
        "SELECT name FROM pragma_table_xinfo('ZT') WHERE name LIKE 'za'"
      )
      try connection.transaction(.immediate) {
        try connection.retype([(try #require(name), "FLOAT")], of: "ZT")
      }
      let made = try sql(connection)
      #expect(made == after)
      let values = try connection.rows("SELECT ZA FROM ZT ORDER BY 1")
      #expect(values == [[.real(5)], [.real(7)]])
      let faults = try connection.rows("PRAGMA integrity_check").compactMap { $0[0].text }
      #expect(faults == ["ok"])
    }
  }

  @Test(arguments: [
    "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZA INTEGER NOT NULL)",
    "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZA INTEGER DEFAULT 3)",
    "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZA VARCHAR)",
    "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZA)",
    "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, [ZA] INTEGER)",
    "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, `ZA` INTEGER)",
    "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZA INTEGER /* , ZA INTEGER */)",
    "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZA INTEGER -- ,\n)",
    "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZA INTEGER) WITHOUT ROWID",
    "CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZB INTEGER)",
    "CREATE VIEW ZT AS SELECT 1 AS ZA",
  ])
  func `a statement that says more, or otherwise, is left alone`(_ statement: String) throws {
    try with(statement) { connection in
      let canRetype = try connection.canRetype([("ZA", "INTEGER")], of: "ZT")
      #expect(!canRetype)
      if !statement.contains("ZA VARCHAR") {
        #expect(throws: SQLiteError.self) { try connection.retype([("ZA", "FLOAT")], of: "ZT") }
      }
      let made = try sql(connection)
      #expect(made == statement)
    }
  }
}
