import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// SQL that a person wrote into a mapping file.
@Suite struct `SQL of mapping files` {
  /// A project with a hop file, a store of its first version, and a database that nobody may touch.
  private static func with(
    _ sql: String,
    configuration: String? = nil,
    _ body: (String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", SketchedModel.book([("title", "")])),
          ("v2", SketchedModel.book([("title", ""), ("more", "")])),
        ],
        into: "\(folder)/ModelArchive"
      )
      let text = sql.replacing("VICTIM", with: folder + "/victim.sqlite")
        .replacing("SOURCE", with: folder + "/S.sqlite")
        .replacing("MADE", with: folder + "/made.sqlite")
      try SketchedModel.write(
        """
        from: v1
        to: v2
        sql: {before: ["\(text)"]}
        entities: [{source: Book, attributes: {more: $source.title}}]
        """,
        to: "\(folder)/ModelArchive/Hops/v1-to-v2.hop.yml"
      )
      if let configuration {
        try SketchedModel.write(configuration, to: folder + "/waystone.yml")
      }
      let made = CommandRun("generate", "v1", "--rows", "20", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(folder + "/S.sqlite", "PRAGMA journal_mode = DELETE")
      try AppDatabase.run(folder + "/victim.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      try body(folder)
    }
  }

  private static let harmless = "UPDATE ZBOOK SET ZTITLE = 'by hand' WHERE Z_PK = 1"

  @Test(
    arguments: [
      ("ATTACH 'SOURCE' AS z; DELETE FROM z.ZBOOK", "ATTACH"),
      ("ATTACH 'VICTIM' AS z; DELETE FROM z.t", "ATTACH"),
      ("COMMIT; VACUUM INTO 'MADE'; BEGIN", "transaction"), ("VACUUM INTO 'MADE'", "VACUUM"),
      ("ROLLBACK", "transaction"), ("PRAGMA writable_schema = ON", "writable_schema"),
      ("SELECT load_extension('x')", "load_extension"),
      (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) DELETE FROM ZBOOK "
          + "WHERE Z_PK = (SELECT SUM(i) FROM n)", "more work"
      ),
    ]
  )
  func `leaves its own file never`(sql: String, named: String) throws {  // C8
    try Self.with(sql) { folder in
      let paths = [folder + "/S.sqlite", folder + "/victim.sqlite"]
      let before = paths.map { TemporaryFolder.bytes(of: $0) }
      // The bound of work is reached in seconds, and is one for both.
      for arguments in [["-o", "O.sqlite"], []] where named != "more work" || arguments.isEmpty {
        let run = CommandRun(["migrate", "S.sqlite", "--allow-sql"] + arguments, in: folder)
        #expect(run.status == .migrationFailed, "\(run.errors)")
        #expect(run.errors.contains("v1-to-v2.hop.yml"), "\(run.errors)")
        #expect(run.errors.contains(named), "\(run.errors)")
        #expect(paths.map { TemporaryFolder.bytes(of: $0) } == before)
        #expect(!FileManager.default.fileExists(atPath: folder + "/made.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: folder + "/O.sqlite"))
      }
    }
  }

  @Test func `runs only where it is allowed`() throws {  // C8
    try Self.with(Self.harmless) { folder in
      let before = TemporaryFolder.bytes(of: folder + "/S.sqlite")
      for verb in [["migrate", "S.sqlite"], ["migrate", "S.sqlite", "-o", "O.sqlite"]] {
        let run = CommandRun(verb, in: folder)
        #expect(run.status == .noPath)
        #expect(run.errors.contains("v1-to-v2.hop.yml") && run.errors.contains("--allow-sql"))
        #expect(TemporaryFolder.bytes(of: folder + "/S.sqlite") == before)
        #expect(
          TemporaryFolder.names(in: folder) == ["ModelArchive", "S.sqlite", "victim.sqlite"]
        )
      }
      let plan = CommandRun("plan", "S.sqlite", in: folder)
      #expect(plan.status == .noPath && plan.words.contains("needs --allow-sql"), "\(plan.output)")
      #expect(CommandRun("plan", "S.sqlite", "--allow-sql", in: folder).status == .success)
      let tried = CommandRun("coverage", "--run", "--rows", "5", in: folder)
      #expect(tried.words.contains("runs SQL of v1-to-v2.hop.yml"), "\(tried.output)")
      let run = CommandRun("migrate", "S.sqlite", "-o", "O.sqlite", "--allow-sql", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let result = try AppDatabase(folder + "/O.sqlite")
      #expect(try result.text("SELECT ZMORE FROM ZBOOK WHERE Z_PK = 1") == "by hand")
    }
  }

  @Test(arguments: ["DROP TABLE ZBOOK", "DELETE FROM Z_METADATA", "DROP TABLE Z_METADATA"])
  func `that takes a table of the store away is named, and nothing is to be reported`(
    sql: String
  ) throws {
    try Self.with(sql) { folder in
      let before = TemporaryFolder.bytes(of: folder + "/S.sqlite")
      let run = CommandRun("migrate", "S.sqlite", "-o", "O.sqlite", "--allow-sql", in: folder)
      #expect(run.status == .migrationFailed, "\(run.errors)")
      #expect(run.errors.contains("v1-to-v2.hop.yml ran"), "\(run.errors)")
      #expect(run.errors.contains("Correct the SQL"), "\(run.errors)")
      #expect(!run.errors.contains("eport this") && !run.errors.contains("backup"))
      #expect(TemporaryFolder.bytes(of: folder + "/S.sqlite") == before)
    }
  }

  @Test(arguments: [
    ("true", true), ("[ModelArchive/Hops/*.hop.yml]", true), ("[ModelArchive]", true),
    ("[./ModelArchive/*/v1*v2.hop.yml]", true), ("[Elsewhere/*.hop.yml]", false), ("false", false),
    ("[ModelArchive/*.hop.yml]", false), ("[../*]", false),
  ])
  func `of the repository may be allowed in waystone.yml`(value: String, isAllowed: Bool) throws {
    try Self.with(Self.harmless, configuration: "allowSQL: \(value)\n") { folder in
      let run = CommandRun("migrate", "S.sqlite", "-o", "O.sqlite", in: folder)
      #expect(run.status == (isAllowed ? .success : .noPath), "\(run.errors)")
    }
  }

  @Test func `of a file elsewhere is never allowed by waystone.yml`() throws {  // C8
    try Self.with(Self.harmless, configuration: "allowSQL: true\n") { folder in
      try TemporaryFolder.with { other in
        let inside = "\(folder)/ModelArchive/Hops"
        try FileManager.default.moveItem(atPath: inside, toPath: other + "/Hops")
        for mappings in [other + "/Hops", "Link"] {
          if mappings == "Link" {
            try FileManager.default.createSymbolicLink(
              atPath: folder + "/Link",
              withDestinationPath: other + "/Hops"
            )
          }
          let run = CommandRun(
            ["migrate", "S.sqlite", "-o", "O.sqlite", "--mappings", mappings],
            in: folder
          )
          #expect(run.status == .noPath, "\(run.errors)")
        }
      }
    }
  }
}
