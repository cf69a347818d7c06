import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// `migrate --dry-run` says what the run with the same options would do.
@Suite struct DryRunTests {
  private func with(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      let made = CommandRun("generate", "v1", "--rows", "50", "-o", "S.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      try body(folder)
    }
  }

  /// Runs with and without `--dry-run`, the dry run first, which leaves all files alone.
  private func both(_ more: String..., in folder: String) -> (dry: CommandRun, run: CommandRun) {
    let before = TemporaryFolder.names(in: folder)
    let dry = CommandRun(["migrate", "S.sqlite", "--dry-run"] + more, in: folder)
    #expect(TemporaryFolder.names(in: folder) == before)
    return (dry, CommandRun(["migrate", "S.sqlite"] + more, in: folder))
  }

  @Test func `a run that succeeds is foretold`() throws {
    try with { folder in
      let (dry, run) = both("-o", "R.sqlite", in: folder)
      #expect(dry.status == .success && run.status == .success, "\(dry.errors) \(run.errors)")
      #expect(dry.output.contains("1 hop"))
    }
  }

  @Test(arguments: [
    ["-o", "S.sqlite-wal"], ["-o", "T.sqlite-wal"], ["-o", "T.sqlite-journal"], ["-o", "R.sqlite"],
    ["-o", "R.sqlite", "--certificate", "S.sqlite-wal"],
  ])
  func `an output that cannot be used is refused by both`(arguments: [String]) throws {
    try with { folder in
      if arguments == ["-o", "R.sqlite"] {
        try SketchedModel.write("a log", to: "\(folder)/R.sqlite-wal")
      }
      let dry = CommandRun(["migrate", "S.sqlite", "--dry-run"] + arguments, in: folder)
      let run = CommandRun(["migrate", "S.sqlite"] + arguments, in: folder)
      #expect(dry.status == run.status && dry.status == .cannotCreate, "\(dry.errors)")
      #expect(dry.errors == run.errors)
    }
  }

  @Test(arguments: [["-o", "R.sqlite"], []])
  func `a store that another process has open is refused by both`(more: [String]) throws {
    try with { folder in
      let app = try AppDatabase("\(folder)/S.sqlite")
      try app.execute("BEGIN IMMEDIATE")
      let dry = try ProcessRun(["migrate", "S.sqlite", "--dry-run"] + more, in: folder)
      let run = try ProcessRun(["migrate", "S.sqlite"] + more, in: folder)
      try app.execute("COMMIT")
      #expect(dry.status == 6 && run.status == 6, "\(dry.errors) \(run.errors)")
    }
  }

  @Test func `a batch foretells that a store which it only copies is open elsewhere`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      try FileManager.default.createDirectory(
        atPath: "\(folder)/in",
        withIntermediateDirectories: true
      )
      let made = CommandRun("generate", "v10", "--rows", "5", "-o", "in/S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let arguments = ["batch", "in", "--to", "v10", "--output", "out"]
      #expect(try ProcessRun(arguments + ["--dry-run"], in: folder).status == 0)
      let app = try AppDatabase("\(folder)/in/S.sqlite")
      try app.execute("BEGIN IMMEDIATE")
      let dry = try ProcessRun(arguments + ["--dry-run"], in: folder)
      let run = try ProcessRun(arguments, in: folder)
      try app.execute("COMMIT")
      #expect(dry.status == 1 && run.status == 1, "\(dry.output) \(run.output)")
    }
  }

  @Test func `an unfinished run stands in the way of both, unless it is thrown away`() throws {
    try with { folder in
      // As a run leaves it that was killed before its first checkpoint.
      let path = "\(folder)/S.sqlite.waystone"
      let made = CommandRun("migrate", "S.sqlite", "-o", "R.sqlite", in: folder)
      #expect(made.status == .success)
      try FileManager.default.removeItem(atPath: "\(folder)/R.sqlite")
      let stopped = try ProcessRun(
        ["migrate", "S.sqlite", "--progress", "ndjson"],
        in: folder,
        stoppedBy: SIGKILL
      )
      try #require(stopped.status == -1 && FileManager.default.fileExists(atPath: path))
      let dry = CommandRun("migrate", "S.sqlite", "--dry-run", in: folder)
      #expect(dry.status == .interrupted, "\(dry.output) \(dry.errors)")
      #expect(dry.errors.contains("An unfinished run stands at"))
      for more in [["--dry-run"], []] {
        let batch = ["batch", "S.sqlite", "--in-place", "--ledger", "l.sqlite"] + more
        let run = try ProcessRun(batch, in: folder)
        #expect(run.status == 1 && run.output.contains("unfinished"), "\(run.output) \(run.errors)")
      }
      let restarted = CommandRun("migrate", "S.sqlite", "--dry-run", "--restart", in: folder)
      #expect(restarted.status == .success, "\(restarted.errors)")
      #expect(CommandRun("migrate", "S.sqlite", in: folder).status == .interrupted)
    }
  }

  @Test func `a run that is not verified ends by saying so`() throws {
    try with { folder in
      let (_, run) = both("--verify", "none", in: folder)
      #expect(run.status == .success)
      let last = run.output.split(separator: "\n").last ?? ""
      #expect(last.contains("not verified") && last.contains("--verify none"), "\(run.output)")
    }
  }

  @Test(arguments: ["verify", "validate", "inspect"])
  func `models that are named and not there are missing, not passed over`(verb: String) throws {
    try with { folder in
      #expect(
        CommandRun(verb, "S.sqlite", "--models", "Nowhere", in: folder).status == .missingInput
      )
      try FileManager.default.removeItem(atPath: "\(folder)/ModelArchive")
      #expect(CommandRun("verify", "S.sqlite", in: folder).status == .success)
      // What cannot be seen is not absent.
      #expect(symlink("ModelArchive", "\(folder)/ModelArchive") == 0)
      #expect(CommandRun(verb, "S.sqlite", in: folder).status != .success)
    }
  }
}
