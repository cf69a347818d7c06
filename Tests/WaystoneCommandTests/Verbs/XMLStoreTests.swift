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

  @Test(arguments: ["v1", "v2", "v3"])
  func `all objects arrive as those of the SQLite kind do`(version: String) throws {
    try with { folder, text in
      for store in ["made.sqlite", "old.xml"] {
        let run = run("migrate", store, "--to", version, "-o", "\(store).new", in: folder)
        #expect(run.status == .success, "\(run.output)\(run.errors)")
      }
      let model = try SampleArchive.version("Letters", version).model
      let found = try XMLStoreText.differences(
        folder + "/made.sqlite.new",
        folder + "/old.xml.new",
        model,
        offsets: text.offsets
      )
      #expect(found == [])
      let verified = run("verify", "old.xml.new", "--full", in: folder)
      #expect(verified.status == .success, "\(verified.output)\(verified.errors)")
    }
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

  @Test func `a store that does not state its version is taken for one that the user names`() throws
  {
    try with { folder, text in
      let start = try #require(text.text.range(of: "<plist"))
      let end = try #require(text.text.range(of: "</plist>"))
      var old = text.text
      old.removeSubrange(start.lowerBound..<end.upperBound)
      try TemporaryFolder.write(Array(old.utf8), to: folder + "/older.xml")
      let plain = run("plan", "older.xml", in: folder)
      #expect(plain.errors.contains("--assume"), "\(plain.errors)")
      let run = run(
        "migrate",
        "older.xml",
        "--assume",
        "v1",
        "--to",
        "v3",
        "-o",
        "n.sqlite",
        in: folder
      )
      #expect(run.status == .success, "\(run.output)\(run.errors)")
      let wrong = self.run("migrate", "older.xml", "--assume", "v2", "-o", "w.sqlite", in: folder)
      #expect(wrong.status != .success)
    }
  }

  @Test func `the library reads, plans and migrates it`() throws {
    try with { folder, _ in
      let models = try ModelArchive(
        contentsOf: URL(filePath: "\(SampleArchive.root)/Letters.xcdatamodeld")
      )
      let store = try Store(reading: URL(filePath: folder + "/old.xml"))
      #expect(
        store.versionHashes
          == (try SampleArchive.version("Letters", "v1").model.entityVersionHashes)
      )
      var options = MigrationOptions()
      options.outputURL = URL(filePath: folder + "/new.sqlite")
      let plan = try models.plan(for: store, to: "v3", options)
      #expect(plan.isSafe, "\(plan.blockers)")
      let outcome = try plan.migrate(store, options)
      #expect(outcome.verification.passed)
      #expect(try Store(reading: URL(filePath: outcome.store)).uuid == store.uuid)
      #expect(throws: WaystoneError.self) { try plan.migrate(store) }
    }
  }

  @Test func `a guessed name of the result is refused until it is accepted`() throws {
    func person(_ more: String) -> String {
      let ends = [("friends", "friendOf"), ("friendOf", "friends")].map { name, inverse in
        #"<relationship name="\#(name)" optional="YES" toMany="YES" deletionRule="Nullify" "#
          + #"destinationEntity="Person" inverseName="\#(inverse)" inverseEntity="Person"/>"#
      }
      return #"<entity name="Person" syncable="YES">"#
        + #"<attribute name="name" optional="YES" attributeType="String"/>\#(more)"#
        + ends.joined() + "</entity>"
    }
    let year = #"<attribute name="year" optional="YES" attributeType="Integer 16"/>"#
    try TemporaryFolder.with { folder in
      try SketchedModel.write([("v1", person("")), ("v2", person(year))], into: folder + "/M")
      let models = try ModelArchive(contentsOf: URL(filePath: folder + "/M"))
      let made = URL(filePath: folder + "/a.sqlite")
      try models.generateStore(at: made, of: "v1", rows: 8)
      let model = try #require(models.versions.first?.model)
      let text = try XMLStoreText(of: made.path, model: model)
      try TemporaryFolder.write(Array(text.text.utf8), to: folder + "/a.xml")
      for version in ["v1", "v2"] {
        let words =
          ["migrate", "a.xml", "--to", version, "-o", "\(version).sqlite"] + ["--models", "M"]
        for more in [["--dry-run"], []] {
          let refused = CommandRun(words + more, in: folder)
          #expect(refused.status == .noPath, "\(version) \(more): \(refused.errors)")
          let words = version == "v1" ? "--accept-unproven-names" : "Person.friends"
          #expect(refused.errors.contains(words), "\(refused.errors)")
        }
        #expect(!TemporaryFolder.names(in: folder).contains { $0.hasPrefix(version) })
        let accepted = CommandRun(words + ["--accept-unproven-names"], in: folder)
        #expect(accepted.status == .success, "\(accepted.errors)")
      }
    }
  }
}
