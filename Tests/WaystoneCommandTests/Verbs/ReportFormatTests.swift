import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Results in the formats of other programs, of the samples.
@Suite struct ReportFormatTests {
  private static let letters = ["coverage", "--models", "ModelArchive/Letters.xcdatamodeld"]

  private func check(_ text: String, _ name: String) {
    let mismatch = Golden.mismatch(text, name)
    #expect(mismatch == nil)
  }

  /// The page without its style and script, which are files of their own.
  private func bare(_ page: String) -> String {
    var page = page.replacing(/sha256-[A-Za-z0-9+\/=]+/, with: "…")
      // The commit and the day.
      .replacing(/<p class="lead">.*<\/p>/, with: "…")
      // The folder of the repository.
      .replacing(/<(title|h1)>[^:<]*: migration/) { "<\($0.1)>…: migration" }
    for name in ["style", "script"] {
      guard let start = page.range(of: "<\(name)>"),
        let end = page.range(of: "</\(name)>", range: start.upperBound..<page.endIndex)
      else { continue }
      page.replaceSubrange(start.upperBound..<end.lowerBound, with: "…")
    }
    return page
  }

  @Test(arguments: ["junit", "sarif", "github", "markdown", "html", "mermaid", "dot"])
  func `the second sample's coverage is told in each format`(format: String) throws {
    try SampleWalk.with { walk in
      let run = CommandRun(Self.letters + ["--format", format], in: walk.folder)
      #expect(run.status == .answerIsNo, "\(run.errors)")
      check(bare(run.output), "coverage-letters.\(format)")
    }
  }

  @Test func `the first sample's page knows its mapping models`() throws {
    try SampleWalk.with { walk in
      let models = ["--models", "ModelArchive"]
      let file = walk.folder + "/report.html"
      let run = CommandRun(
        ["coverage", "--format", "html", "--output", "report.html"] + models,
        in: walk.folder,
        registry: SampleWalk.registry
      )
      #expect(run.status == .answerIsNo, "\(run.errors)")
      #expect(run.output == "report.html is written. 9 versions have gaps.\n")
      let page = String(decoding: TemporaryFolder.bytes(of: file) ?? [], as: UTF8.self)
      #expect(page.contains("ModelArchive/Notes.v2-v3.xcmappingmodel"))
      #expect(page.contains(#"<h2 id="name-3" class="sticky">"#))
    }
  }

  @Test(arguments: [
    ("check", "report.html", "in .json, .md, .sarif, .txt, .xml."),
    ("coverage", "report.htm", ".html"),
    ("graph", "graph.xml", ".dot"), ("check", "a.b/report.pdf", ".txt"),
  ])
  func `an end of a name that tells no format of the verb is refused`(
    verb: String,
    file: String,
    ends: String
  ) throws {
    try SampleWalk.with { walk in
      let run = CommandRun([verb, "-o", file], in: walk.folder)
      #expect(run.status == .usage, "\(run.output)")
      #expect(run.errors.contains("--format") && run.errors.contains(ends), "\(run.errors)")
      #expect(TemporaryFolder.bytes(of: "\(walk.folder)/\(file)") == nil)
    }
  }

