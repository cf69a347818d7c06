import Foundation
import MigrationTestSupport
import StoreGeneration
import Testing
import Waystone

/// Stores of the XML kind as sources.
@Suite struct XMLStoreTests {
  /// Lends a folder with `made.sqlite`, and with `old.xml`, which has the same objects.
  private func with(_ body: (_ folder: String, _ text: XMLStoreText) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let model = try SampleArchive.version("Letters", "v1").model
      try StoreGenerator(model: model, rows: 200, seed: 3).write(to: folder + "/made.sqlite")
      let text = try XMLStoreText(of: folder + "/made.sqlite", model: model)
      try TemporaryFolder.write(Array(text.text.utf8), to: folder + "/old.xml")
      try body(folder, text)
      #expect(TemporaryFolder.bytes(of: folder + "/old.xml") == Array(text.text.utf8))
    }
  }

  private func models() throws -> ModelArchive {
    try ModelArchive(contentsOf: SampleStore.models.appending(path: "Letters.xcdatamodeld"))
  }

  /// Migrates a store to another file.
  @discardableResult private func migrate(
    _ path: String,
    to version: VersionName,
    output: String?,
    assuming assumed: String? = nil
  ) throws -> MigrationOutcome {
    var options = MigrationOptions()
    options.output = output
    options.assumedVersion = assumed
    let store = try Store(reading: URL(filePath: path))
    return try models().plan(for: store, to: version, options).migrate(store, options)
  }

  @Test(arguments: ["v1", "v2", "v3"])
  func `all objects arrive as those of the SQLite kind do`(version: String) throws {
    try with { folder, text in
      for store in ["made.sqlite", "old.xml"].map({ "\(folder)/\($0)" }) {
        try migrate(store, to: VersionName(version), output: store + ".new")
      }
      let model = try SampleArchive.version("Letters", version).model
      let found = try XMLStoreText.differences(
        folder + "/made.sqlite.new",
        folder + "/old.xml.new",
        model,
        offsets: text.offsets
      )
      #expect(found == [])
      let result = try Store(reading: URL(filePath: folder + "/old.xml.new"))
      #expect(try result.verify(in: models(), level: .full).passed)
    }
  }

  @Test func `a plan writes nothing, and a run in place is refused`() throws {
    try with { folder, _ in
      let names = TemporaryFolder.names(in: folder)
      let store = try Store(reading: URL(filePath: folder + "/old.xml"))
      let models = try models()
      for version: VersionName in ["v4", "v1"] {
        let plan = try models.plan(for: store, to: version)
        let error = #expect(throws: WaystoneError.self) { try plan.migrate(store) }
        #expect(error?.description.contains("output") == true)
      }
      #expect(TemporaryFolder.names(in: folder) == names)
    }
  }

  @Test func `a store that does not state its version is taken for one that the caller names`()
    throws
  {
    try with { folder, text in
      let start = try #require(text.text.range(of: "<plist"))
      let end = try #require(text.text.range(of: "</plist>"))
      var old = text.text
      old.removeSubrange(start.lowerBound..<end.upperBound)
      let path = folder + "/older.xml"
      try TemporaryFolder.write(Array(old.utf8), to: path)
      let output = folder + "/n.sqlite"
      #expect(throws: (any Error).self) { try migrate(path, to: "v3", output: output) }
      #expect(throws: (any Error).self) {
        try migrate(path, to: "v3", output: output, assuming: "v2")
      }
      try migrate(path, to: "v3", output: output, assuming: "v1")
    }
  }

  @Test func `the library reads, plans and migrates it`() throws {
    try with { folder, _ in
      let store = try Store(reading: URL(filePath: folder + "/old.xml"))
      let hashes = try SampleArchive.version("Letters", "v1").model.entityVersionHashes
      #expect(store.versionHashes == hashes)
      var options = MigrationOptions()
      options.outputURL = URL(filePath: folder + "/new.sqlite")
      let plan = try models().plan(for: store, to: "v3", options)
      #expect(plan.isSafe, "\(plan.blockers)")
      let outcome = try plan.migrate(store, options)
      #expect(outcome.verification.passed)
      #expect(try Store(reading: URL(filePath: outcome.store)).uuid == store.uuid)
    }
  }

  @Test(arguments: ["v1", "v2"])
  func `a guessed name of the result is refused until it is accepted`(version: String) throws {
    let person = "friends ->> Person.friendOf; friendOf ->> Person.friends }"
    try SketchedProject.with(
      "Person { name: String?; \(person)",
      "Person { name: String?; year: Int16?; \(person)"
    ) { project in
      let made = "\(project.folder)/\(try project.store("v1", rows: 8))"
      let model = try #require(try project.project.models.versions.first?.model)
      try project.write(XMLStoreText(of: made, model: model).text, to: "a.xml")
      #expect(try project.plan("a.xml", to: version).refusals.contains("WS501"))
      #expect(throws: (any Error).self) {
        try project.migrate("a.xml", version: version, to: "o.sqlite")
      }
      #expect(!TemporaryFolder.names(in: project.folder).contains("o.sqlite"))
      try project.migrate("a.xml", version: version, to: "o.sqlite") {
        $0.settings.acceptsUnprovenNames = true
      }
    }
  }
}
