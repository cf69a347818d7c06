import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Text that is no UTF-8, text with NUL, and values of another type than their attribute's: carried
/// byte for byte, or refused before anything is written.
@Suite struct OddTextTests {
  /// Rows whose texts no reader takes for what they are.
  private static let odd = """
    UPDATE ZNOTE SET ZBODY = CAST(x'61ff62' AS TEXT) WHERE Z_PK = 1;
    UPDATE ZNOTE SET ZBODY = CAST(x'610062' AS TEXT) WHERE Z_PK = 2;
    UPDATE ZNOTE SET ZBODY = x'61ff' WHERE Z_PK = 3;
    UPDATE ZNOTE SET ZTITLE = CAST(x'c3' AS TEXT) WHERE Z_PK = 4
    """

  private func with(
    _ model: String,
    _ version: String,
    _ statements: String,
    _ body: (String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/S.sqlite"
      let models = "\(SampleArchive.root)/\(model).xcdatamodeld"
      let made = CommandRun(["generate", version, "--rows", "60", "-o", path, "--models", models])
      #expect(made.status == .success, "\(made.errors)")
      do {
        try AppDatabase.run(
          path,
          statements + "; PRAGMA wal_checkpoint(TRUNCATE)"
        )
      }
      try body(path)
    }
  }

  private func texts(_ path: String) throws -> [[SQLiteValue]] {
    let connection = try SQLiteConnection(path: path, access: .readOnly)
    return try connection.rows(
      "SELECT Z_PK, typeof(ZBODY), hex(ZBODY), typeof(ZTITLE), hex(ZTITLE) FROM ZNOTE ORDER BY Z_PK"
    )
  }

  @Test func `a hop by hand carries odd texts byte for byte`() throws {  // F5
    try with("Library", "v1", Self.odd) { path in
      let before = try texts(path)
      let run = CommandRun(
        ["migrate", path, "--to", "Library/v2", "--models", SampleArchive.root]
      )
      #expect(run.status == .success, "\(run.output)\(run.errors)")
      #expect(try texts(path) == before)
    }
  }

  @Test func `text that a hop's expressions read must be text`() throws {  // F5
    let odd = "UPDATE ZNOTE SET ZCATEGORY = CAST(x'61ff62' AS TEXT) WHERE Z_PK IN (2, 5)"
    try with("Library", "v1", odd) { path in
      let before = TemporaryFolder.bytes(of: path)
      let arguments = [path, "--to", "Library/v2", "--models", SampleArchive.root]
      let plan = CommandRun(["plan"] + arguments)
      #expect(plan.status == .answerIsNo, "\(plan.output)")
      #expect(plan.words.contains("WS523") && plan.words.contains("keys 2, 5"), "\(plan.output)")
      let run = CommandRun(["migrate"] + arguments)
      #expect(run.status == .migrationFailed, "\(run.output)\(run.errors)")
      #expect(run.errors.contains("Note.category, 2 rows have a value that is not text in UTF-8"))
      #expect(run.errors.contains("WS523"))
      #expect(isUnchanged(path, before))
      #expect(!TemporaryFolder.names(in: path + ".waystone").contains("journal.ndjson"))
    }
  }

  @Test func `inferred hops carry odd texts byte for byte`() throws {  // M7
    let odd = "UPDATE ZLETTER SET ZTITLE = CAST(x'61ff0062' AS TEXT) WHERE Z_PK < 4"
    try with("Letters", "v1", odd) { path in
      let models = "\(SampleArchive.root)/Letters.xcdatamodeld"
      let run = CommandRun(["migrate", path, "--to", "v4", "--history", "--models", models])
      #expect(run.status == .success, "\(run.output)\(run.errors)")
      let connection = try SQLiteConnection(path: path, access: .readOnly)
      let columns = try connection.rows("SELECT name FROM pragma_table_info('ZLETTER')")
        .compactMap { $0[0].text }
      let name = try #require(columns.first { ["ZTITLE", "ZHEADING"].contains($0) })
      let count = try connection.integer(
        "SELECT COUNT(*) FROM ZLETTER WHERE hex(\(name)) = '61FF0062' AND typeof(\(name)) = 'text'"
      )
      #expect(count == 3)
    }
  }

