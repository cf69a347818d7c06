import MigrationTestSupport
import StoreAccess
import Testing

/// The proof of pages without asking SQLite, held against SQLite's answer.
@Suite struct PageVerificationTests {
  private static let schema = """
    CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, A INTEGER, B VARCHAR, C FLOAT, D BLOB);
    CREATE INDEX T_A ON T (A); CREATE INDEX T_B ON T (B COLLATE BINARY DESC, C);
    CREATE UNIQUE INDEX T_D ON T (D, A); CREATE INDEX T_PK ON T (Z_PK, A);
    CREATE TABLE J (X INTEGER, Y INTEGER, PRIMARY KEY (X, Y));
    CREATE INDEX J_Y ON J (Y, X);
    """

  /// Rows of every kind of value, some of which do not fit a page.
  private static func rows(_ count: Int) -> String {
    """
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO T SELECT i * 3, i % 2 + 1, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN -i * i * i
    ELSE i END, CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN printf('%.*c', i % 3000, 'x')
    ELSE 'text ' || i END, i / CASE i % 3 WHEN 0 THEN 1.0 ELSE 3.0 END,
    CASE i % 11 WHEN 0 THEN zeroblob(i % 9000) ELSE CAST('b' || i AS BLOB) END FROM n;
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
    INSERT INTO J SELECT i * 31 % 1009, i FROM n;
    """
  }

  private func make(
    _ path: String,
    pageSize: Int = 4_096,
    vacuum: Int = 2,
    rows: Int,
    _ then: String = ""
  ) throws {
    try AppDatabase.run(
      path,
      "PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = \(vacuum); BEGIN; "
        + Self.schema + Self.rows(rows) + "COMMIT; " + then
    )
  }

  private func proof(_ path: String) throws -> PageVerification? {
    PageVerification(of: try SQLiteConnection(path: path, access: .quiescent))
  }

  private static let indexes: Set<String> = [
    "T_A", "T_B", "T_D", "T_PK", "sqlite_autoindex_J_1", "J_Y",
  ]

