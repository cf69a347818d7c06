import Foundation
import MigrationTestSupport
import StoreAccess
import Testing

/// Large tables are read in parts, by several threads: what is said of them is what one says.
@Suite struct TreePartTests {
  private static let tables = """
    PRAGMA page_size = 512; PRAGMA auto_vacuum = 2;
    CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, A INTEGER, B VARCHAR, D BLOB);
    CREATE INDEX T_A ON T (A); CREATE TABLE J (X INTEGER, Y INTEGER);
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
    INSERT INTO T SELECT i * 2, 1 + i % 3, (i * 7 % 6000 + 1) * 2, 'text ' || i,
    CASE i % 40 WHEN 0 THEN zeroblob(900) END FROM n;
    INSERT INTO J SELECT A, Z_PK FROM T;
    """

  private static let references = [
    PageVerification.Interest.Reference(table: "T", column: "A", target: "T"),
    PageVerification.Interest.Reference(table: "J", column: "X", target: "T"),
  ]

  private func proof(_ path: String, parts: Int) throws -> PageVerification? {
    PageVerification(
      of: try SQLiteConnection(path: path, access: .quiescent),
      interest: .init(references: Self.references, sums: true),
      partCount: parts
    )
  }

  private func isSame(_ one: PageVerification?, _ other: PageVerification?) -> Bool {
    guard let one, let other else { return (one == nil) == (other == nil) }
    return one.indexes == other.indexes && one.wrongIndexes == other.wrongIndexes
      && one.wholeReferences == other.wholeReferences && one.rows == other.rows
  }

  @Test(
    arguments: [
      "", "DELETE FROM T WHERE Z_PK BETWEEN 2000 AND 9000", "UPDATE J SET X = 5 WHERE rowid = 4000",
      "UPDATE T SET Z_ENT = NULL WHERE Z_PK = 8000", "UPDATE T SET B = x'00' WHERE Z_PK = 10000",
      "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, '(A)', '(A DESC)')",
    ],
    [2, 3, 8, 1_000]
  )
  func `parts say together what the whole says`(_ change: String, _ parts: Int) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try AppDatabase.run(path, Self.tables + change)
      let whole = try #require(try proof(path, parts: 1))
      #expect(whole.rows["T"]?.count ?? 0 > 2_000)
      #expect(isSame(whole, try proof(path, parts: parts)))
    }
  }

  @Test func `bytes of inner pages that are changed are found by parts as by one`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try AppDatabase.run(path, Self.tables)
      let bytes = try Data(contentsOf: URL(filePath: path))
      // The first page has the header of the file.
      let inner = stride(from: 512, to: bytes.count, by: 512).filter { bytes[$0] == 5 }
      #expect(inner.count >= 16)
      var random = SeededGenerator(seed: 6)
      var found = 0
      for _ in 0..<60 {
        var changed = bytes
        let page = inner[Int.random(in: inner.indices, using: &random)]
        changed[page + Int.random(in: 0..<512, using: &random)] ^=
          1
          << UInt8.random(
            in: 0..<8,
            using: &random
          )
        try changed.write(to: URL(filePath: path))
        let whole = try? proof(path, parts: 1)
        #expect(isSame(whole, try? proof(path, parts: 8)))
        if whole == nil { found += 1 }
      }
      #expect(found > 30)
    }
  }
}
