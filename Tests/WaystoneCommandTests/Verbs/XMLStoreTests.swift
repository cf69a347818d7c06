import Foundation
import MigrationTestSupport
import StoreAccess
import StoreGeneration
import Testing
import Waystone
import WaystoneCommand

/// Stores of the XML kind as sources.
@Suite struct XMLStoreTests {
  private static let models = ["--models", "\(SampleArchive.root)/Letters.xcdatamodeld"]

  /// Lends a folder with `made.sqlite`, and with `old.xml`, which has the same objects.
  private func with(
    rows: Int = 200,
    _ body: (_ folder: String, _ text: XMLStoreText) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let model = try SampleArchive.version("Letters", "v1").model
      try StoreGenerator(model: model, rows: rows, seed: 3).write(to: folder + "/made.sqlite")
      let text = try XMLStoreText(of: folder + "/made.sqlite", model: model)
      try TemporaryFolder.write(Array(text.text.utf8), to: folder + "/old.xml")
      try body(folder, text)
      #expect(TemporaryFolder.bytes(of: folder + "/old.xml") == Array(text.text.utf8))
    }
  }

  private func run(_ words: String..., in folder: String) -> CommandRun {
    CommandRun(words + Self.models, in: folder)
  }

  @Test func `inspect states kind, version, identifier and counts`() throws {
    try with { folder, _ in
      let run = run("inspect", "old.xml", in: folder)
      #expect(run.status == .success)
      #expect(run.output.contains("XML (NSXMLStoreType)"), "\(run.output)")
      #expect(run.words.contains("version v1 exact"), "\(run.output)")
      #expect(run.words.contains("Letter 40"), "\(run.output)")
      // Without models, too.
      let alone = CommandRun("inspect", "old.xml", in: folder)
      #expect(alone.words.contains("Letter 40"), "\(alone.output)\(alone.errors)")
    }
  }

  @Test func `plan and dry run write nothing, and in place is refused`() throws {
    try with { folder, _ in
      let plan = run("plan", "old.xml", in: folder)
      #expect(plan.status == .success, "\(plan.output)\(plan.errors)")
      let dry = run("migrate", "old.xml", "--dry-run", "-o", "new.sqlite", in: folder)
      #expect(dry.status == .success, "\(dry.output)\(dry.errors)")
      for words in [["migrate", "old.xml"], ["migrate", "old.xml", "--to", "v1"]] {
        let refused = CommandRun(words + Self.models, in: folder)
        #expect(refused.status == .damagedInput, "\(refused.output)\(refused.errors)")
        #expect(refused.errors.contains("--output"), "\(refused.errors)")
      }
      #expect(
        !TemporaryFolder.names(in: folder).contains {
          $0.hasPrefix("new") || $0.hasPrefix("old.xml.")
        }
      )
    }
  }

  @Test func `objects are queried and dumped as those of any store`() throws {
    try with { folder, _ in
      for words in [["query", "STORE", "Letter where pages > 1"], ["dump", "STORE", "Letter"]] {
        let outputs = try ["made.sqlite", "old.xml"].map { store in
          let own = words.map { $0 == "STORE" ? store : $0 } + ["--format", "ndjson"]
          let run = try ProcessRun(own + Self.models, in: folder)
          #expect(run.status == 0, "\(run.errors)")
          return run.output.split(separator: "\n").count
        }
        #expect(outputs[0] == outputs[1] && outputs[0] > 10, "\(outputs)")
      }
    }
  }

  @Test func `coverage tries it`() throws {
    try with { folder, _ in
      let run = run("coverage", "old.xml", "--run", in: folder)
      #expect(run.output.contains("old.xml"), "\(run.output)\(run.errors)")
      #expect(!run.output.contains("cannot be read"), "\(run.output)")
      #expect(!run.output.contains("did not arrive"), "\(run.output)")
    }
  }

  @Test func `a batch writes stores of the SQLite kind into its tree, and refuses them in place`()
    throws
  {
    try with { folder, text in
      try FileManager.default.createDirectory(
        atPath: folder + "/in",
        withIntermediateDirectories: true
      )
      for name in ["old.xml", "made.sqlite"] {
        try FileManager.default.copyItem(
          atPath: "\(folder)/\(name)",
          toPath: "\(folder)/in/\(name)"
        )
      }
      let words = ["batch", "in", "--to", "v3", "--output", "out"]
      let batch = try ProcessRun(words + Self.models, in: folder)
      #expect(batch.status == 0, "\(batch.output)\(batch.errors)")
      let found = try XMLStoreText.differences(
        folder + "/out/in/made.sqlite",
        folder + "/out/in/old.sqlite",
        SampleArchive.version("Letters", "v3").model,
        offsets: text.offsets
      )
      #expect(found == [])
      let again = try ProcessRun(words + Self.models, in: folder)
      #expect(again.status == 0, "\(again.output)\(again.errors)")
      for more in [["--dry-run"], []] {
        let words = ["batch", "in", "--to", "v3", "--in-place"] + more + Self.models
        let inPlace = try ProcessRun(words, in: folder)
        #expect(inPlace.status == 1)
        #expect(inPlace.output.contains("NSXMLStoreType"), "\(inPlace.output)\(inPlace.errors)")
      }
    }
  }

  @Test func `a killed run leaves the original, and is resumed`() throws {
    try with(rows: 3000) { folder, text in
      let words =
        ["migrate", "old.xml", "--to", "v3", "-o", "new.sqlite", "--progress", "ndjson"]
        + Self.models
      let killed = try ProcessRun(words, in: folder, stoppedBy: SIGKILL)
      #expect(killed.status == -1, "\(killed.errors)")
      #expect(TemporaryFolder.bytes(of: folder + "/old.xml") == Array(text.text.utf8))
      let resumed = try ProcessRun(["resume", "new.sqlite"] + Self.models, in: folder)
      #expect(resumed.status == 0, "\(resumed.output)\(resumed.errors)")
      let result = try SQLiteConnection(path: folder + "/new.sqlite", access: .readOnly)
      #expect(try result.integer("SELECT COUNT(*) FROM ZLETTER") == 600)
      #expect(try result.text("PRAGMA integrity_check") == "ok")
      let left = TemporaryFolder.names(in: folder).filter { $0.contains(".waystone") }
      #expect(left == [])
    }
  }
}
