import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import Waystone

/// Stores with rows that do not hold what their model declares: carried byte for byte, or refused before
/// anything is written.
@Suite struct OddStoreTests {
  /// Plans and refuses, with the same code for both, and without a change of the store.
  private func expectRefusal(
    _ codes: [String],
    of sample: SampleStore,
    to version: VersionName,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let before = TemporaryFolder.bytes(of: sample.path)
    let plan = try sample.plan(to: version)
    #expect(Set(plan.refusals.map(\.code)) == Set(codes), sourceLocation: location)
    for output in [nil, "o.sqlite"] {
      let error = #expect(throws: WaystoneError.self, sourceLocation: location) {
        try sample.migrate(to: version, output: output)
      }
      #expect(error?.refusal.map { [$0] } ?? codes == codes, sourceLocation: location)
    }
    // The bytes are no part of a failure's text.
    let isUnchanged = TemporaryFolder.bytes(of: sample.path) == before
    #expect(isUnchanged, sourceLocation: location)
    #expect(
      !TemporaryFolder.names(in: sample.folder).contains("o.sqlite"),
      sourceLocation: location
    )
  }

  // MARK: Numbers of entities

  @Test(arguments: [
    ("Library", "v2", "UPDATE ZNOTE SET Z_ENT = 9 WHERE Z_PK IN (3, 7)"),
    ("Library", "v2", "UPDATE ZNOTE SET Z_ENT = NULL WHERE Z_PK = 5"),
    ("Letters", "v4", "UPDATE ZLETTER SET Z_ENT = 6 WHERE Z_PK = 2"),
    ("Letters", "v2", "UPDATE ZCORRESPONDENT SET Z_ENT = 1 WHERE Z_PK = 1"),
    // Numbers that name another entity never turn objects into it.
    (
      "Letters", "v4",
      "UPDATE Z_PRIMARYKEY SET Z_NAME = CASE Z_ENT WHEN 2 THEN 'Person' ELSE 'Institution' END "
        + "WHERE Z_ENT IN (2, 3); UPDATE ZCORRESPONDENT SET Z_ENT = 5 - Z_ENT"
    ),
  ])
  func `rows of no entity are refused before a write, and no verification passes`(  // C4 C7
    model: String,
    version: String,
    damage: String
  ) throws {
    try SampleStore.with(model, "v1", rows: 60) { sample in
      try sample.change(damage)
      try expectRefusal(["WS524"], of: sample, to: VersionName("\(model)/\(version)"))
      let models = try ModelArchive(contentsOf: SampleStore.models)
      #expect(try !Store(reading: sample.url).verify(in: models).passed)
    }
  }

  @Test func `a name that Core Data left at a rename stops nothing`() throws {
    try SampleStore.with("Letters", "v1", rows: 60) { sample in
      try sample.change("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Subject' WHERE Z_ENT = 6")
      let models = try ModelArchive(contentsOf: SampleStore.models)
      #expect(try Store(reading: sample.url).verify(in: models).passed)
      #expect(try sample.migrate(to: "Letters/v4").verification.passed)
    }
  }

  @Test func `a table whose keys may recur is refused`() throws {  // F5
    try SampleStore.with("Library", "v1", rows: 60) { sample in
      let columns = "Z_PK, Z_ENT, Z_OPT, ZDATECREATED, ZBODY, ZCATEGORY, ZTITLE"
      try sample.change(
        """
        CREATE TABLE T (Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZDATECREATED TIMESTAMP,
          ZBODY VARCHAR, ZCATEGORY VARCHAR, ZTITLE VARCHAR);
        INSERT INTO T SELECT \(columns) FROM ZNOTE; INSERT INTO T SELECT \(columns) FROM ZNOTE;
        DROP TABLE ZNOTE; ALTER TABLE T RENAME TO ZNOTE
        """
      )
      let models = try ModelArchive(contentsOf: SampleStore.models)
      #expect(try !Store(reading: sample.url).verify(in: models).passed)
      #expect(throws: WaystoneError.self) { try sample.migrate(to: "Library/v2") }
    }
  }

  // MARK: Texts

  @Test func `a hop by hand carries odd texts byte for byte`() throws {  // F5
    try SampleStore.with("Library", "v1", rows: 60) { sample in
      try sample.change(
        """
        UPDATE ZNOTE SET ZBODY = CAST(x'61ff62' AS TEXT) WHERE Z_PK = 1;
        UPDATE ZNOTE SET ZBODY = CAST(x'610062' AS TEXT) WHERE Z_PK = 2;
        UPDATE ZNOTE SET ZBODY = x'61ff' WHERE Z_PK = 3;
        UPDATE ZNOTE SET ZTITLE = CAST(x'c3' AS TEXT) WHERE Z_PK = 4
        """
      )
      func texts() throws -> [[SQLiteValue]] {
        try AppDatabase(sample.path).rows(
          "SELECT Z_PK, typeof(ZBODY), hex(ZBODY), typeof(ZTITLE), hex(ZTITLE) FROM ZNOTE ORDER BY 1"
        )
      }
      let before = try texts()
      try sample.migrate(to: "Library/v2")
      #expect(try texts() == before)
    }
  }

  @Test func `text that a hop's expressions read must be text`() throws {  // F5
    try SampleStore.with("Library", "v1", rows: 60) { sample in
      try sample.change(
        "UPDATE ZNOTE SET ZCATEGORY = CAST(x'61ff62' AS TEXT) WHERE Z_PK IN (2, 5)"
      )
      try expectRefusal(["WS523"], of: sample, to: "Library/v2")
      let evidence = try sample.plan(to: "Library/v2").refusals.first?.finding?.evidence
      #expect(evidence?.keys == [2, 5])
    }
  }

  @Test func `inferred hops carry odd texts byte for byte`() throws {  // M7
    try SampleStore.with("Letters", "v1", rows: 60) { sample in
      try sample.change(
        "UPDATE ZLETTER SET ZTITLE = CAST(x'61ff0062' AS TEXT) WHERE Z_PK < 4"
      )
      try sample.migrate(to: "Letters/v4") { $0.planning.followsHistory = true }
      let store = try AppDatabase(sample.path)
      let columns = try store.rows("SELECT name FROM pragma_table_info('ZLETTER')")
        .compactMap { $0[0].text }
      let name = try #require(columns.first { ["ZTITLE", "ZHEADING"].contains($0) })
      let count = try store.integer(
        "SELECT COUNT(*) FROM ZLETTER WHERE hex(\(name)) = '61FF0062' AND typeof(\(name)) = 'text'"
      )
      #expect(count == 3)
    }
  }

  private static let counted = [
    "Book { pages: Int32?; sold: Date? }", "Book { pages: Double?; sold: Date? }",
  ]

  @Test(arguments: [
    ("UPDATE ZBOOK SET ZPAGES = 'many' WHERE Z_PK IN (2, 4)", "", [2, 4]),
    (
      "UPDATE ZBOOK SET ZSOLD = 'soon' WHERE Z_PK = 3",
      #"FUNCTION($source.sold, "timeIntervalSinceReferenceDate")"#, [3]
    ),
  ])
  func `text where a number or date is converted is counted, and changed only by leave`(  // M20
    damage: String,
    expression: String,
    keys: [Int64]
  ) throws {
    try SketchedProject.with(Self.counted) { project in
      let store = try project.store("v1", damage)
      if !expression.isEmpty {
        try project.hop("[{source: Book, attributes: {pages: '\(expression)'}}]")
      }
      let before = TemporaryFolder.bytes(of: "\(project.folder)/\(store)")
      let refusals = try project.plan(store).check.refusals
      #expect(refusals.map { $0.finding?.evidence?.keys } == [keys])
      let error = #expect(throws: (any Error).self) { try project.migrate(store) }
      #expect(error.map { !"\($0)".contains("many") && !"\($0)".contains("soon") } == true)
      #expect(TemporaryFolder.bytes(of: "\(project.folder)/\(store)") == before)
      guard expression.isEmpty else { return }
      try project.migrate(store) { $0.settings.acceptsChangedValues = true }
    }
  }

  @Test
  func `a text that a hop compares and that is no UTF-8 is a refusal of the plan and the run`()
    throws
  {
    try SketchedProject.with("N { t: String? }", "N { t: String?; same: String? }") { project in
      let same = #"TERNARY($source.t ==[c] "a", "yes", "no")"#
      try project.hop("[{source: N, attributes: {t: $source.t, same: '\(same)'}}]")
      let store = try project.store(
        "v1",
        "UPDATE ZN SET ZT = CAST(x'61ff62' AS TEXT) WHERE Z_PK = 2"
      )
      let refusal = try #require(try project.plan(store).check.refusals.first)
      #expect(refusal.code == "WS428" && refusal.finding?.evidence?.rows == 1)
      #expect(throws: (any Error).self) { try project.migrate(store, to: "o.sqlite") }
    }
  }

  // MARK: Contents that no model explains

  @Test(
    arguments: ["v2", "v4"],
    [
      "ALTER TABLE ZLETTER ADD COLUMN MYCOL; UPDATE ZLETTER SET MYCOL = 7 WHERE Z_PK < 4",
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID) VALUES (2, 'x')",
      "ALTER TABLE Z_PRIMARYKEY ADD COLUMN MYCOL; UPDATE Z_PRIMARYKEY SET MYCOL = 1",
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
      ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
      INSERT INTO ACHANGE SELECT Z_PK, 16001, NULL, 0, Z_ENT, Z_PK, 1, NULL FROM ZLETTER;
      UPDATE ACHANGE SET ZENTITY = 999 WHERE Z_PK IN (2, 3)
      """,
    ]
  )
  func `contents that the model does not explain are lost only where that is accepted`(  // C6
    version: String,
    statements: String
  ) throws {
    try SampleStore.with("Letters", "v1", rows: 60) { sample in
      try sample.change(statements)
      let end = VersionName("Letters/\(version)")
      try expectRefusal(["WS525"], of: sample, to: end)
      let accepts: (inout MigrationOptions) -> Void = { $0.settings.acceptsUnexplainedLoss = true }
      let accepted = try sample.plan(to: end, accepts)
      #expect(accepted.isSafe && accepted.findings.has(.unexplainedContents))
      let outcome = try sample.migrate(to: end, accepts)
      #expect(outcome.findings.has(.unexplainedContents) && outcome.verification.passed)
      let store = try AppDatabase(sample.path)
      let left = "SELECT COUNT(*) FROM pragma_table_info('ZLETTER') WHERE name = 'MYCOL'"
      #expect(try store.integer(left) == 0)
      guard statements.contains("ACHANGE") else { return }
      let changes = try store.integer(
        "SELECT COUNT(*) FROM ACHANGE, ZLETTER l WHERE ZENTITYPK = l.Z_PK AND ZENTITY = l.Z_ENT"
      )
      #expect(try changes == store.integer("SELECT COUNT(*) - 2 FROM ZLETTER"))
    }
  }

  @Test func `a column that holds nothing needs no leave`() throws {  // C6
    try SampleStore.with("Letters", "v1", rows: 60) { sample in
      try sample.change("ALTER TABLE ZLETTER ADD COLUMN MYCOL")
      #expect(try sample.plan(to: "Letters/v2").isSafe)
      try sample.migrate(to: "Letters/v2")
    }
  }

  // MARK: Stores of the version wanted

  @Test(arguments: [1, 0, -9_223_372_036_854_775_808])
  func `a copy gets the greatest key right, and a store that stays has a finding`(max: Int64) throws
  {
    try SketchedProject.with("Book { title: String? }") { project in
      let store = try project.store("v1", rows: 20, "UPDATE Z_PRIMARYKEY SET Z_MAX = \(max)")
      let plan = try project.plan(store)
      #expect(plan.refusals.isEmpty && plan.stops.isEmpty)
      #expect(plan.findings.of(.entityNumbersWrong).map(\.severity) == [.warning])
      #expect(try project.migrate(store).findings.has(.entityNumbersWrong))
      try project.migrate(store, to: "o.sqlite")
      let greatest = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'"
      #expect(try AppDatabase("\(project.folder)/o.sqlite").integer(greatest) == 20)
      #expect(try AppDatabase("\(project.folder)/\(store)").integer(greatest) == max)
    }
  }

  @Test func `rows of no entity stop plan and both ways of migrating, also without a hop`() throws {
    try SketchedProject.with("Book { title: String? }") { project in
      let store = try project.store("v1", rows: 20, "UPDATE ZBOOK SET Z_ENT = 9 WHERE Z_PK = 3")
      #expect(try project.plan(store).refusals == ["WS524"])
      for output in [nil, "o.sqlite"] {
        #expect(throws: (any Error).self) { try project.migrate(store, to: output) }
      }
      #expect(!TemporaryFolder.names(in: project.folder).contains("o.sqlite"))
    }
  }

  @Test func `a sound store of the version wanted has no finding`() throws {
    try SketchedProject.with("Book { title: String? }") { project in
      let store = try project.store("v1", rows: 20, "UPDATE ZBOOK SET Z_OPT = Z_OPT + 1")
      #expect(try project.plan(store).findings.isEmpty)
      #expect(try project.migrate(store).findings.isEmpty)
    }
  }
}
