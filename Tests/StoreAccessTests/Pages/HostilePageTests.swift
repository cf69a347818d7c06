import Files
import MigrationTestSupport
import StoreAccess
import Testing

/// Databases made to be taken for whole, which SQLite finds wrong or reads in another way.
@Suite struct HostilePageTests {
  private func proof(_ path: String) throws -> PageVerification? {
    PageVerification(of: try SQLiteConnection(path: path, access: .quiescent))
  }

  private static let tables = """
    PRAGMA page_size = 1024;
    CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, A INTEGER, B VARCHAR);
    CREATE INDEX T_A ON T (A);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
    INSERT INTO T SELECT i, 1, i * 7 % 50, printf('%.40d', i) FROM n;
    """

  @Test(arguments: [
    // The second is no table to SQLite, and has pages of its own.
    """
    CREATE TABLE D (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, A INTEGER, B VARCHAR);
    PRAGMA writable_schema = 1; UPDATE sqlite_schema SET name = 'T', tbl_name = 'T',
    sql = 'CREATE TABLE IF NOT EXISTS T (Z_PK INTEGER PRIMARY KEY)' WHERE name = 'D'
    """,
    // Only tables and indexes have pages.
    """
    CREATE TABLE D (A INTEGER); PRAGMA writable_schema = 1; UPDATE sqlite_schema
    SET type = 'trigger', sql = 'CREATE TRIGGER D AFTER INSERT ON T BEGIN SELECT 1; END',
    tbl_name = 'T' WHERE name = 'D'
    """,
    // To SQLite this is a type of text, since it knows no letters but those of ASCII.
    """
    CREATE TABLE D (A INTEGER); INSERT INTO D VALUES (5); PRAGMA writable_schema = 1;
    UPDATE sqlite_schema SET sql = 'CREATE TABLE D (A CHARıNT)' WHERE name = 'D'
    """,
    // An index that the table must have has no pages.
    """
    PRAGMA writable_schema = 1; UPDATE sqlite_schema
    SET sql = replace(sql, 'A INTEGER', 'A INTEGER UNIQUE') WHERE name = 'T'
    """,
  ])
  func `a schema that says something else to SQLite is not believed`(_ change: String) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try AppDatabase.run(path, Self.tables + change)
      #expect((try? proof(path)) == nil)
    }
  }

  @Test func `what a short row has by default is not told by its bytes`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try AppDatabase.run(
        path,
        Self.tables + "ALTER TABLE T ADD COLUMN N INTEGER DEFAULT 'abc'; CREATE INDEX T_N ON T (N)"
      )
      let proof = try #require(try proof(path))
      #expect(proof.indexes == ["T_A"] && proof.wrongIndexes.isEmpty)
      #expect(proof.rows["T"]?.plainNumbers == ["Z_PK", "Z_ENT", "A"])
    }
  }

  @Test func `a key in descending order is not the number of the row`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try AppDatabase.run(
        path,
        "CREATE TABLE K (A INTEGER PRIMARY KEY DESC, B INTEGER); "
          + "INSERT INTO K VALUES (5, 1), (NULL, 2), (3, 3); CREATE INDEX K_B ON K (B, A)"
      )
      #expect(try proof(path)?.indexes == ["sqlite_autoindex_K_1", "K_B"])
    }
  }

  /// Changes bytes of the database.
  private func patched(
    _ path: String,
    _ script: String,
    _ change: (inout [UInt8]) throws -> Void
  ) throws {
    try AppDatabase.run(path, script)
    var bytes = try #require(TemporaryFolder.bytes(of: path))
    try change(&bytes)
    try TemporaryFolder.write(bytes, to: path)
  }

  @Test func `a part of a tree without anything in it is not whole`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try patched(path, Self.tables) { bytes in
        let connection = try SQLiteConnection(path: path, access: .quiescent)
        let root = try #require(
          try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'T'")
        )
        let start = (Int(root) - 1) * 1024
        try #require(bytes[start] == 5, "the root has pages below it")
        let cell = start + (Int(bytes[start + 12]) << 8 | Int(bytes[start + 13]))
        let child = Int(bytes[cell + 3])
        let leaf = (child - 1) * 1024
        try #require(bytes[leaf] == 13, "the page below is a leaf")
        bytes.replaceSubrange(leaf + 1..<leaf + 8, with: [0, 0, 0, 0, 4, 0, 0])
      }
      #expect(try proof(path) == nil)
    }
  }

  @Test func `pages to give back without pointer maps are not whole`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try patched(path, "PRAGMA auto_vacuum = 0;" + Self.tables) { $0[67] = 1 }
      #expect(try proof(path) == nil)
    }
  }

  @Test func `no value makes a digest forget the others`() throws {
    let connection = try SQLiteConnection(path: ":memory:", access: .inMemory)
    try connection.createRowFunctions()
    // What the factors of a digest would be 0 by, if they were known.
    let known = Int64(bitPattern: 0xe703_7ed1_a0b4_28db)
    let one = try connection.integer("SELECT waystone_digest(1, \(known))")
    #expect(try connection.integer("SELECT waystone_digest(2, \(known))") != one)
    var digests = Set<UInt64>()
    for first in 0..<4 as Range<UInt8> {
      var digest = ByteDigest()
      digest.add([first] + [UInt8](repeating: 0, count: 7))
      withUnsafeBytes(of: known) { digest.add($0) }
      digests.insert(digest.value)
    }
    #expect(digests.count == 4)
  }

  @Test(arguments: [1, 8, 31, 32, 33, 63, 64, 100, 4_096])
  func `each byte and its place count in a digest`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    var digests = Set<UInt64>()
    for place in 0...count {
      var changed = bytes
      if place < count { changed[place] ^= 0x10 }
      var digest = ByteDigest()
      digest.add(changed)
      digests.insert(digest.value)
    }
    #expect(digests.count == count + 1)
    var swapped = ByteDigest()
    swapped.add(bytes.suffix(8) + bytes.dropLast(8))
    #expect(count <= 8 || !digests.contains(swapped.value))
  }
}
