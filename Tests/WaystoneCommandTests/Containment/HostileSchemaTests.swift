import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Stores whose schema would do something when it is read, or when it is made again.
@Suite struct `Stores with a hostile schema` {
  /// A folder with a store, another database that nobody may touch, and the verbs that read stores.
  private struct Attack {
    let folder: String

    var store: String { folder + "/S.sqlite" }
    var victim: String { folder + "/victim.sqlite" }

    /// The acts of the user on a store.
    private static let verbs: [[String]] = [
      ["inspect", "S.sqlite"], ["verify", "S.sqlite"], ["plan", "S.sqlite", "--to", "v4"],
      ["dump", "S.sqlite"], ["query", "S.sqlite", "Letter"], ["digest", "S.sqlite"],
      ["migrate", "S.sqlite", "--to", "v2", "-o", "O.sqlite"],
      ["migrate", "S.sqlite", "--to", "v4", "-o", "O.sqlite"],
      ["migrate", "S.sqlite", "--to", "v4"], ["migrate", "S.sqlite", "--to", "v2"],
      ["coverage", "S.sqlite", "--run", "--rows", "5"],
    ]

    /// The bytes of the store before any attack.
    private static let soundStore = Result {
      try TemporaryFolder.with { folder in
        let models = SampleArchive.root + "/Letters.xcdatamodeld"
        let made = CommandRun(
          ["generate", "v1", "--rows", "40", "--seed", "1", "-o", "S.sqlite", "--models", models],
          in: folder
        )
        try #require(made.status == .success, "\(made.errors)")
        return try #require(TemporaryFolder.bytes(of: folder + "/S.sqlite"))
      }
    }

    /// Makes the folder, and changes the store as an attacker would.
    static func with(_ script: (Attack) -> String, _ body: (Attack) throws -> Void) throws {
      try TemporaryFolder.with { folder in
        let attack = Attack(folder: folder)
        try TemporaryFolder.write(soundStore.get(), to: attack.store)
        try AppDatabase.run(attack.victim, "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        try AppDatabase.run(attack.store, script(attack) + "; PRAGMA journal_mode = DELETE")
        try body(attack)
      }
    }

    /// Runs each verb, and proves that nothing but what it may make was made or changed.
    ///
    /// - Parameter turn: The number of the attack among those of a test: where not all trials are made, three
    ///   attacks share the verbs.
    func run(_ turn: Int, expecting status: CommandStatus, naming name: String) throws {
      let before = (TemporaryFolder.bytes(of: store), TemporaryFolder.bytes(of: victim))
      for (number, verb) in Self.verbs.enumerated()
      where Trials.areAll || number % 3 == turn % 3 {
        let start = Date()
        let run = CommandRun(
          verb + ["--models", SampleArchive.root + "/Letters.xcdatamodeld"],
          in: folder
        )
        // What coverage cannot try it tells of the path.
        let wanted = verb[0] == "coverage" ? [status, .answerIsNo] : [status]
        #expect(wanted.contains(run.status), "\(verb): \(run.status) \(run.errors)")
        #expect((run.errors + run.output).contains(name), "\(verb): \(run.errors)")
        #expect(TemporaryFolder.bytes(of: store) == before.0, "\(verb)")
        #expect(TemporaryFolder.bytes(of: victim) == before.1, "\(verb)")
        #expect(TemporaryFolder.names(in: folder) == ["S.sqlite", "victim.sqlite"], "\(verb)")
        #expect(Date().timeIntervalSince(start) < 20, "\(verb)")
      }
    }
  }

  /// Adds a text to what makes an object.
  private static func append(_ text: String, to name: String) -> String {
    """
    PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = sql || '\(text.replacing("'", with: "''"))' WHERE name = '\(name)';
    PRAGMA writable_schema = OFF
    """
  }

  @Test(arguments: Array(["table", "view", "index", "trigger"].enumerated()))
  func `runs no statement that stands behind a CREATE`(number: Int, kind: String) throws {  // C2
    let payloads = ["ATTACH 'VICTIM' AS z; DELETE FROM z.t", "COMMIT; VACUUM INTO 'MADE'; BEGIN"]
    for (index, payload) in payloads.enumerated() {
      try Attack.with({ attack in
        let text = payload.replacing("VICTIM", with: attack.victim)
          .replacing("MADE", with: attack.folder + "/made.sqlite")
        return """
          CREATE TABLE app_table (a); INSERT INTO app_table VALUES (1);
          CREATE VIEW app_view AS SELECT a FROM app_table;
          CREATE INDEX app_index ON app_table (a);
          CREATE TRIGGER app_trigger AFTER INSERT ON app_table BEGIN DELETE FROM app_table; END;
          \(Self.append("; " + text, to: "app_\(kind)"))
          """
      }) { try $0.run(number + 2 * index, expecting: .damagedInput, naming: "app_\(kind)") }
    }
  }

