import Foundation
import MigrationTestSupport
import StoreMigration
import Testing
import WaystoneCommand

/// Stores that `coverage --run` makes, migrates and verifies.
@Suite struct CoverageTrialTests {
  private func tried(_ run: CommandRun, _ version: String, _ name: String) -> Int? {
    let paths = (try? run.json())?["paths"] as? [[String: Any]] ?? []
    let path = paths.first { $0["from"] as? String == version }
    let trial = path?["trial"] as? [String: Any]
    for exercise in trial?["exercises"] as? [[String: Any]] ?? [] {
      let found = "\(exercise["kind"] as? String ?? "") \(exercise["name"] as? String ?? "")"
      if found == name { return exercise["count"] as? Int }
    }
    return nil
  }

  @Test func `each version's store arrives, and what it tried is listed`() throws {
    try SampleWalk.with { walk in
      let run = CommandRun(
        ["coverage", "--run", "--rows", "120", "--models", "ModelArchive/Letters.xcdatamodeld"],
        in: walk.folder
      )
      let mismatch = Golden.mismatch(run.output, "coverage-run.txt")
      #expect(mismatch == nil)
      let json = CommandRun(
        ["coverage", "--run", "--models", "ModelArchive/Letters.xcdatamodeld", "--format", "json"],
        in: walk.folder
      )
      #expect(tried(json, "v2", "edge v2 → v3") == 1)
      #expect(tried(json, "v2", "edge v3 → v4") == 1)
      #expect(tried(json, "v2", "edge v1 → v2") == nil)
      #expect(tried(json, "v2", "entity Letter") ?? 0 > 50)
      #expect(tried(json, "v2", "attribute Letter.heading") ?? 0 > 20)
      #expect(tried(json, "v2", "relationship Letter.enclosures") ?? 0 > 20)
    }
  }

  @Test func `a policy is called with the objects of its entity`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(MappingCommandTests.books, into: "\(folder)/ModelArchive")
      try SketchedModel.write(
        MappingCommandTests.hop.replacing("    where: title != nil\n", with: ""),
        to: "\(folder)/ModelArchive/Mappings/v2-to-v3.hop.yml"
      )
      let arguments = ["coverage", "--run", "--rows", "30", "--format", "json"]
      var registry = MigrationRegistry()
      registry.register(BookPolicy.self)
      let run = CommandRun(arguments, in: folder, registry: registry)
      #expect(tried(run, "v2", "policy Library.BookPolicy") == 30)
      #expect(tried(run, "v1", "policy Library.BookPolicy") == 30)

      let without = CommandRun(arguments, in: folder)
      // What did not arrive was not tried.
      #expect(tried(without, "v2", "entity Book") == 0)
      #expect(tried(run, "v2", "entity Book") == 30)
      #expect(tried(without, "v2", "policy Library.BookPolicy") == 0)
      #expect(tried(without, "v2", "edge v2 → v3") == 0)
      #expect(without.output.contains("The policy Library.BookPolicy is not registered"))
      #expect(without.status == .answerIsNo)
      let words = CommandRun(["coverage", "--run", "--rows", "30"], in: folder).words
      #expect(words.contains("needs code"))
      #expect(
        words.contains("Waystone: 0 of 2 have a path; 2 lack only names or code."),
        "\(words)"
      )
    }
  }

  /// What the hop file of ``MappingCommandTests`` names.
  private final class BookPolicy: EntityMigrationPolicy {}

  @Test func `an entity without rows and a failure are told of, path by path`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(CoverageCommandTests.titles, into: "\(folder)/ModelArchive/A")
      try SketchedModel.write(
        [("w1", SketchedModel.book([("a", "")])), ("w2", SketchedModel.book([("b", "")]))],
        into: "\(folder)/ModelArchive/B",
        model: "Shelf"
      )
      let hop = """
        from: w1
        to: w2
        sql: {before: [SELECT nothing FROM nowhere]}
        entities: [{source: Book}]
        """
      try SketchedModel.write(hop, to: "\(folder)/ModelArchive/B/w1-to-w2.hop.yml")
      let run = CommandRun(
        [
          "coverage", "--run", "--allow-sql", "--rows", "1", "--runtime", "progressive", "--format",
          "json",
        ],
        in: folder
      )
      let paths = try run.json()["paths"] as? [[String: Any]] ?? []
      let verified = paths.map { ($0["trial"] as? [String: Any])?["verified"] as? Bool }
      #expect(verified == [true, true, false], "\(run.output) \(run.errors)")
      #expect(run.status == .answerIsNo)
      #expect(run.output.contains("WS725"))
      #expect(TemporaryFolder.names(in: folder) == ["ModelArchive"])
    }
  }
}
