import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// `migrate --defer-cleanup` and `finish`, on stores of models of our own.
@Suite struct FinishTests {
  /// Runs a closure in a folder with `A.sqlite` of Notes v2 and the models beside it.
  private func with(rows: Int = 50, _ body: (_ folder: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try FileManager.default.copyItem(
        atPath: SampleArchive.root,
        toPath: "\(folder)/ModelArchive"
      )
      try run(folder, "generate", "Notes/v2", "--rows", "\(rows)", "--seed", "5", "-o", "A.sqlite")
      // The same notes with an attribute fewer.
      let text = try String(
        contentsOfFile: "\(folder)/ModelArchive/Notes.xcdatamodeld/v2.xcdatamodel/contents",
        encoding: .utf8
      )
      let lines = text.split(separator: "\n").filter { !$0.contains("<attribute name=\"image\"") }
      #expect(lines.count == text.split(separator: "\n").count - 1)
      let models = "\(folder)/Own/Notes.xcdatamodeld"
      for (name, content) in [("v2", text), ("v3", lines.joined(separator: "\n"))] {
        let version = "\(models)/\(name).xcdatamodel"
        try FileManager.default.createDirectory(
          atPath: version,
          withIntermediateDirectories: true
        )
        try content.write(toFile: version + "/contents", atomically: true, encoding: .utf8)
      }
      try body(folder)
    }
  }

  @discardableResult
  private func run(_ folder: String, _ arguments: String...) throws -> CommandRun {
    let run = CommandRun(arguments, in: folder)
    #expect(run.status == .success, "\(arguments): \(run.errors)")
    return run
  }

  @Test func `what is left is shown, accepted and removed`() throws {
    try with { folder in
      let migrate = try run(
        folder,
        "migrate",
        "A.sqlite",
        "--to",
        "v3",
        "--models",
        "Own",
        "--defer-cleanup"
      )
      #expect(migrate.output.contains("left for `waystone finish`: ZNOTE.ZIMAGE"))
      let inspect = try run(folder, "inspect", "A.sqlite", "--models", "Own")
      #expect(inspect.output.contains("pending: `waystone finish`"))
      let verify = try run(folder, "verify", "A.sqlite", "--models", "Own")
      #expect(verify.output.contains("ZNOTE.ZIMAGE waits for the cleanup"))
      // The model that the store carries is enough.
      try FileManager.default.removeItem(atPath: "\(folder)/Own")
      try FileManager.default.removeItem(atPath: "\(folder)/ModelArchive")
      let finish = try run(folder, "finish", "A.sqlite")
      #expect(finish.output.contains("removed: ZNOTE.ZIMAGE"))
      let again = try run(folder, "finish", "A.sqlite", "--format", "json").json()
      #expect(again["schema"] as? String == "waystone.finish/1")
      #expect(again["finished"] as? Bool == false)
      // The store's version is in no archive but its own.
      let after = CommandRun("inspect", "A.sqlite", in: folder)
      #expect(after.status == .noPath)
      #expect(!after.output.contains("pending"))
      try run(folder, "rollback", "A.sqlite")
      #expect(CommandRun("inspect", "A.sqlite", in: folder).output.contains("pending"))
    }
  }

  @Test func `a cleanup that was interrupted is resumed`() throws {
    try with(rows: 20_000) { folder in
      try run(folder, "migrate", "A.sqlite", "--to", "v3", "--models", "Own", "--defer-cleanup")
      let stopped = try ProcessRun(
        ["finish", "A.sqlite", "--models", "Own", "--progress", "ndjson"],
        in: folder,
        stoppedBy: SIGKILL
      )
      #expect(stopped.status == -1, "\(stopped.output)")
      let again = CommandRun("finish", "A.sqlite", "--models", "Own", in: folder)
      #expect(again.status == .interrupted, "\(again.errors)")
      let resumed = try run(folder, "resume", "A.sqlite", "--models", "Own")
      #expect(resumed.output.contains("removed: ZNOTE.ZIMAGE"))
      let verify = try run(folder, "verify", "A.sqlite", "--models", "Own")
      #expect(!verify.output.contains("ZIMAGE"))
    }
  }

  @Test func `a store that is not there or unknown is refused`() throws {
    try with { folder in
      #expect(CommandRun("finish", "B.sqlite", in: folder).status == .missingInput)
      let connection = try AppDatabase("\(folder)/A.sqlite")
      try connection.execute("DELETE FROM Z_MODELCACHE")
      try FileManager.default.removeItem(atPath: "\(folder)/ModelArchive")
      try FileManager.default.removeItem(atPath: "\(folder)/Own")
      #expect(CommandRun("finish", "A.sqlite", in: folder).status == .noPath)
    }
  }
}
