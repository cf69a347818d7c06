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
}
