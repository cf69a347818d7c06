import Foundation
import MigrationTestSupport
import StoreMigration
import Testing
import WaystoneCommand

@Suite struct CoverageCommandTests {
  /// Books whose `title` becomes `heading`, before the name is used again.
  static let titles: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("title", "")])),
    ("v2", SketchedModel.book([("heading", #"elementID="title""#)])),
    ("v3", SketchedModel.book([("heading", ""), ("title", #"elementID="formOfAddress""#)])),
  ]

  /// A year that becomes a number, which nobody can infer.
  static let years: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("title", "")])),
    ("v2", SketchedModel.book([("title", ""), ("year", "")])),
    (
      "v3",
      SketchedModel.book([("title", "")]).replacing(
        "</entity>",
        with: #"<attribute name="year" optional="YES" attributeType="Integer 16"/></entity>"#
      )
    ),
  ]

  private func with(
    _ versions: [(name: String, entities: String)],
    configuration: String? = nil,
    _ body: (String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      if let configuration {
        try SketchedModel.write(configuration, to: "\(folder)/waystone.yml")
      }
      try body(folder)
    }
  }

  private func check(_ run: CommandRun, _ status: CommandStatus, _ name: String) {
    #expect(run.status == status, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, name)
    #expect(mismatch == nil)
  }

  @Test func `a hop file that leads back is on no path to the current version`() throws {
    let versions = [("v1", "title"), ("v2", "heading"), ("v3", "caption")].map { name, attribute in
      (name: name, entities: SketchedModel.book([("author", ""), (attribute, "")]))
    }
    try with(versions) { folder in
      let hop = "from: v3\nto: v2\nentities: []\n"
      try SketchedModel.write(hop, to: "\(folder)/v3-to-v2.hop.yml")
      for options in [[], ["--all-edges"]] {
        let run = CommandRun(
          ["coverage", "--models", "ModelArchive", "--mappings", ".", "--format", "json"] + options,
          in: folder
        )
        let model = try #require((try run.json()["models"] as? [[String: Any]])?.first)
        let shown = try #require(model["shown"] as? [[String: Any]])
        let ends = Set(shown.map { "\($0["from"] ?? "") \($0["to"] ?? "")" })
        #expect(ends.isSuperset(of: ["v1 v2", "v2 v3"]) && !ends.contains("v3 v2"), "\(ends)")
      }
    }
  }

  @Test func `the second sample's first version loses its titles in an app that goes straight`()
    throws
  {
    try SampleWalk.with { walk in
      let letters = ["coverage", "--models", "ModelArchive/Letters.xcdatamodeld"]
      let direct = CommandRun(letters, in: walk.folder)
      check(direct, .answerIsNo, "coverage-letters.txt")
      #expect(direct.words.contains("Letter.title gets title in the app"))
      check(
        CommandRun(letters + ["--runtime", "progressive"], in: walk.folder),
        .answerIsNo,
        "coverage-letters-progressive.txt"
      )
    }
  }

  @Test func `every sample is told of, with what only Waystone knows`() throws {
    try SampleWalk.with { walk in
      let run = CommandRun(["coverage"], in: walk.folder, registry: SampleWalk.registry)
      check(run, .answerIsNo, "coverage-samples.txt")
      let staged = CommandRun(
        ["coverage", "--runtime", "staged", "--verbose"],
        in: walk.folder,
        registry: SampleWalk.registry
      )
      #expect(staged.output.contains("WS728  There are no stages of Letters"))
      #expect(!staged.output.contains("There are no stages of Aircraft"))
    }
  }

  @Test func `a reused name is found in a model that a test draws`() throws {
    try with(Self.titles) { folder in
      check(
        CommandRun("coverage", "--format", "json", in: folder),
        .answerIsNo,
        "coverage-reused-name.json"
      )
      let run = CommandRun("coverage", "--runtime", "progressive", in: folder)
      #expect(!run.words.contains("WS722"), "\(run.output)")
    }
  }

  @Test(arguments: [[], ["--run", "--rows", "40"], ["--runtime", "progressive"]])
  func `the JSON is as its schema says`(options: [String]) throws {
    try SampleWalk.with { walk in
      let run = CommandRun(["coverage", "--format", "json"] + options, in: walk.folder)
      let json = try run.json()
      let other = json.merging(["runtime": "fast"]) { $1 }
      #expect(JSONSchema.mistakes(inOutput: other) == ["$.runtime: none of the enum"])
      #expect((json["paths"] as? [Any])?.count == 10)
    }
  }

  @Test func `an app that goes step by step stops where nothing can be inferred`() throws {
    try with(Self.years) { folder in
      let run = CommandRun("coverage", "--runtime", "progressive", in: folder)
      check(run, .answerIsNo, "coverage-blocked.txt")
      try SketchedModel.write(
        "from: v2\nto: v3\nentities:\n  - source: Book\n    attributes:\n"
          + "      year: CAST($source.year, \"NSNumber\")\n",
        to: "\(folder)/ModelArchive/Mappings/v2-to-v3.hop.yml"
      )
      let helped = CommandRun("coverage", "--runtime", "progressive", in: folder)
      #expect(helped.status == .answerIsNo)
      #expect(helped.output.contains("Waystone: 2 of 2 can migrate"))
      #expect(helped.words.contains("Core Data does not read v2-to-v3.hop.yml"))
    }
  }

  @Test func `what is accepted with a reason is told of and no gap`() throws {
    let accepting = """
      accept:
        - {code: WS722, place: Book.heading, version: v1, reason: Titles were never shown.}
        - {code: WS722, place: Book.title, version: Library/v1, reason: They are typed again.}
        - {code: WS206, place: Book.heading, version: v3, reason: The app kept them in a trial.}
      """
    try with(Self.titles, configuration: accepting) { folder in
      check(CommandRun("coverage", in: folder), .success, "coverage-accepted.txt")
    }
    try with(Self.titles, configuration: accepting.replacing("v1", with: "v2")) { folder in
      #expect(CommandRun("coverage", in: folder).status == .answerIsNo)
    }
  }

  @Test func `stores that are given count, and those that cannot be read are told of`() throws {
    try with(Self.titles) { folder in
      try FileManager.default.createDirectory(
        atPath: "\(folder)/Stores",
        withIntermediateDirectories: true
      )
      for version in ["v1", "v2", "v3"] {
        let run = CommandRun("generate", version, "-o", "Stores/\(version).db", in: folder)
        try #require(run.status == .success)
      }
      let good = ["coverage", "Stores/v2.db", "Stores/v3.db"]
      let run = CommandRun(good + ["--format", "json"], in: folder)
      let stores = (try run.json()["paths"] as? [[String: Any]] ?? [])
        .compactMap { $0["store"] as? String }
      #expect(stores == ["Stores/v2.db", "Stores/v3.db"])
      #expect(run.status == .answerIsNo)
      try SketchedModel.write("SQLite format 3\0, or so", to: "\(folder)/Stores/broken.db")
      let all = CommandRun("coverage", "Stores", "--run", "--rows", "20", in: folder)
      check(all, .answerIsNo, "coverage-stores.txt")
      #expect(CommandRun("coverage", "Nowhere.db", in: folder).status == .missingInput)
    }
  }

  @Test func `a result can be written into a file, in the forms that CI reads`() throws {
    try with(Self.titles) { folder in
      let formats = [
        "text", "json", "junit", "sarif", "github", "markdown", "html", "mermaid", "dot",
      ]
      for format in formats {
        let run = CommandRun(
          ["coverage", "--format", format, "-o", "result.\(format)"],
          in: folder
        )
        #expect(run.status == .answerIsNo, "\(run.errors)")
        #expect(run.output == "result.\(format) is written. 2 versions have gaps.\n")
        let bytes = TemporaryFolder.bytes(of: "\(folder)/result.\(format)") ?? []
        #expect(String(decoding: bytes, as: UTF8.self).contains("v1"), "\(format)")
      }
      let again = CommandRun("coverage", "-o", "result.json", in: folder)
      #expect(again.status == .answerIsNo, "our own report is written over")
    }
  }
}
