import MigrationTestSupport
import StoreAccess
import Testing

/// The proof of pages that are in a `-wal`, held against the same store once SQLite folded it.
@Suite struct LogPagesTests {
  private static let changes = [
    "CREATE TABLE T (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, A INTEGER, B VARCHAR)",
    "CREATE INDEX T_A ON T (A)", "CREATE INDEX T_B ON T (B, A)",
    """
    WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
    INSERT INTO T SELECT i, i % 3 + 1, i * 7 % 101, printf('%.*c', i % 700, 'x') FROM n
    """,
    "UPDATE T SET B = B || 'y' WHERE Z_PK % 10 = 0", "DELETE FROM T WHERE Z_PK % 4 = 1",
    "DROP INDEX T_A", "DELETE FROM T WHERE Z_PK > 500; PRAGMA incremental_vacuum",
    "CREATE TABLE U (A INTEGER); INSERT INTO U SELECT Z_PK FROM T",
    // From here on only rows change, so that no schema tells which of these SQLite believes.
    "UPDATE T SET A = A + 1", "UPDATE T SET A = A + 1", "DELETE FROM T WHERE Z_PK % 3 = 1",
  ]

  /// A store whose last changes are in its log, as an app that was killed leaves it.
  private func make(_ path: String, folded: Int) throws {
    let live = path + "-live"
    let app = try AppDatabase(live)
    try app.execute(
      "PRAGMA page_size = 1024; PRAGMA auto_vacuum = 2; PRAGMA journal_mode = wal; "
        + "PRAGMA wal_autocheckpoint = 0"
    )
    for change in Self.changes[..<folded] { try app.execute(change) }
    try app.execute("PRAGMA wal_checkpoint(RESTART)")
    for change in Self.changes[folded...] { try app.execute(change) }
    for suffix in ["", "-wal"] {
      let bytes = try #require(TemporaryFolder.bytes(of: live + suffix))
      try TemporaryFolder.write(bytes, to: path + suffix)
    }
  }

  private func proof(_ path: String) throws -> PageVerification? {
    PageVerification(
      of: try SQLiteConnection(path: path, access: .quiescent),
      interest: PageVerification.Interest(sums: true)
    )
  }

  /// Returns the proof of a copy of a store that SQLite folded.
  private func folded(_ path: String) throws -> PageVerification? {
    let copy = path + "-folded"
    for suffix in ["", "-wal"] {
      guard let bytes = TemporaryFolder.bytes(of: path + suffix) else { continue }
      try TemporaryFolder.write(bytes, to: copy + suffix)
    }
    try AppDatabase.run(copy, "PRAGMA wal_checkpoint(TRUNCATE)")
    return try proof(copy)
  }

  private func expectSame(_ proof: PageVerification, _ other: PageVerification?, _ place: String) {
    #expect(proof.indexes == other?.indexes, "\(place)")
    #expect(proof.rows.keys == other?.rows.keys, "\(place)")
    for (name, rows) in proof.rows {
      let others = other?.rows[name]
      #expect(rows.count == others?.count && rows.pageCount == others?.pageCount, "\(place)")
      #expect(rows.values.mapValues(\.sum) == others?.values.mapValues(\.sum), "\(place)")
    }
  }

  @Test(arguments: 1..<9)
  func `pages in a log count as those in the file that it belongs to`(folded count: Int) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(path, folded: count)
      let proof = try #require(try proof(path))
      expectSame(proof, try folded(path), "\(count)")
      #expect(proof.rows.values.contains { !$0.values.isEmpty })
    }
  }

  @Test(arguments: 0..<12)
  func `a log that was cut or changed is believed as far as SQLite believes it`(_ round: Int) throws
  {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      var generator = SeededGenerator(seed: UInt64(round) &* 31 &+ 7)
      try make(path, folded: 1 + round % 8)
      let file = try #require(TemporaryFolder.bytes(of: path))
      let log = try #require(TemporaryFolder.bytes(of: path + "-wal"))
      var wasProven = 0
      for number in Trials.areAll ? 0..<30 : round..<(round + 4) {
        var bytes = log
        let frame = Int.random(in: 0..<(log.count - 32) / 1_048, using: &generator)
        let place = number % 3 == 0 ? 0 : 32 + frame * 1_048
        switch number % 4 {
        case 0: bytes.removeSubrange((place + Int.random(in: 0..<32, using: &generator))...)
        case 1, 2: bytes[place + Int.random(in: 0..<24, using: &generator)] ^= 1 << (number / 4)
        default: bytes[Int.random(in: 0..<log.count, using: &generator)] ^= 0x40
        }
        let mutant = folder + "/\(number).sqlite"
        try TemporaryFolder.write(file, to: mutant)
        try TemporaryFolder.write(bytes, to: mutant + "-wal")
        guard let proof = try? proof(mutant) else { continue }
        wasProven += 1
        expectSame(proof, try folded(mutant), "round \(round), mutant \(number)")
      }
      #expect(wasProven > 0)
    }
  }

  @Test func `a log that somebody else may write to is left to SQLite`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try make(path, folded: 4)
      #expect(PageVerification(of: try SQLiteConnection(path: path, access: .readOnly)) == nil)
    }
  }
}
