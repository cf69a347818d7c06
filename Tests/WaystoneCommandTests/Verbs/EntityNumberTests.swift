import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Stores whose rows, or `Z_PRIMARYKEY`, have numbers that do not mean what the model says.
@Suite struct EntityNumberTests {
  /// A change of a store, and the report of every verb then.
  struct Case: Sendable, CustomTestStringConvertible {
    let model: String
    let from: String
    let to: String
    let damage: String
    let words: String

    var testDescription: String { "\(model): \(damage)" }
  }

  static let cases = [
    Case(
      model: "Library",
      from: "v1",
      to: "v2",
      damage: "UPDATE ZNOTE SET Z_ENT = 9 WHERE Z_PK IN (3, 7)",
      words: "2 rows of Note"
    ),
    Case(
      model: "Library",
      from: "v1",
      to: "v2",
      damage: "UPDATE ZNOTE SET Z_ENT = NULL WHERE Z_PK = 5",
      words: "1 row of Note"
    ),
    Case(
      model: "Letters",
      from: "v1",
      to: "v4",
      damage: "UPDATE ZLETTER SET Z_ENT = 6 WHERE Z_PK = 2",
      words: "1 row of Letter"
    ),
    Case(
      model: "Letters",
      from: "v1",
      to: "v2",
      damage: "UPDATE ZCORRESPONDENT SET Z_ENT = 1 WHERE Z_PK = 1",
      words: "1 row of Correspondent"
    ),
  ]

  private static func make(_ example: Case, in folder: String) throws -> String {
    let path = "\(folder)/S.sqlite"
    let models = "\(SampleArchive.root)/\(example.model).xcdatamodeld"
    let made = CommandRun(
      ["generate", example.from, "--rows", "60", "-o", path, "--models", models]
    )
    #expect(made.status == .success, "\(made.errors)")
    do {
      try AppDatabase.run(
        path,
        example.damage + "; PRAGMA wal_checkpoint(TRUNCATE)"
      )
    }
    return path
  }

  @Test(arguments: cases)
  func `rows of no entity are told before anything is written, by every verb`(  // C4
    _ example: Case
  ) throws {
    try TemporaryFolder.with { folder in
      let path = try Self.make(example, in: folder)
      let models = SampleArchive.root
      let before = TemporaryFolder.bytes(of: path)

      let plan = CommandRun(["plan", path, "--to", to(example), "--models", models])
      #expect(plan.status == .answerIsNo, "\(plan.output)\(plan.errors)")
      #expect(plan.words.contains("WS524") && plan.words.contains(example.words), "\(plan.output)")

      let verify = CommandRun(["verify", path, "--models", models])
      #expect(verify.status == .answerIsNo, "\(verify.output)")

      for output in [[], ["-o", "\(folder)/O.sqlite"]] {
        let run = CommandRun(["migrate", path, "--to", to(example), "--models", models] + output)
        #expect(run.status == .damagedInput, "\(run.output)\(run.errors)")
        #expect(run.errors.contains(example.words), "\(run.errors)")
        #expect(isUnchanged(path, before))
        #expect(TemporaryFolder.names(in: folder) == ["S.sqlite"])
      }
    }
  }

  private func to(_ example: Case) -> String { "\(example.model)/\(example.to)" }

  @Test func `numbers that name another entity never turn objects into it`() throws {  // C7
    try TemporaryFolder.with { folder in
      let example = Case(
        model: "Letters",
        from: "v1",
        to: "v4",
        damage: "UPDATE Z_PRIMARYKEY SET Z_NAME = CASE Z_ENT WHEN 2 THEN 'Person' "
          + "ELSE 'Institution' END WHERE Z_ENT IN (2, 3); "
          + "UPDATE ZCORRESPONDENT SET Z_ENT = 5 - Z_ENT",
        words: "Z_PRIMARYKEY contradicts the model"
      )
      let path = try Self.make(example, in: folder)
      let before = TemporaryFolder.bytes(of: path)
      let models = SampleArchive.root
      let verify = CommandRun(["verify", path, "--models", models])
      #expect(verify.status == .answerIsNo, "\(verify.output)")
      let plan = CommandRun(["plan", path, "--to", "Letters/v4", "--models", models])
      #expect(plan.status == .answerIsNo && plan.words.contains(example.words), "\(plan.output)")
      let run = CommandRun(["migrate", path, "--to", "Letters/v4", "--models", models])
      #expect(run.status == .damagedInput, "\(run.output)\(run.errors)")
      #expect(run.errors.contains("number 2 is Institution in the model, and Person there"))
      #expect(isUnchanged(path, before))
    }
  }

  @Test func `a name that Core Data left at a rename stops nothing`() throws {
    try TemporaryFolder.with { folder in
      let example = Case(
        model: "Letters",
        from: "v1",
        to: "v4",
        damage: "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Subject' WHERE Z_ENT = 6",
        words: ""
      )
      let path = try Self.make(example, in: folder)
      let models = SampleArchive.root
      #expect(CommandRun(["verify", path, "--models", models]).status == .success)
      let run = CommandRun(["migrate", path, "--to", "Letters/v4", "--models", models])
      #expect(run.status == .success, "\(run.output)\(run.errors)")
    }
  }

  @Test func `a table whose keys may recur is refused`() throws {  // F5
    try TemporaryFolder.with { folder in
      let example = Case(
        model: "Library",
        from: "v1",
        to: "v2",
        damage: """
          CREATE TABLE T (Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZDATECREATED TIMESTAMP,
            ZBODY VARCHAR, ZCATEGORY VARCHAR, ZTITLE VARCHAR);
          INSERT INTO T SELECT Z_PK, Z_ENT, Z_OPT, ZDATECREATED, ZBODY, ZCATEGORY, ZTITLE FROM ZNOTE;
          INSERT INTO T SELECT Z_PK, Z_ENT, Z_OPT, ZDATECREATED, ZBODY, ZCATEGORY, ZTITLE FROM ZNOTE;
          DROP TABLE ZNOTE; ALTER TABLE T RENAME TO ZNOTE
          """,
        words: ""
      )
      let path = try Self.make(example, in: folder)
      let models = SampleArchive.root
      let verify = CommandRun(["verify", path, "--models", models])
      #expect(verify.status == .answerIsNo && verify.output.contains("primary key"))
      let run = CommandRun(["migrate", path, "--to", "Library/v2", "--models", models])
      #expect(run.status != .success && run.errors.contains("the primary key of ZNOTE"))
    }
  }
}
