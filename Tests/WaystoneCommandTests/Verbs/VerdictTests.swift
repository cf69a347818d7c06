import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Verdicts that hold a release.
@Suite struct VerdictTests {
  private static let renamed: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("title", "")])), ("v2", SketchedModel.book([("headline", "")])),
  ]

  private func with(
    _ versions: [(name: String, entities: String)],
    _ body: (String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      try body(folder)
    }
  }

  @Test func `what a new version loses fails in each form until it is accepted`() throws {
    try with(Self.renamed) { folder in
      #expect(CommandRun("init", in: folder).status == .success)
      let check = CommandRun("check", in: folder)
      #expect(check.status == .answerIsNo)
      #expect(check.output.split(separator: "\n").count < 25)
      #expect(
        check.words.hasPrefix("Fails error WS209 v2: Book.title is dropped; Book.headline is new."),
        "\(check.output)"
      )
      #expect(check.words.contains(#"set the Renaming ID of headline to "title""#))
      #expect(check.words.contains("1 error, 0 warnings"))
      #expect(!check.output.contains("WS302"))
      let json = try CommandRun("check", "--format", "json", in: folder).json()
      let findings = try #require(json["findings"] as? [[String: Any]])
      #expect(findings.first?["code"] as? String == "WS209")
      for verb in ["check", "coverage"] {
        let sarif = try CommandRun(verb, "--format", "sarif", in: folder).json()
        let runs = try #require(sarif["runs"] as? [[String: Any]])
        let results = try #require(runs.first?["results"] as? [[String: Any]])
        #expect(results.first?["ruleId"] as? String == "WS209")
        #expect(results.first?["level"] as? String == "error")
        let junit = CommandRun(verb, "--format", "junit", in: folder)
        #expect(junit.status == .answerIsNo)
        let failure = try #require(junit.output.firstRange(of: "<failure"))
        #expect(junit.output[failure.lowerBound...].prefix(90).contains("WS209"))
      }
      let page = CommandRun("coverage", "--format", "html", in: folder).output
      let first = try #require(page.firstRange(of: #"data-code=""#))
      #expect(page[first.upperBound...].hasPrefix("WS209"))

      let configuration = "\(folder)/waystone.yml"
      let text = try String(contentsOfFile: configuration, encoding: .utf8)
      let accepted = "accept: [{code: WS302, place: Book.title, version: v2, reason: Unused.}]\n"
      try SketchedModel.write(text + accepted, to: configuration)
      #expect(CommandRun("check", in: folder).status == .success)
      #expect(CommandRun("coverage", in: folder).status == .success)
    }
  }

  @Test func `what is shipped with its loss does not fail`() throws {
    try with(Self.renamed) { folder in
      #expect(CommandRun("check", in: folder).status == .answerIsNo)
      try SketchedModel.write("shipped: [v1, v2]\n", to: "\(folder)/waystone.yml")
      // Only the lock is missed.
      let unlocked = CommandRun("check", in: folder)
      #expect(unlocked.words.contains("error WS710"), "\(unlocked.output)")
      #expect(unlocked.words.contains("Failed: WS710."), "\(unlocked.output)")
      #expect(CommandRun("lock", "--all", in: folder).status == .success)
      #expect(CommandRun("check", in: folder).status == .success)
      try FileManager.default.removeItem(atPath: "\(folder)/waystone.yml")
      #expect(CommandRun("check", in: folder).status == .answerIsNo)
    }
  }

  @Test func `one of several drops is no candidate, and a mapping's loss fails too`() throws {
    let several = [
      ("v1", SketchedModel.book([("abc", ""), ("xyz", "")])),
      ("v2", SketchedModel.book([("q", "")])),
    ]
    try with(several) { folder in
      let run = CommandRun("check", in: folder)
      #expect(run.words.contains("WS302 v2: 2 attributes are dropped: Book.abc, Book.xyz."))
      #expect(!run.output.contains("WS209"))
      try SketchedModel.write(
        "from: v1\nto: v2\nentities: [{source: Book, attributes: {q: $source.abc}}]\n",
        to: "\(folder)/ModelArchive/v1-to-v2.hop.yml"
      )
      try SketchedModel.write("policy: {maximum: error}\n", to: "\(folder)/waystone.yml")
      let mapped = CommandRun("check", in: folder)
      #expect(mapped.status == .answerIsNo)
      #expect(mapped.words.contains("Book.xyz is dropped: the mapping does not read it."))
      #expect(!mapped.words.contains("Book.abc"))
    }
  }

  @Test(arguments: [
    SketchedModel.library, MappingCommandTests.books, Self.renamed,
    [("Summer", SketchedModel.book([("a", "")])), ("Autumn", SketchedModel.book([("a", "")]))],
  ])
  func `what init writes changes nothing of what fails`(
    versions: [(name: String, entities: String)]
  ) throws {
    try with(versions) { folder in
      if versions.count == 3, versions[2].name == "v3" {
        try SketchedModel.write(MappingCommandTests.hop, to: "\(folder)/ModelArchive/a.hop.yml")
      }
      func failing() throws -> (CommandStatus, Set<String>) {
        let run = CommandRun("check", "--format", "sarif", in: folder)
        let runs = try run.json()["runs"] as? [[String: Any]] ?? []
        let results = runs.first?["results"] as? [[String: Any]] ?? []
        let texts = results.map {
          "\($0["level"] ?? "") \($0["ruleId"] ?? "") \($0["message"] ?? "")"
        }
        return (run.status, Set(texts))
      }
      let before = try failing()
      #expect(CommandRun("init", in: folder).status == .success)
      let after = try failing()
      #expect(before.0 == after.0)
      #expect(before.1 == after.1)
    }
  }

  @Test func `guesses are comments with what suggests them`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/App")
      try SketchedModel.write(Self.renamed, into: "\(folder)/AppTests", model: "Trial")
      #expect(CommandRun("init", in: folder).status == .success)
      let text = try String(contentsOfFile: "\(folder)/waystone.yml", encoding: .utf8)
      #expect(text.contains("# 0 of the 3 steps between versions have a mapping model"))
      #expect(text.contains("\n# runtime: direct\n"))
      #expect(
        text.replacing("\n# ", with: " ").contains("Trial (AppTests/Trial.xcdatamodeld)")
      )
      #expect(text.contains("\n# models: App/Library.xcdatamodeld\n"))
      let active = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      #expect(active == ["models: ."])
    }
  }

  @Test func `an unfinished hop file is no path`() throws {
    try with(MappingCommandTests.books) { folder in
      #expect(CommandRun("init", "--hop", "v2", "v3", in: folder).status == .success)
      for arguments in [["coverage"], ["coverage", "--run", "--rows", "5"]] {
        let run = CommandRun(arguments, in: folder)
        #expect(run.status == .answerIsNo)
        #expect(run.words.contains("Waystone: 0 of 2 can migrate"), "\(run.output)")
        #expect(run.words.contains("WS410"))
      }
    }
  }

  @Test func `an unfinished hop file changes nothing of what the app does`() throws {
    func verdicts(_ folder: String) throws -> [String] {
      let json = try CommandRun("coverage", "--format", "json", in: folder).json()
      let paths = try #require(json["paths"] as? [[String: Any]])
      return paths.compactMap { ($0["app"] as? [String: Any])?["outcome"] as? String }
    }
    try with(MappingCommandTests.books) { folder in
      let before = try verdicts(folder)
      #expect(before == ["unknown", "fails"])
      let hop = CommandRun("init", "--hop", "v2", "v3", in: folder)
      #expect(hop.status == .success, "\(hop.errors)")
      #expect(try verdicts(folder) == before)
      let run = CommandRun("coverage", in: folder)
      #expect(run.words.contains("error WS410"), "\(run.output)")
    }
  }

  @Test func `null for a required attribute is no path`() throws {
    let required = SketchedModel.book([("title", "")]).replacing(
      "</entity>",
      with: #"<attribute name="year" attributeType="Integer 16"/></entity>"#
    )
    try with([("v1", SketchedModel.book([("title", "")])), ("v2", required)]) { folder in
      try SketchedModel.write(
        "from: v1\nto: v2\nentities: [{source: Book, attributes: {year: null}}]\n",
        to: "\(folder)/ModelArchive/v1-to-v2.hop.yml"
      )
      let run = CommandRun("coverage", "--run", "--rows", "5", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("Waystone: 0 of 1 can migrate"), "\(run.output)")
      #expect(CommandRun("check", in: folder).words.contains("WS407"))
    }
  }

  @Test func `every version has its row, also one of the same hashes as another`() throws {
    let book = SketchedModel.book([("title", "")])
    let versions = [
      ("v1", book), ("v2", book), ("v10", SketchedModel.book([("title", ""), ("x", "")])),
    ]
    try with(versions) { folder in
      let run = CommandRun("coverage", in: folder)
      #expect(run.words.contains("v1 = v2"), "\(run.output)")
      #expect(run.words.contains("of 2 older versions, 2 arrive without loss."))
    }
  }

  @Test func `an expression orders versions by its groups, and others are left out`() throws {
    let names = ["Old", "Foo20", "Bar1", "Baz1000"]
    let versions = names.map { ($0, SketchedModel.book([("a\($0)", "")])) }
    try with(versions) { folder in
      func order(_ configuration: String) throws -> CommandRun {
        try SketchedModel.write(configuration, to: "\(folder)/waystone.yml")
        return CommandRun("versions", in: folder)
      }
      let missing = try order("order: '[A-Z][a-z]+([0-9]+)'\n")
      #expect(missing.status == .usage)
      #expect(missing.errors.contains("The order does not say where Old stands."))
      #expect(missing.errors.contains("name below `ignore:` what was never a version of the app"))
      let partial = try order("order: [Bar1, Foo20]\n")
      #expect(partial.errors.contains("The order does not say where Baz1000, Old stand."))
      let run = try order("order: '[A-Z][a-z]+([0-9]+)'\nignore: [Old]\n")
      #expect(run.status == .success, "\(run.errors)")
      let shown = ["Bar1", "Foo20", "Baz1000"].compactMap { run.output.firstRange(of: $0) }
      #expect(shown.count == 3)
      #expect(shown.map(\.lowerBound) == shown.map(\.lowerBound).sorted())
      #expect(!run.output.contains("Old"))
      #expect(try order("order: 'Bar'\n").errors.contains("no regular expression with a group"))
      #expect(try order("ignore: [None]\n").errors.contains("is called None"))
    }
  }
}
