import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct CoverageJSONTests {
  /// Books that lose their author with the last version, after three that add something.
  private static let versions: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("author", ""), ("title", "")])),
    ("v2", SketchedModel.book([("author", ""), ("title", ""), ("year", "")])),
    ("v3", SketchedModel.book([("author", ""), ("title", ""), ("year", ""), ("pages", "")])),
    ("v4", SketchedModel.book([("title", ""), ("year", ""), ("pages", "")])),
  ]

  private func model(_ options: String...) throws -> (findings: [Any], edges: [[String: Any]]) {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      let run = CommandRun(["coverage", "--format", "json"] + options, in: folder)
      let models = try #require(try run.json()["models"] as? [[String: Any]])
      return (
        try #require(models.first?["findings"] as? [Any]),
        try #require(models.first?["shown"] as? [[String: Any]])
      )
    }
  }

  private func places(_ edges: [[String: Any]], _ source: String, _ end: String) throws -> [Int] {
    let edge = edges.first { $0["from"] as? String == source && $0["to"] as? String == end }
    return try #require(edge?["findings"] as? [Int])
  }

  @Test func `what several edges drop is told once, and each names it by its place`() throws {
    let (findings, edges) = try model()
    let texts = try findings.map {
      try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)
    }
    #expect(Set(texts).count == texts.count)
    let first = try places(edges, "v1", "v4")
    #expect(try first.isEmpty == false && first == places(edges, "v2", "v4"))
    let told = try #require(findings[first[0]] as? [String: Any])
    #expect(told["code"] as? String == "WS302")
    #expect(told["property"] as? String == "author")
  }

  @Test(arguments: [[], ["--all-edges"]])
  func `each place is that of a finding, and each finding has an edge`(options: [String]) throws {
    let (findings, edges) = try options.isEmpty ? model() : model(options[0])
    let named = edges.flatMap { $0["findings"] as? [Int] ?? [] }
    #expect(Set(named) == Set(findings.indices))
  }
}