  @Test(arguments: Array(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ZLETTER"].enumerated()))
  func `takes no view for a table of Core Data's`(number: Int, name: String) throws {  // M8 M15
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    let columns = [
      "Z_PRIMARYKEY": "i AS Z_ENT, 'x' || i AS Z_NAME, 0 AS Z_SUPER, 1 AS Z_MAX",
      "Z_METADATA": "1 AS Z_VERSION, 'x' AS Z_UUID, x'00' AS Z_PLIST",
      "Z_MODELCACHE": "x'00' AS Z_CONTENT", "ZLETTER": "i AS Z_PK, 1 AS Z_ENT, 1 AS Z_OPT",
    ]
    try Attack.with({ _ in
      "ALTER TABLE \(name) RENAME TO away; CREATE VIEW \(name) AS \(endless) "
        + "SELECT \(columns[name] ?? "") FROM n"
    }) { try $0.run(number, expecting: .damagedInput, naming: name) }
  }

  @Test(arguments: [
    (0, "Z_METADATA", "ALTER TABLE Z_METADATA DROP COLUMN Z_UUID"),
    (1, "Z_METADATA", "ALTER TABLE Z_METADATA RENAME COLUMN Z_PLIST TO ZX"),
    (2, "Z_PRIMARYKEY", "ALTER TABLE Z_PRIMARYKEY DROP COLUMN Z_MAX"),
    (3, "Z_PRIMARYKEY", "DROP TABLE Z_PRIMARYKEY"),
    (4, "Z_MODELCACHE", "ALTER TABLE Z_MODELCACHE RENAME COLUMN Z_CONTENT TO ZX"),
  ])
  func `has all columns of Core Data's own tables`(number: Int, name: String, change: String) throws
  {
    try Attack.with({ _ in change }) { try $0.run(number, expecting: .damagedInput, naming: name) }
  }

  @Test(arguments: [
    ("ZLETTER.ZTITLE", "ALTER TABLE ZLETTER DROP COLUMN ZTITLE"),
    (
      "ZLETTER.Z_ENT",
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'Z_ENT', 'Z_ENX') "
        + "WHERE name = 'ZLETTER'; PRAGMA writable_schema = OFF"
    ),
    ("ZENCLOSURE", "DROP TABLE ZENCLOSURE"),
  ])
  func `has the tables and columns by which its rows are read`(name: String, change: String) throws
  {
    try Attack.with({ _ in change }) { attack in
      for verb in [
        ["digest", "S.sqlite"], ["compare", "S.sqlite", "S.sqlite"],
        ["plan", "S.sqlite", "--to", "v4"], ["validate", "S.sqlite"],
      ] {
        let models = SampleArchive.root + "/Letters.xcdatamodeld"
        let run = CommandRun(verb + ["--models", models], in: attack.folder)
        #expect(run.status == .damagedInput, "\(verb): \(run.status) \(run.errors)")
        #expect(run.errors.contains(name) && run.errors.contains("S.sqlite"), "\(run.errors)")
      }
    }
  }

  @Test(arguments: Array(["ACHANGE", "ATRANSACTION"].enumerated()))
  func `takes no view for the history`(number: Int, name: String) throws {  // M15
    try Attack.with({ _ in "CREATE VIEW \(name) AS SELECT 1 AS ZENTITY, 2 AS ZCOLUMNS" }) {
      try $0.run(number, expecting: .damagedInput, naming: name)
    }
  }

  @Test func `takes no virtual table for a table of Core Data's`() throws {  // M15
    try Attack.with({ _ in
      "DROP TABLE Z_MODELCACHE; CREATE VIRTUAL TABLE Z_MODELCACHE USING fts5(Z_CONTENT)"
    }) { try $0.run(2, expecting: .damagedInput, naming: "Z_MODELCACHE") }
  }

  @Test(arguments: Array(["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].enumerated()))
  func `has no trigger on a table of Core Data's own`(number: Int, name: String) throws {  // C5
    try Attack.with({ _ in
      "CREATE TABLE app (a); INSERT INTO app VALUES (1); "
        + "CREATE TRIGGER spy AFTER INSERT ON \(name) BEGIN UPDATE app SET a = 77; END"
    }) { try $0.run(number, expecting: .damagedInput, naming: "spy") }
  }

  @Test(
    arguments: Array(["Z_PK INTEGER PRIMARY KEY, ZCOLUMNS BLOB", "ZENTITY INTEGER"].enumerated())
  )
  func `has a history that says what changed`(number: Int, columns: String) throws {  // M15
    try Attack.with({ _ in "CREATE TABLE ACHANGE (\(columns))" }) {
      try $0.run(number + 1, expecting: .damagedInput, naming: "ACHANGE")
    }
  }

  @Test func `has no table with a name that the next version needs`() throws {  // M15
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", SketchedModel.book([("title", "")])),
          (
            "v2",
            SketchedModel.book([("title", ""), ("more", "")])
              + SketchedModel.book([("name", "")]).replacing("Book", with: "Author")
          ),
        ],
        into: "\(folder)/ModelArchive"
      )
      let made = CommandRun("generate", "v1", "--rows", "5", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        folder + "/S.sqlite",
        "CREATE TABLE zauthor (a); PRAGMA journal_mode = DELETE"
      )
      let before = TemporaryFolder.bytes(of: folder + "/S.sqlite")
      for arguments in [["-o", "O.sqlite"], []] {
        let run = CommandRun(["migrate", "S.sqlite", "--to", "v2"] + arguments, in: folder)
        #expect(run.status == .noPath, "\(run.errors)")
        #expect(run.errors.contains("zauthor"), "\(run.errors)")
        #expect(TemporaryFolder.bytes(of: folder + "/S.sqlite") == before)
        #expect(TemporaryFolder.names(in: folder) == ["ModelArchive", "S.sqlite"])
      }
    }
  }

  @Test(arguments: ["v2", "v4"])
  func `keeps what is the app's own, and runs nothing of it`(version: String) throws {  // C5
    try Attack.with({ _ in
      """
      CREATE TABLE app (a, b); INSERT INTO app VALUES (1, 2), (3, 4);
      CREATE VIEW inner_view AS SELECT a FROM app; CREATE VIEW outer_view AS SELECT a FROM inner_view;
      CREATE TRIGGER app_insert AFTER INSERT ON app BEGIN UPDATE app SET b = unknown(77); END;
      CREATE TRIGGER view_insert INSTEAD OF INSERT ON outer_view BEGIN
        INSERT INTO app VALUES (NEW.a, 0); END;
      CREATE TRIGGER letter_update AFTER UPDATE ON ZLETTER BEGIN DELETE FROM app; END
      """
    }) { attack in
      for arguments in [["-o", "O.sqlite"], []] {
        let run = CommandRun(
          ["migrate", "S.sqlite", "--to", version, "--models"]
            + [SampleArchive.root + "/Letters.xcdatamodeld"] + arguments,
          in: attack.folder
        )
        #expect(run.status == .success, "\(run.errors)")
        let path = attack.folder + (arguments.isEmpty ? "/S.sqlite" : "/O.sqlite")
        let result = try AppDatabase(path)
        #expect(try result.rows("SELECT a, b FROM app ORDER BY a") == [[1, 2], [3, 4]])
        #expect(try result.rows("SELECT a FROM outer_view ORDER BY a") == [[1], [3]])
        let texts = try result.rows(
          "SELECT sql FROM sqlite_master WHERE type IN ('view', 'trigger') AND tbl_name <> 'ZLETTER' "
            + "ORDER BY name"
        ).compactMap { $0[0].text?.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        #expect(
          texts == [
            "CREATE TRIGGER app_insert AFTER INSERT ON app BEGIN UPDATE app SET b = unknown(77); END",
            "CREATE VIEW inner_view AS SELECT a FROM app",
            "CREATE VIEW outer_view AS SELECT a FROM inner_view",
            "CREATE TRIGGER view_insert INSTEAD OF INSERT ON outer_view BEGIN "
              + "INSERT INTO app VALUES (NEW.a, 0); END",
          ]
        )
      }
    }
  }
}
