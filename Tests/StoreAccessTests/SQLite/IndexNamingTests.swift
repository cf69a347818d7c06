import MigrationTestSupport
import StoreAccess
import Testing

/// Indexes that get other names, and keep their entries.
@Suite struct IndexNamingTests {
  private static let schema = """
    CREATE TABLE ZT (Z_PK INTEGER PRIMARY KEY, ZA INTEGER, ZB VARCHAR);
    CREATE TABLE ZU (Z_PK INTEGER PRIMARY KEY, ZA INTEGER);
    CREATE INDEX I ON ZT (ZA, ZB); CREATE INDEX J ON ZT (ZB COLLATE BINARY DESC);
    CREATE UNIQUE INDEX K ON ZT (ZA); CREATE INDEX L ON ZT (ZA) WHERE ZB > 1;
    CREATE INDEX M ON ZT (ZA + 1); CREATE INDEX N ON ZT (ZB COLLATE NOCASE);
    INSERT INTO ZT VALUES (1, 2, 'b'), (2, 1, 'a')
    """

  private func with(_ body: (borrowing SQLiteConnection) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try AppDatabase.run(folder + "/t.sqlite", Self.schema)
      try body(SQLiteConnection(path: folder + "/t.sqlite", access: .readWrite))
    }
  }

  private func roots(_ connection: borrowing SQLiteConnection) throws -> [String: Int64] {
    let rows = try connection.rows(
      "SELECT name, rootpage, sql FROM sqlite_schema WHERE type = 'index'"
    )
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0].text ?? "", $0[1].integer ?? 0) })
  }

  private func index(
    _ name: String,
    _ columns: String...,
    descending: Bool = false,
    isUnique: Bool = false
  ) -> SchemaIndex {
    SchemaIndex(
      name: name,
      tableName: "ZT",
      terms: columns.map { .init(columnName: $0, isAscending: descending ? false : nil) },
      isUnique: isUnique
    )
  }

  @Test func `names are exchanged, trees stay, and SQLite reads by the new names`() throws {
    try with { connection in
      let before = try roots(connection)
      try connection.transaction(.immediate) {
        try connection.rename([
          ("I", index("J", "ZA", "ZB")), ("J", index("I", "ZB", descending: true)),
        ])
      }
      let after = try roots(connection)
      #expect(after["J"] == before["I"] && after["I"] == before["J"])
      let sql = try connection.text("SELECT sql FROM sqlite_schema WHERE name = 'J'")
      #expect(sql == "CREATE INDEX J ON ZT (ZA, ZB)")
      let faults = try connection.rows("PRAGMA integrity_check").compactMap { $0[0].text }
      #expect(faults == ["ok"])
      let plan = try connection.rows(
        "EXPLAIN QUERY PLAN SELECT ZA FROM ZT INDEXED BY J WHERE ZA = 1 AND ZB = 'a'"
      )
      let isUsed = plan.contains { $0.last?.text?.contains("INDEX J") == true }
      #expect(isUsed)
    }
  }

  @Test(arguments: [
    ("I", ["ZA"], false, false), ("I", ["ZB", "ZA"], false, false),
    ("I", ["ZA", "ZB"], true, false), ("I", ["ZA", "ZB"], false, true),
    ("K", ["ZA"], false, false), ("L", ["ZA"], false, false), ("M", ["ZA"], false, false),
    ("N", ["ZB"], false, false), ("missing", ["ZA"], false, false),
  ])
  func `an index of other entries is refused`(
    _ name: String,
    _ columns: [String],
    _ descending: Bool,
    _ isUnique: Bool
  ) throws {
    try with { connection in
      let new = SchemaIndex(
        name: "NEW",
        tableName: "ZT",
        terms: columns.map { .init(columnName: $0, isAscending: descending ? false : nil) },
        isUnique: isUnique
      )
      let error = #expect(throws: SQLiteError.self) { try connection.rename([(name, new)]) }
      #expect(error?.code == .other)
      let names = try roots(connection)
      #expect(names["NEW"] == nil)
    }
  }

  @Test(arguments: ["K", "zu", "ZT"]) func `a name that something else has is refused`(
    _ name: String
  ) throws {
    try with { connection in
      #expect(throws: SQLiteError.self) {
        try connection.transaction(.immediate) {
          try connection.rename([("I", index(name, "ZA", "ZB"))])
        }
      }
      let count = try connection.integer("SELECT COUNT(*) FROM sqlite_schema WHERE name = 'I'")
      #expect(count == 1)
    }
  }

  @Test func `the schema cannot be written before or after`() throws {
    try with { connection in
      let statement = "UPDATE sqlite_schema SET name = 'X' WHERE name = 'K'"
      #expect(throws: SQLiteError.self) { try connection.execute(statement) }
      try connection.rename([("I", index("X", "ZA", "ZB"))])
      #expect(throws: SQLiteError.self) { try connection.execute(statement) }
      #expect(throws: SQLiteError.self) { try connection.execute("PRAGMA writable_schema = ON") }
      #expect(throws: SQLiteError.self) { try connection.rename([("X", index("ZU", "ZA", "ZB"))]) }
      #expect(throws: SQLiteError.self) { try connection.execute(statement) }
    }
  }
}
