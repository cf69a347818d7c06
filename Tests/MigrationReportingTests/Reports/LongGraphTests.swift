import MigrationPlanning
import MigrationReporting
import MigrationTestSupport
import ObjectModel
import Testing

/// In words a long graph has its steps alone: nobody waits for edges that are not shown.
@Suite struct LongGraphTests {
  @Test func `a long graph tells how many longer edges it leaves out`() throws {
    let versions = try (1...12).map { version in
      let all = (0..<version).map { "a\($0): String?" }.joined(separator: "; ")
      return ModelVersion(
        modelName: "M",
        name: "v\(version)",
        model: try ModelSketch.model("N { \(all) }")
      )
    }
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    func report(showsLonger: Bool) throws -> GraphReport {
      try GraphReport(graphs: [graph], findings: [], showsLonger: showsLonger) { $0.name }
    }
    let short = try report(showsLonger: false)
    #expect(short.edges.count == 11 && short.edges.allSatisfy(\.isConsecutive))
    #expect(
      short.text(isVerbose: false)
        .contains("Longer edges: 55 inferred or refused; --verbose shows them.")
    )
    let long = try report(showsLonger: true)
    #expect(long.edges.count == 66)
    #expect(!long.text(isVerbose: true).contains("--verbose"))
  }
}