  @Test func `a name without an end is text, and a format that is named counts`() throws {
    try SampleWalk.with { walk in
      let arguments = ["graph", "--models", "ModelArchive/Letters.xcdatamodeld"]
      for (more, start) in [
        (["-o", "g"], "v1"), (["-o", "g.xyz", "--format", "dot"], "digraph"),
      ] {
        #expect(CommandRun(arguments + more, in: walk.folder).status == .success)
        let bytes = try #require(TemporaryFolder.bytes(of: "\(walk.folder)/\(more[1])"))
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(start))
      }
    }
  }

  @Test func `findings stand on lines of the models' sources`() throws {
    try SampleWalk.with { walk in
      let run = CommandRun(Self.letters + ["--format", "sarif"], in: walk.folder)
      let runs = try run.json()["runs"] as? [[String: Any]]
      let results = runs?.first?["results"] as? [[String: Any]] ?? []
      #expect(!results.isEmpty)
      for result in results {
        let locations = try #require(result["locations"] as? [[String: Any]])
        let physical = try #require(locations.first?["physicalLocation"] as? [String: Any])
        let artifact = try #require(physical["artifactLocation"] as? [String: Any])
        let uri = try #require(artifact["uri"] as? String)
        #expect(uri.hasPrefix("ModelArchive/"))
        #expect(artifact["uriBaseId"] as? String == "%SRCROOT%")
        let isOfProperty = (result["properties"] as? [String: Any])?["modelVersion"] != nil
        guard isOfProperty, let region = physical["region"] as? [String: Any] else { continue }
        let path = walk.folder + "/" + (uri.removingPercentEncoding ?? uri)
        let text = String(decoding: TemporaryFolder.bytes(of: path) ?? [], as: UTF8.self)
        let lines = text.components(separatedBy: "\n")
        let line = try #require(region["startLine"] as? Int)
        #expect(lines[line - 1].contains("name=\""))
      }
    }
  }

  @Test func `paths begin at the repository, not where the command runs`() throws {
    try SampleWalk.with { walk in
      try FileManager.default.createDirectory(
        atPath: walk.folder + "/.git",
        withIntermediateDirectories: false
      )
      let inner = CommandRun(
        ["coverage", "--models", "Letters.xcdatamodeld", "--format", "github"],
        in: walk.folder + "/ModelArchive"
      )
      let outer = CommandRun(Self.letters + ["--format", "github"], in: walk.folder)
      #expect(inner.output == outer.output)
      #expect(outer.output.contains("file=ModelArchive/Letters.xcdatamodeld/"))
      let workspace = CommandRun(
        ["coverage", "--models", "Letters.xcdatamodeld", "--format", "github"],
        in: walk.folder + "/ModelArchive",
        environment: ["GITHUB_WORKSPACE": walk.folder + "/ModelArchive"]
      )
      #expect(workspace.output.contains("file=Letters.xcdatamodeld/"))
    }
  }

  @Test func `GitHub's summary is appended to, and standard output has the annotations`() throws {
    try SampleWalk.with { walk in
      let summary = walk.folder + "/summary.md"
      try TemporaryFolder.write(Array("before\n".utf8), to: summary)
      let run = CommandRun(
        Self.letters + ["--format", "github"],
        in: walk.folder,
        environment: ["GITHUB_STEP_SUMMARY": summary]
      )
      #expect(run.output.split(separator: "\n").allSatisfy { $0.hasPrefix("::") })
      let text = String(decoding: TemporaryFolder.bytes(of: summary) ?? [], as: UTF8.self)
      let markdown = CommandRun(Self.letters + ["--format", "markdown"], in: walk.folder)
      #expect(text == "before\n" + markdown.output + "\n")
      let failing = CommandRun(
        Self.letters + ["--format", "github"],
        in: walk.folder,
        environment: ["GITHUB_STEP_SUMMARY": walk.folder + "/no/summary.md"]
      )
      #expect(failing.status == .inputOutput)
    }
  }

  @Test func `what a project accepts is told as accepted`() throws {
    try SampleWalk.with { walk in
      try SketchedModel.write(
        """
        models: ModelArchive/Letters.xcdatamodeld
        accept:
          - {code: WS722, version: v1, reason: "Titles, they say: 100 % made up."}
          - {code: WS723, version: v2, reason: The app was tried.}
          - {code: WS723, version: v3, reason: The app was tried.}
        """,
        to: walk.folder + "/waystone.yml"
      )
      let junit = CommandRun("coverage", "--format", "junit", in: walk.folder)
      #expect(junit.status == .success, "\(junit.output)")
      #expect(!junit.output.contains("<failure"))
      let sarif = CommandRun("coverage", "--format", "sarif", in: walk.folder)
      #expect(sarif.output.contains(#""justification": "Titles, they say: 100 % made up.""#))
      let github = CommandRun("coverage", "--format", "github", in: walk.folder)
      #expect(!github.output.contains("::error "))
      #expect(github.output.contains("Accepted: Titles, they say: 100 %25 made up."))
    }
  }

  @Test(arguments: ["junit", "sarif", "github", "markdown"])
  func `a check of the samples is told in each format`(format: String) throws {
    try SampleWalk.with { walk in
      let run = CommandRun(["check", "--all", "--format", format], in: walk.folder)
      check(run.output, "check-samples.\(format)")
      let status = CommandRun(["check", "--all"], in: walk.folder).status
      #expect(run.status == status)
    }
  }
}
