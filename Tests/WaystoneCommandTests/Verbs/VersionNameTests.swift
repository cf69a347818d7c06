import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Names of versions that are names of folders, too.
@Suite struct VersionNameTests {
  private static let versions: [(name: String, entities: String)] = [
    ("Chorus", SketchedModel.book([("title", "")])),
    ("Chorus 2", SketchedModel.book([("key", ""), ("title", "")])),
  ]

  private func with(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/Chorus", model: "Chorus")
      try SketchedModel.write("models: Chorus\n", to: "\(folder)/waystone.yml")
      try body(folder)
    }
  }

  @Test(arguments: [
    ["diff", "Chorus", "Chorus 2"], ["export", "--canonical", "Chorus"],
    ["plan", "Chorus", "--to", "Chorus 2"],
  ])
  func `a version's name comes before a folder's in all verbs`(arguments: [String]) throws {
    try with { folder in
      let run = CommandRun(arguments, in: folder)
      #expect(run.status == .success, "\(run.errors)")
    }
  }

  @Test func `a folder of several versions is refused with what to write`() throws {
    try with { folder in
      let run = CommandRun("diff", "./Chorus", "Chorus 2", in: folder)
      #expect(run.status == .usage)
      #expect(run.errors.contains("./Chorus has 2 versions, and one is wanted: Chorus, Chorus 2."))
      let path = try #require(
        run.errors.split(separator: "as in ").last?.split(separator: "'").first
      )
      let again = CommandRun("diff", "Chorus", String(path), in: folder)
      #expect(again.status == .success, "\(path): \(again.errors)")
    }
  }

  @Test func `versions that hash alike are counted, and the first are listed`() throws {
    try TemporaryFolder.with { folder in
      let versions = (1...60).map {
        (name: "v\($0)", entities: SketchedModel.book([("title", "")]))
      }
      try SketchedModel.write(versions, into: folder)
      let run = CommandRun("versions", "--models", ".", in: folder)
      #expect(run.output.contains("= v1, v2, v3, v4, v5, v6, v7, v8 and 51 more"))
      let json = try CommandRun("versions", "--models", ".", "--format", "json", in: folder).json()
      let listed = try #require(json["versions"] as? [[String: Any]])
      #expect(listed.allSatisfy { ($0["equalTo"] as? [String])?.count == 8 })
      #expect(listed.allSatisfy { $0["equalCount"] as? Int == 59 })
      let graph = CommandRun("graph", "--models", ".", "--verbose", in: folder)
      #expect(!graph.output.contains("v40, v41"))
    }
  }
}