  @Test(arguments: [512, 1_024, 4_096, 65_536], [0, 1, 2])
  func `a database that SQLite wrote is proven with all of its indexes`(
    _ pageSize: Int,
    _ vacuum: Int
  ) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(
        path,
        pageSize: pageSize,
        vacuum: vacuum,
        rows: 3_000,
        "DELETE FROM T WHERE Z_PK % 4 = 1; UPDATE T SET B = B || 'longer' WHERE Z_PK % 5 = 0;"
          + "DROP INDEX J_Y; ALTER TABLE T ADD COLUMN E INTEGER; CREATE INDEX T_E ON T (E);"
          + "UPDATE T SET E = 7 WHERE Z_PK % 3 = 0 AND Z_PK % 2 = 0"
      )
      let proof = try #require(try proof(path))
      #expect(proof.indexes == Self.indexes.subtracting(["J_Y"]).union(["T_E"]))
    }
  }

  @Test func `rows are told by the number of their entity`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(
        path,
        rows: 1_000,
        "UPDATE T SET Z_ENT = NULL WHERE Z_PK = 3; UPDATE T SET C = x'00' WHERE Z_PK = 6"
      )
      let rows = try #require(try proof(path)?.rows["T"])
      #expect(rows.count == 1_000)
      #expect(rows.countByEntity == [1: 500, 2: 499])
      #expect(rows.plainNumbers == ["Z_PK", "Z_ENT", "A"])
    }
  }

  @Test func `values are counted by the entity of their row, where each row has one`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(path, rows: 1_000, "ALTER TABLE T ADD COLUMN E INTEGER; CREATE TABLE U (A INTEGER)")
      let connection = try SQLiteConnection(path: path, access: .quiescent)
      let proof = PageVerification(of: connection)
      let rows = try #require(proof?.rows["T"])
      #expect(rows.isCountedByEntity)
      for name in ["A", "B", "C", "D", "E", "Z_PK"] {
        let counts = try connection.rows(
          "SELECT Z_ENT, COUNT(\(name)) FROM T GROUP BY Z_ENT"
        ).map { ($0[0].integer ?? 0, $0[1].integer ?? 0) }
        let known = try #require(rows.values[name])
        #expect(known.countByEntity == Dictionary(uniqueKeysWithValues: counts), "\(name)")
        #expect(known.sum == nil)
      }
      #expect(proof?.rows["J"]?.values["X"]?.countByEntity == [0: 1_000])
      for change in ["Z_ENT = NULL", "Z_ENT = 'x'", "Z_ENT = 5000", "C = 9e999 - 9e999"] {
        try AppDatabase.run(path, "UPDATE T SET \(change) WHERE Z_PK = 3")
        let isNumber = change.hasPrefix("C")
        let count = try self.proof(path)?.rows["T"]?.values["C"]?.countByEntity
        #expect((count == nil) != isNumber, "\(change)")
        try AppDatabase.run(path, "UPDATE T SET Z_ENT = 2 WHERE Z_PK = 3")
      }
    }
  }

  @Test func `pages are counted with their table, those of long values and of indexes too`() throws
  {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(path, rows: 3_000)
      let connection = try SQLiteConnection(path: path, access: .quiescent)
      let proof = PageVerification(of: connection)
      let rows = try #require(proof?.rows)
      let pages = try connection.rows(
        "SELECT o.tbl_name, SUM(p.pageno > 0) FROM dbstat p JOIN sqlite_schema o USING (name) "
          + "GROUP BY 1"
      )
      #expect(!pages.isEmpty)
      for page in pages {
        #expect(rows[page[0].text ?? ""]?.pageCount == page[1].integer, "\(page)")
      }
    }
  }

  @Test(arguments: [
    "UPDATE T SET B = B || '' WHERE Z_PK > 0", "UPDATE T SET C = C + 0.0", "VACUUM", "REINDEX",
    "CREATE TABLE O AS SELECT * FROM T; DELETE FROM T; INSERT INTO T SELECT * FROM O ORDER BY -Z_PK",
  ])
  func `sums are the same where values are`(_ change: String) throws {
    try sums(change) { #expect($0 == $1) }
  }

  @Test(arguments: [
    "UPDATE T SET A = A + 1 WHERE Z_PK = 606", "UPDATE T SET B = B || 'x' WHERE Z_PK = 600",
    "UPDATE T SET C = C + 0.5 WHERE Z_PK = 600", "UPDATE T SET D = NULL WHERE Z_PK = 600",
    "UPDATE T SET D = CAST(B AS BLOB) WHERE Z_PK = 600", "DELETE FROM T WHERE Z_PK = 600",
    "UPDATE T SET Z_PK = 601 WHERE Z_PK = 600", "UPDATE T SET A = 4, C = 5 WHERE Z_PK = 600",
    "UPDATE T SET D = substr(D, 1, length(D) - 1) || x'01' WHERE Z_PK = 396",
    "UPDATE T SET B = (SELECT o.B FROM T o WHERE o.Z_PK = 605 * 3 - T.Z_PK) "
      + "WHERE Z_PK IN (600, 1215)",
    "UPDATE J SET X = X + 1 WHERE Y = 7", "UPDATE J SET X = 7 - X WHERE X IN (3, 4)",
  ])
  func `sums differ where values do`(_ change: String) throws {
    try sums(change) { #expect($0 != $1) }
  }

  /// The sums of a proof of a database and of one that was changed.
  private func sums(_ change: String, _ body: ([String: UInt64], [String: UInt64]) -> Void) throws {
    func sums(_ path: String) throws -> [String: UInt64] {
      let connection = try SQLiteConnection(path: path, access: .quiescent)
      let proof = PageVerification(of: connection, interest: .init(sums: true))
      let rows = try #require(proof?.rows)
      var sums: [String: UInt64] = [:]
      for name in ["Z_PK", "Z_ENT", "A", "B", "C", "D"] {
        sums[name] = try #require(rows["T"]?.values[name]?.sum)
      }
      sums["J"] = try #require(rows["J"]?.sum)
      return sums
    }
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(path, rows: 2_000)
      let before = try sums(path)
      try AppDatabase.run(path, change)
      body(before, try sums(path))
    }
  }

  @Test(arguments: [
    ("", true), ("UPDATE L SET ZU = NULL WHERE Z_PK > 5", true), ("DELETE FROM L", true),
    ("UPDATE L SET ZU = 11 WHERE Z_PK = 3", false), ("DELETE FROM U WHERE Z_PK = 7", false),
    ("UPDATE L SET ZU = -1 WHERE Z_PK = 3", false), ("DELETE FROM U", false),
    ("UPDATE L SET ZU = 2.5 WHERE Z_PK = 3", false),
    ("UPDATE L SET ZU = x'41' WHERE Z_PK = 3", false),
    ("UPDATE L SET ZU = 16777216; INSERT INTO U VALUES (16777216)", false),
    ("UPDATE L SET ZU = 16777215; INSERT INTO U VALUES (16777215)", true),
  ])
  func `references are whole where each key is known to have a row`(
    _ change: String,
    _ isWhole: Bool
  ) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      let numbers = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
      try AppDatabase.run(
        path,
        "CREATE TABLE U (Z_PK INTEGER PRIMARY KEY);"
          + "CREATE TABLE L (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZU INTEGER, ZL INTEGER);"
          + "\(numbers)10) INSERT INTO U SELECT i FROM n;"
          + "\(numbers)1000) INSERT INTO L SELECT i, 1, i % 10 + 1, 1001 - i FROM n; \(change)"
      )
      let references = [("ZU", "U"), ("ZL", "L"), ("ZL", "U")].map { column, target in
        PageVerification.Interest.Reference(table: "L", column: column, target: target)
      }
      let connection = try SQLiteConnection(path: path, access: .quiescent)
      let proof = PageVerification(of: connection, interest: .init(references: references))
      let whole = try #require(proof?.wholeReferences)
      #expect(whole.contains(references[0]) == isWhole)
      #expect(whole.contains(references[1]))
      #expect(whole.contains(references[2]) == (change == "DELETE FROM L"))
    }
  }

  @Test(arguments: [
    "A text of more than eight bytes", "short", "", "Größe", "its last is ä",
    "€ and a text behind it",
    "a letter beyond: 𝕏", "\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}",
  ])
  func `a column is plain where SQLite need not be asked for its bytes`(text: String) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      func texts(_ change: String = "") throws -> PageVerification.Rows? {
        try AppDatabase.run(
          path,
          "DROP TABLE IF EXISTS P; CREATE TABLE P (Z_PK INTEGER PRIMARY KEY, T VARCHAR, U BLOB); "
            + "INSERT INTO P VALUES (1, '\(text)', zeroblob(16)), (2, NULL, NULL); \(change)"
        )
        return try proof(path)?.rows["P"]
      }
      let rows = try #require(try texts())
      #expect(rows.plainTexts == ["T"])
      #expect(rows.plainUUIDs == ["U"] && rows.plainBlobs == ["U"])
      #expect(try texts("UPDATE P SET T = x'41' WHERE Z_PK = 1")?.plainTexts == [])
      for bytes in Self.noTexts {
        for padding in ["", "61626364656667", "6162636465666768"] {
          let change = "UPDATE P SET T = CAST(x'\(padding)\(bytes)' AS TEXT) WHERE Z_PK = 1"
          #expect(try texts(change)?.plainTexts == [], "\(padding)\(bytes)")
        }
      }
      for (size, columns) in [(99_999, ["T"]), (1 << 20, [])] as [(Int, Set<String>)] {
        let long = "INSERT INTO P VALUES (3, printf('%.\(size)c', 'a'), NULL)"
        #expect(try texts(long)?.plainTexts == columns)
        let torn = "UPDATE P SET T = CAST(T || x'ff' AS TEXT) WHERE Z_PK = 3"
        #expect(try texts("\(long); \(torn)")?.plainTexts == [])
      }
      let short = try #require(try texts("UPDATE P SET U = x'41' WHERE Z_PK = 1"))
      #expect(short.plainUUIDs.isEmpty && short.plainBlobs == ["U"])
      for other in ["'text'", "7", "0", "1.5"] {
        let rows = try #require(try texts("UPDATE P SET U = \(other) WHERE Z_PK = 1"))
        #expect(rows.plainUUIDs.isEmpty && rows.plainBlobs.isEmpty, "\(other)")
      }
    }
  }

  /// Lone, cut off and overlong sequences, surrogates, and what lies beyond Unicode.
  private static let noTexts = [
    "ff", "80", "c3", "c361", "c080", "c1bf", "e282", "e28261", "e08080", "e09fbf", "eda080",
    "edbfbf",
    "f09d95", "f09d9561", "f0808080", "f08fbfbf", "f4908080", "f5808080", "e2", "f0", "e28282c3",
  ]

  @Test func `what is in a write-ahead log or in a transaction is left to SQLite`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(path, rows: 10)
      let app = try AppDatabase(path)
      try app.execute("PRAGMA journal_mode = wal; DELETE FROM T WHERE Z_PK = 3")
      do {
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        #expect(PageVerification(of: connection) == nil)
        #expect(try connection.faults().isEmpty)
      }
      try app.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      let connection = try SQLiteConnection(path: path, access: .readOnly)
      #expect(PageVerification(of: connection)?.rows["T"]?.count == 9)
      try connection.execute("BEGIN")
      #expect(PageVerification(of: connection) == nil)
    }
  }

  @Test(arguments: [
    "CREATE TABLE R (A INTEGER NOT NULL)", "CREATE TABLE R (A INTEGER CHECK (A > 0))",
    "CREATE TABLE R (A INTEGER PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE R (A INTEGER, B AS (A + 1))", "CREATE TABLE R (A VARCHAR) STRICT",
  ])
  func `rules that only SQLite knows are left to SQLite`(_ table: String) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      // SQLite has no type VARCHAR in a strict table.
      try make(path, rows: 10, table.replacing("VARCHAR) STRICT", with: "TEXT) STRICT"))
      #expect(try proof(path) == nil)
    }
  }

  @Test func `an index of a part of the rows, of an expression or of another order is not proven`()
    throws
  {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(
        path,
        rows: 100,
        "CREATE INDEX P ON T (A) WHERE A > 3; CREATE INDEX E ON T (A + 1); "
          + "CREATE INDEX N ON T (B COLLATE NOCASE)"
      )
      #expect(try proof(path)?.indexes == Self.indexes)
    }
  }

  /// The answers of SQLite's quick check, and of its integrity check, which stops at an entry that it cannot
  /// read.
  private func complaints(_ path: String) throws -> (quick: String?, full: [String]) {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    return (
      try connection.text("PRAGMA quick_check"), try connection.faults(isFull: true).lines
    )
  }

  @Test(arguments: Trials.some(of: 24))
  func `nothing that SQLite finds wrong is ever proven`(_ round: Int) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      var generator = SeededGenerator(seed: UInt64(round))
      try make(
        path,
        pageSize: round % 3 == 0 ? 512 : 1_024,
        vacuum: round % 3,
        rows: 120,
        "DELETE FROM T WHERE Z_PK % 4 = 1"
      )
      let whole = try #require(TemporaryFolder.bytes(of: path))
      var wasProven = 0
      for number in 0..<80 {
        var bytes = whole
        // Where pages begin and end, most of what is written there means something.
        let page = Int.random(in: 0..<bytes.count / 512, using: &generator) * 512
        let within =
          number % 2 == 0
          ? Int.random(in: 0..<40, using: &generator) : Int.random(in: 0..<512, using: &generator)
        bytes[page + within] = UInt8.random(in: 0...255, using: &generator)
        let mutant = folder + "/\(number).sqlite"
        try TemporaryFolder.write(bytes, to: mutant)
        guard let proof = try? proof(mutant) else { continue }
        wasProven += 1
        let found = try complaints(mutant)
        let place = "mutant \(number), byte \(page + within): \(found)"
        #expect(found.quick == "ok", "\(place)")
        if proof.indexes == Self.indexes { #expect(found.full == [], "\(place)") }
        for index in proof.indexes {
          #expect(!found.full.contains { $0.hasSuffix(" index \(index)") }, "\(place)")
        }
      }
      // What is written into a text or a number is no matter of pages.
      #expect(wasProven > 0 && wasProven < 80)
    }
  }
}
