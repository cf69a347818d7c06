import MigrationTestSupport
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Columns of numbers that get another type where they stand.
@Suite struct RetypedColumnStepTests {
  private static let first = "N { w: Int64; p: Boolean; r: Double?; q: Decimal? }"
  private static let second = "N { w: Double; p: Double; s: Decimal? was r; q: Double? }"

  private static let values = [
    "(1, 5, 1, 5.0, 5)", "(2, -7, 0, 0.5, 0.5)",
    "(3, 1125899906842624, 1, 1125899906842624.0, 7.0)",
    "(4, 0, 0, 1e300, NULL)", "(5, 9007199254740992, 1, NULL, 1e17)", "(6, 3, 0, -2.0, -3.25)",
  ]

  private static func fill(_ connection: AppDatabase) throws {
    try connection.execute("DELETE FROM ZN")
    for value in values {
      try connection.execute(
        "WITH v (k, w, p, r, q) AS (VALUES \(value)) INSERT INTO ZN (Z_PK, Z_ENT, Z_OPT, ZW, ZP, ZR, ZQ) "
          + "SELECT k, 1, 1, w, p, r, q FROM v"
      )
    }
  }

  /// The values that SQLite would hold had each been inserted.
  private static let inserted = values.map {
    "SELECT k, CAST(w AS REAL), CAST(p AS REAL), r, CAST(q AS REAL) "
      + "FROM (WITH v (k, w, p, r, q) AS (VALUES \($0)) SELECT * FROM v)"
  }
  .joined(separator: " UNION ALL ")

  /// A default makes a column one whose type stays, and a comment a table that is not altered.
  @Test(arguments: ["", "DEFAULT 1", "/* */"])
  func `all arrive, each as SQLite would have stored it`(_ more: String) throws {
    try SketchedStep.run(
      Self.first,
      Self.second,
      configure: {
        $0.settings.verification = .full
        $0.settings.acceptsChangedValues = true
      },
      prepare: { connection in
        try Self.fill(connection)
        guard !more.isEmpty else { return }
        try connection.execute("PRAGMA writable_schema = ON")
        try connection.execute(
          "UPDATE sqlite_schema SET sql = replace(sql, 'ZP INTEGER', 'ZP INTEGER \(more)') "
            + "WHERE name = 'ZN'"
        )
      },
      body: { step in
        #expect(step.wasInPlace == !more.hasPrefix("/"))
        let result = try PersistentStore(reading: step.after)
        let found = try result.connection.rows(
          "SELECT Z_PK, ZW, ZP, ZS, ZQ, typeof(ZW), typeof(ZP), typeof(ZS), typeof(ZQ) "
            + "FROM ZN ORDER BY 1"
        )
        let reference = try SQLiteConnection(path: "", access: .inMemory)
        try reference.execute(
          "CREATE TABLE N (K INTEGER PRIMARY KEY, W FLOAT, P FLOAT, S DECIMAL, Q FLOAT)"
        )
        try reference.execute("INSERT INTO N " + Self.inserted)
        let expected = try reference.rows(
          "SELECT K, W, P, S, Q, typeof(W), typeof(P), typeof(S), typeof(Q) FROM N ORDER BY 1"
        )
        #expect(found == expected)
        #expect(found.count == Self.values.count)
        let types = try result.connection.rows(
          "SELECT name, type FROM pragma_table_info('ZN') WHERE name IN ('ZW', 'ZP', 'ZS', 'ZQ')"
        )
        let declared = Dictionary(uniqueKeysWithValues: types.map { ($0[0].text, $0[1].text) })
        #expect(declared == ["ZW": "FLOAT", "ZP": "FLOAT", "ZS": "DECIMAL", "ZQ": "FLOAT"])
      }
    )
  }
}
