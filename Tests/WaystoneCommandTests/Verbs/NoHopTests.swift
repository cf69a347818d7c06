import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Stores that are of the wanted version already, and are asked what any store is asked.
@Suite struct NoHopTests {
  private func withStore(
    _ damage: String,
    _ body: (_ folder: String, _ run: (String...) -> CommandRun) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder + "/ModelArchive")
      let made = CommandRun("generate", "v10", "--rows", "20", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(folder + "/S.sqlite", "\(damage); PRAGMA wal_checkpoint(TRUNCATE)")
      try body(folder) { arguments in
        CommandRun(arguments + ["S.sqlite", "--to", "v10"], in: folder)
      }
    }
  }

  @Test(arguments: [1, 0, -9_223_372_036_854_775_808])
  func `a copy gets the greatest key right, and what stays as it is is told`(max: Int64) throws {
    try withStore("UPDATE Z_PRIMARYKEY SET Z_MAX = \(max)") { folder, run in
      for verb in ["plan", "migrate"] {
        let told = run(verb)
        #expect(told.status == .success, "\(told.output)\(told.errors)")
        #expect(told.words.contains("warning WS524") && told.words.contains("Z_MAX of Book"))
        #expect(told.words.contains("Nothing to do"))
      }
      let copied = run("migrate", "-o", "R.sqlite")
      #expect(copied.status == .success, "\(copied.output)\(copied.errors)")
      #expect(copied.words.contains("Z_MAX of Book was below its greatest key"))
      let result = try SQLiteConnection(path: folder + "/R.sqlite", access: .readOnly)
      #expect(try result.count("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'") == 20)
      let source = try SQLiteConnection(path: folder + "/S.sqlite", access: .readOnly)
      #expect(try source.count("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'") == max)
      #expect(CommandRun("verify", "R.sqlite", in: folder).status == .success)
    }
  }

  @Test func `rows of no entity stop plan and both ways of migrating`() throws {
    try withStore("UPDATE ZBOOK SET Z_ENT = 9 WHERE Z_PK = 3") { folder, run in
      let plan = run("plan")
      #expect(plan.status == .answerIsNo, "\(plan.output)")
      #expect(plan.words.contains("error WS524") && plan.words.contains("1 row of Book's table"))
      #expect(!plan.words.contains("Nothing to do"), "\(plan.output)")
      for more in [[], ["-o", "R.sqlite"]] {
        let told = CommandRun(["migrate", "S.sqlite", "--to", "v10"] + more, in: folder)
        #expect(told.status == .damagedInput, "\(told.output)\(told.errors)")
        #expect(told.errors.contains("1 row of Book's table"))
      }
      #expect(TemporaryFolder.names(in: folder).contains("R.sqlite") == false)
    }
  }

  @Test func `a store of which nothing is wrong has nothing to be told of`() throws {
    try withStore("UPDATE ZBOOK SET Z_OPT = Z_OPT + 1") { _, run in
      for verb in ["plan", "migrate"] {
        let told = run(verb)
        #expect(told.status == .success && !told.words.contains("WS524"), "\(told.output)")
      }
    }
  }
}
