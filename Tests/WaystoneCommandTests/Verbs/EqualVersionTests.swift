import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Versions of the same hashes, of which the last reads values by another transformer.
@Suite struct EqualVersionTests {
  private static func note(_ transformer: String = "", _ more: String = "") -> String {
    #"<entity name="Note" syncable="YES"><attribute name="tags" optional="YES" "#
      + #"attributeType="Transformable" \#(transformer)/>\#(more)</entity>"#
  }

  private static let text = #"<attribute name="text" optional="YES" attributeType="String"/>"#

  private func with(_ body: (_ folder: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.note()), ("v2", Self.note("", Self.text)),
          ("v3", Self.note(#"valueTransformerName="TagsTransformer""#, Self.text)),
        ],
        into: "\(folder)/ModelArchive"
      )
      try body(folder)
    }
  }

  @Test(arguments: ["direct", "progressive"])
  func `each version depends on what the last one's transformer reads`(runtime: String) throws {
    try with { folder in
      let run = CommandRun("coverage", "--runtime", runtime, in: folder)
      #expect(
        run.words.contains("v1 arrives, if the data fit 1 hop, if the data fit"),
        "\(run.output)"
      )
      #expect(run.words.contains("v2 arrives, if the data fit nothing to do, if the data fit"))
      #expect(run.words.contains("2 arrive if the data fit"))
    }
  }

  @Test(arguments: [("v1", "conditional"), ("v2", "exact")])
  func `a plan to the last one tells of the transformer`(start: String, worst: String) throws {
    try with { folder in
      for verb in [["plan", start, "--to", "v3"], ["explain", start, "v3"]] {
        let run = CommandRun(verb, in: folder)
        #expect(run.words.contains("WS331"), "\(run.output)")
        #expect(!run.words.contains("Nothing is dropped"), "\(run.output)")
      }
      let json = try CommandRun("plan", start, "--to", "v3", "--format", "json", in: folder).json()
      #expect(json["worst"] as? String == worst)
      // To the version that wrote the values there is nothing to tell of a hop.
      let other = try CommandRun("plan", "v1", "--to", "v2", "--format", "json", in: folder).json()
      #expect(other["worst"] as? String == "additive")
    }
  }

  @Test func `a plan calls both ends what they were called`() throws {
    try with { folder in
      #expect(CommandRun("plan", "v2", "--to", "v3", in: folder).words.hasPrefix("v2 → v3 0 hops"))
      #expect(CommandRun("plan", "v3", "--to", "v2", in: folder).words.hasPrefix("v3 → v2 0 hops"))
    }
  }
}
