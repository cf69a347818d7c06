import Files
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Indexes held against their tables, where SQLite's quick check sees nothing.
@Suite struct IndexCheckTests {
  private func check(_ path: String) throws -> IndexCheck.Result {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    #expect(try connection.faults().isEmpty, "the quick check sees nothing")
    let result = try IndexCheck(database: "main").run(on: connection, proof: nil)
    let proven = try IndexCheck(database: "main").run(
      on: connection,
      proof: PageVerification(of: connection)
    )
    #expect(proven.count == result.count)
    #expect(Set(proven.faults) == Set(result.faults), "by the pages and by SQL alike")
    return result
  }

  private func isWhole(_ path: String) throws -> Bool {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    return try connection.faults(isFull: true).isEmpty
  }

  private static let table = """
    CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, A INTEGER, B VARCHAR, C FLOAT, D BLOB);
    CREATE INDEX T_A ON T (A); CREATE INDEX T_B ON T (B COLLATE BINARY DESC, C);
    CREATE UNIQUE INDEX T_D ON T (D, A); CREATE INDEX T_PART ON T (A) WHERE A > 3;
    CREATE INDEX T_CASE ON T (B COLLATE NOCASE);
    CREATE TABLE J (X INTEGER, Y INTEGER, PRIMARY KEY (X, Y));
    """

  private static let rows = """
    INSERT INTO T VALUES (1, 5, 'b', 1.0, x'00'), (2, NULL, 'a', 1.5, x'01'), (3, 5, NULL, 2, x''),
    (4, -1, 'B', 1e300, NULL), (5, 9223372036854775807, '', NULL, x'0001'), (6, 7, 'ab', 0, NULL);
    INSERT INTO J VALUES (3, 1), (1, 2), (1, 1), (2, 9)
    """

  private func make(_ path: String) throws {
    let connection = try SQLiteConnection(path: path, access: .create)
    for statement in (Self.table + Self.rows).split(separator: ";") {
      try connection.execute(String(statement), [])
    }
  }

  @Test func `values of every kind stand in the indexes as in the table`() throws {
    try TemporaryFolder.with { folder in
      try make(folder + "/a.sqlite")
      let result = try check(folder + "/a.sqlite")
      #expect(result.count == 6 && result.faults.isEmpty, "\(result)")
    }
  }

  @Test(arguments: ["T_A", "T_B", "T_D", "sqlite_autoindex_J_1", "T_PART", "T_CASE"])
  func `two entries of an index that change places are found`(_ index: String) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(path)
      var pages = try PageSurgery(path)
      let root = try PageSurgery.root(of: index, in: path)
      pages.swapCells(root, 0, pages.cellCount(root) - 1)
      try pages.save()
      #expect(try !isWhole(path), "SQLite's integrity check sees it")
      let faults = try check(path).faults
      #expect(faults.contains { $0.index == index }, "\(faults)")
    }
  }

  @Test func `an entry that cannot be read is found and made anew`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(path)
      var pages = try PageSurgery(path)
      pages.breakRecord(try PageSurgery.root(of: "T_A", in: path), 1)
      try pages.save()
      let faults = try check(path).faults
      #expect(faults.contains(.init(table: "T", index: "T_A")), "\(faults)")
      do {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try IndexCheck(database: "main").repair(faults, on: connection)
      }
      #expect(try isWhole(path))
    }
  }

  @Test func `an index that lacks what the rows became is found`() throws {
    try TemporaryFolder.with { folder in
      let (path, later) = (folder + "/a.sqlite", folder + "/b.sqlite")
      try make(path)
      try FileSystem.copy(path, toNewFile: later)
      try SketchedStore.damage(later, "UPDATE T SET A = 8 WHERE Z_PK = 6")
      var pages = try PageSurgery(later)
      pages.take([try PageSurgery.root(of: "T_A", in: path)], from: try PageSurgery(path))
      try pages.save()
      #expect(try check(later).faults.first == .init(table: "T", index: "T_A"))
    }
  }

  /// SQLite answers for the number of a row without reading it in the index.
  @Test(arguments: ["K, B", "B, K"])
  func `an index on the number of the row is read itself`(_ columns: String) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try AppDatabase.run(
        path,
        "CREATE TABLE P (K INTEGER PRIMARY KEY, B INTEGER, C VARCHAR); "
          + "INSERT INTO P VALUES (11, 21, 'a'), (12, 22, 'b'), (13, 23, 'c'); "
          + "CREATE INDEX P_I ON P (\(columns)); CREATE INDEX P_L ON P (lower(C))"
      )
      #expect(try check(path).faults.isEmpty)
      var bytes = try #require(TemporaryFolder.bytes(of: path))
      let entry: [UInt8] = columns == "B, K" ? [4, 1, 1, 1, 22, 12, 12] : [4, 1, 1, 1, 12, 22, 12]
      let place = try #require(
        bytes.indices.first { bytes[$0...].starts(with: entry) },
        "there is no such entry"
      )
      bytes[place + (columns == "B, K" ? 5 : 4)] = columns == "B, K" ? 13 : 11
      try TemporaryFolder.write(bytes, to: path)
      #expect(try !isWhole(path))
      #expect(try check(path).faults == [.init(table: "P", index: "P_I")])
    }
  }

  @Test func `entries that repeat a unique key are out of order`() throws {
    let connection = try SQLiteConnection(path: ":memory:", access: .inMemory)
    try connection.createRowFunctions()
    try connection.execute("CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, A INTEGER)", [])
    try connection.execute("CREATE INDEX I ON T (A)", [])
    try connection.execute("INSERT INTO T VALUES (1, 4), (2, 4), (3, NULL), (4, NULL)", [])
    let disorder = "SELECT waystone_disorder('u++', A, Z_PK) FROM T INDEXED BY I"
    #expect(try connection.count(disorder) == 1)
    #expect(try connection.count(disorder.replacing("'u", with: "'.")) == 0)
  }

  @Test func `a damaged index is made anew out of its table`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(path)
      var pages = try PageSurgery(path)
      pages.swapCells(try PageSurgery.root(of: "T_A", in: path), 0, 2)
      try pages.save()
      let check = IndexCheck(database: "main")
      do {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try check.repair(check.run(on: connection, proof: nil).faults, on: connection)
      }
      #expect(try isWhole(path))
    }
  }

  @Test func `digests are of rows and not of their order`() throws {
    let connection = try SQLiteConnection(path: ":memory:", access: .inMemory)
    try connection.createRowFunctions()
    func digest(_ rows: String) throws -> Int64 {
      try connection.count("SELECT waystone_digest(a, b) FROM (SELECT 1 a, 1 b WHERE 0 \(rows))")
    }
    let one = try digest("UNION ALL SELECT 1, 'x' UNION ALL SELECT 2, NULL")
    #expect(try digest("UNION ALL SELECT 2, NULL UNION ALL SELECT 1.0, 'x'") == one)
    for other in [
      "UNION ALL SELECT 1, 'x'", "UNION ALL SELECT 1, NULL UNION ALL SELECT 2, 'x'",
      "UNION ALL SELECT 1, x'78' UNION ALL SELECT 2, NULL",
      "UNION ALL SELECT 1, 'x' UNION ALL SELECT 1, 'x' UNION ALL SELECT 2, NULL",
      "UNION ALL SELECT 1.5, 'x' UNION ALL SELECT 2, NULL",
    ] {
      #expect(try digest(other) != one, "\(other)")
    }
  }
}
