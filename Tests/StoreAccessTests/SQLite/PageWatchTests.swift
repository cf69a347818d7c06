import Files
import MigrationTestSupport
import StoreAccess
import Testing

@Suite struct `Watched databases` {
  /// A new database whose writes are watched from the first on.
  private static func make(
    _ path: String,
    _ body: (borrowing SQLiteConnection, PageWatch) throws -> Void
  ) throws {
    let connection = try SQLiteConnection(path: path, access: .create)
    try SchemaWriter.prepareNewFile(connection)
    let watch = try connection.watch("main", from: DatabasePages())
    try body(connection, watch)
  }

  /// The sum of a file that no connection has open.
  private static func sum(reading path: String) throws -> UInt64? {
    try DatabasePages(reading: path).sum(reading: path)
  }

  private static let fill = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO T SELECT i, hex(i * 7919) || hex(zeroblob(200)) FROM n
    """

  @Test func `what was noted is what is read`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      var sum: UInt64?
      try Self.make(path) { connection, watch in
        try connection.execute(script: "PRAGMA main.cache_size = 20")
        try connection.execute("CREATE TABLE T (id INTEGER PRIMARY KEY, text)")
        try connection.execute(Self.fill)
        try connection.execute("CREATE INDEX I ON T (text)")
        try connection.execute("DELETE FROM T WHERE id % 3 = 0")
        try connection.execute("DROP INDEX I")
        sum = try watch.sum()
      }
      #expect(try sum == Self.sum(reading: path) && sum != nil)
      // The same, from what was read.
      do {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        let watch = try connection.watch("main", from: DatabasePages(reading: path))
        try connection.execute("UPDATE T SET text = 'short' WHERE id < 500")
        sum = try watch.sum()
      }
      #expect(try sum == Self.sum(reading: path) && sum != nil)
    }
  }

  @Test func `a rollback comes back to the sum of before`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try Self.make(path) { connection, watch in
        try connection.execute(script: "PRAGMA main.cache_size = 20")
        try connection.execute("CREATE TABLE T (id INTEGER PRIMARY KEY, text)")
        try connection.execute(Self.fill)
        try connection.execute("CREATE INDEX I ON T (text)")
        try connection.execute("DROP INDEX I")
        let before = try watch.sum()
        // Free pages are taken without a note of what was in them.
        try connection.execute("BEGIN")
        try connection.execute("CREATE INDEX I ON T (text)")
        try connection.execute("UPDATE T SET text = text || 'x'")
        try connection.execute("ROLLBACK")
        #expect(try watch.sum() == before && before != nil)
      }
    }
  }

  @Test func `counters of changes and the journal mode leave the sum as it is`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try Self.make(path) { connection, _ in
        try connection.execute("CREATE TABLE T (id INTEGER PRIMARY KEY, text)")
      }
      try AppDatabase.run(path, "PRAGMA user_version = 3")
      let sum = try Self.sum(reading: path)
      try AppDatabase.run(path, "PRAGMA journal_mode = WAL")
      try AppDatabase.run(path, "PRAGMA user_version = 3")
      #expect(try Self.sum(reading: path) == sum)
      try AppDatabase.run(path, "PRAGMA user_version = 4")
      #expect(try Self.sum(reading: path) != sum)
    }
  }

  @Test func `each flipped bit of a page in use changes the sum`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try Self.make(path) { connection, _ in
        try connection.execute("CREATE TABLE T (id INTEGER PRIMARY KEY, text)")
        try connection.execute("INSERT INTO T VALUES (1, 'a')")
      }
      let sum = try Self.sum(reading: path)
      let file = try OpenFile(writing: path)
      for offset in stride(from: Int64(100), to: try file.status().size, by: 97) {
        let byte = try #require(try file.read(count: 1, at: offset).first)
        try file.write([byte ^ 4], at: offset)
        #expect(try Self.sum(reading: path) != sum, "byte \(offset)")
        try file.write([byte], at: offset)
      }
      #expect(try Self.sum(reading: path) == sum)
    }
  }

  @Test func `what is thrown before a commit undoes the transaction`() throws {
    struct Refusal: Error {}
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try Self.make(path) { connection, watch in
        try connection.execute("CREATE TABLE T (id INTEGER PRIMARY KEY, text)")
        watch.onFlush = { throw Refusal() }
        #expect(throws: SQLiteError.self) {
          try connection.execute("INSERT INTO T VALUES (1, 'a')")
        }
        #expect(connection.takeFunctionError() is Refusal)
        watch.onFlush = nil
        #expect(try connection.integer("SELECT COUNT(*) FROM T") == 0)
      }
    }
  }

  @Test func `bytes that are no database have no sum`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      let file = try OpenFile(creating: path)
      #expect(try Self.sum(reading: path) == nil)
      try file.write([UInt8](repeating: 1, count: 5000))
      #expect(try Self.sum(reading: path) == nil)
    }
  }
}
