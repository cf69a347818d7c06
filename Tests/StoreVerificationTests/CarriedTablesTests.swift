import MigrationTestSupport
import PropertyLists
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Damages what a result holds beside its model, which verification must notice.
@Suite struct CarriedTablesTests {
  private static let rows = """
    INSERT INTO ZN (Z_PK, Z_ENT, Z_OPT, ZA) VALUES (1, 1, 1, 'a');
    CREATE TABLE app (id INTEGER PRIMARY KEY AUTOINCREMENT, t TEXT COLLATE NOCASE);
    INSERT INTO app VALUES (1, 'a'), (9, 'b');
    CREATE TABLE loose (t, u); INSERT INTO loose (rowid, t) VALUES (3, 'x'), (7, 'y');
    CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
    INSERT INTO keyed VALUES ('k', 1), ('l', 2);
    CREATE TABLE taken (rowid, _rowid_, oid); INSERT INTO taken VALUES (1, 2, 3), (1, 2, 3)
    """

  private func failures(_ damage: String) throws -> [String] {
    try TemporaryFolder.with { folder in
      let run = try SketchedRun(
        ["N { a: String? }", "N { a: String?; b: Int16? }"],
        rows: Self.rows,
        in: folder
      )
      if !damage.isEmpty { try SketchedStore.damage(run.result, damage) }
      return try run.compare().checks.filter { !$0.passed }.map(\.name)
    }
  }

  @Test func `tables of the app's own arrive as they are`() throws {
    #expect(try failures("") == [])
  }

  @Test(arguments: [
    "UPDATE app SET t = 'A' WHERE id = 1", "UPDATE loose SET t = 'z' WHERE rowid = 7",
    "UPDATE loose SET rowid = 8 WHERE rowid = 7", "UPDATE keyed SET v = '1' WHERE k = 'k'",
    "UPDATE keyed SET v = 2.5 WHERE k = 'l'", "UPDATE taken SET oid = 4 WHERE oid = 3",
    "UPDATE loose SET t = CAST(t AS BLOB) WHERE rowid = 3", "DROP TABLE keyed",
    "UPDATE sqlite_sequence SET seq = 1", "DELETE FROM loose WHERE rowid = 3",
  ])
  func `whatever differs in them is found, not its number of rows alone`(_ damage: String) throws {
    #expect(try failures(damage) == ["carried-tables"])  // C5
  }

  @Test func `what is not a number is what it was`() throws {  // M10
    let bits = Double(bitPattern: 0x7ff8_0000_0000_0123)
    #expect(PropertyList.real(bits) == .real(bits))
    #expect(PropertyList.array([.date(.nan)]) == .array([.date(.nan)]))
    #expect(PropertyList.real(0) != .real(-0.0))
    try TemporaryFolder.with { folder in
      let run = try SketchedRun(
        ["N { a: String? }", "N { a: String?; b: Int16? }"],
        rows: Self.rows,
        in: folder
      )
      for path in [run.source.path, run.result] {
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        var metadata = try StoreMetadata(reading: connection)
        metadata.others["AppsOwnNumber"] = .real(bits)
        try metadata.write(to: connection)
      }
      #expect(try run.compare().passed)
      do {
        let connection = try SQLiteConnection(path: run.result, access: .readWrite)
        var metadata = try StoreMetadata(reading: connection)
        metadata.others["AppsOwnNumber"] = .real(.nan)
        try metadata.write(to: connection)
      }
      #expect(try !run.compare().passed)
    }
  }
}