  private static let counted: [(name: String, entities: String)] = [
    (
      "v1",
      #"<entity name="Book"><attribute name="pages" optional="YES" attributeType="Integer 32"/>"#
        + #"<attribute name="sold" optional="YES" attributeType="Date"/></entity>"#
    ),
    (
      "v2",
      #"<entity name="Book"><attribute name="pages" optional="YES" attributeType="Double"/>"#
        + #"<attribute name="sold" optional="YES" attributeType="Date"/></entity>"#
    ),
  ]

  private func books(_ statements: String, _ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.counted, into: "\(folder)/ModelArchive")
      let made = CommandRun("generate", "v1", "--rows", "9", "-o", "B.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      do {
        try AppDatabase.run(
          "\(folder)/B.sqlite",
          statements + "; PRAGMA wal_checkpoint(TRUNCATE)"
        )
      }
      try body(folder)
    }
  }

  @Test func `text where a number is converted is counted, and changed only by leave`() throws {
    try books("UPDATE ZBOOK SET ZPAGES = 'many' WHERE Z_PK IN (2, 4)") { folder in  // M20
      let before = TemporaryFolder.bytes(of: "\(folder)/B.sqlite")
      let plan = CommandRun("plan", "B.sqlite", in: folder)
      #expect(plan.status == .answerIsNo && plan.words.contains("keys 2, 4"), "\(plan.output)")
      let refused = CommandRun("migrate", "B.sqlite", in: folder)
      #expect(refused.status == .migrationFailed, "\(refused.output)\(refused.errors)")
      #expect(refused.errors.contains("2 rows have a value"), "\(refused.errors)")
      #expect(!refused.errors.contains("many"))
      #expect(isUnchanged("\(folder)/B.sqlite", before))
      let run = CommandRun("migrate", "B.sqlite", "--accept-changed-values", in: folder)
      #expect(run.status == .success, "\(run.output)\(run.errors)")
    }
  }

  @Test func `text in a date that an expression reads is counted`() throws {  // M20
    let hop = """
      from: v1
      to: v2
      entities:
        - source: Book
          attributes:
            pages: FUNCTION($source.sold, "timeIntervalSinceReferenceDate")
      """
    try books("UPDATE ZBOOK SET ZSOLD = 'soon' WHERE Z_PK = 3") { folder in
      try SketchedModel.write(hop, to: "\(folder)/Hops/v1-to-v2.hop.yml")
      let before = TemporaryFolder.bytes(of: "\(folder)/B.sqlite")
      let plan = CommandRun("plan", "B.sqlite", "--mappings", "Hops", in: folder)
      #expect(plan.status == .answerIsNo && plan.words.contains("key 3"), "\(plan.output)")
      let run = CommandRun("migrate", "B.sqlite", "--mappings", "Hops", in: folder)
      #expect(run.status == .migrationFailed, "\(run.output)\(run.errors)")
      #expect(run.errors.contains("Book.sold, 1 row has a value that is no date"), "\(run.errors)")
      #expect(isUnchanged("\(folder)/B.sqlite", before))
    }
  }

  @Test func `a text that a hop compares and that is no UTF-8 is told by the plan and by the run`()
    throws
  {
    try TemporaryFolder.with { folder in
      let text = #"<attribute name="t" optional="YES" attributeType="String"/>"#
      let same = #"<attribute name="same" optional="YES" attributeType="String"/>"#
      try SketchedModel.write(
        [("v1", text), ("v2", text + same)].map {
          ($0.0, #"<entity name="N" syncable="YES">\#($0.1)</entity>"#)
        },
        into: "\(folder)/ModelArchive"
      )
      try SketchedModel.write(
        """
        from: v1
        to: v2
        entities:
          - source: N
            attributes: {t: $source.t, same: 'TERNARY($source.t ==[c] "a", "yes", "no")'}
        """,
        to: "\(folder)/ModelArchive/v1-v2.hop.yml"
      )
      let made = CommandRun("generate", "v1", "--rows", "9", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        "\(folder)/S.sqlite",
        "UPDATE ZN SET ZT = CAST(x'61ff62' AS TEXT) WHERE Z_PK = 2; PRAGMA wal_checkpoint(TRUNCATE)"
      )
      let plan = CommandRun("plan", "S.sqlite", "--to", "v2", in: folder)
      #expect(plan.output.contains("WS428") && plan.output.contains("1 of"), "\(plan.output)")
      let run = CommandRun("migrate", "S.sqlite", "--to", "v2", "-o", "R.sqlite", in: folder)
      #expect(run.status.rawValue == 4, "\(run.errors)")
      #expect(run.errors.contains("WS428") && !run.errors.contains("report this"), "\(run.errors)")
    }
  }
}
