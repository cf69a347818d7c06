import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Stores that hop files alone bring to another version.
@Suite struct HopRunTests {
  private static let people: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("title", "")])),
    ("v2", SketchedModel.book([("first", ""), ("surname1", ""), ("surname2", "")])),
  ]

  @Test(arguments: [SIGINT, SIGKILL])
  func `a run with mappings from the command line is resumed with them`(signal: Int32) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.people, into: "\(folder)/ModelArchive")
      let hop = "from: v1\nto: v2\nentities: [{source: Book, attributes: {first: $source.title}}]"
      try SketchedModel.write(hop, to: "\(folder)/Hops/v1-to-v2.hop.yml")
      let made = CommandRun("generate", "v1", "--rows", "20000", "-o", "B.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      let stopped = try ProcessRun(
        ["migrate", "B.sqlite", "--mappings", "Hops", "--progress", "ndjson"],
        in: folder,
        stoppedBy: signal
      )
      #expect(stopped.status != 0, "\(stopped.errors)")
      let resumed = CommandRun("resume", "B.sqlite", in: folder)
      #expect(resumed.status == .success, "\(resumed.errors)")
      let verified = CommandRun("verify", "B.sqlite", in: folder)
      #expect(verified.output.contains("against v2"), "\(verified.output)")
    }
  }

  @Test func `what the plan could not count is counted before the hop`() throws {
    try TemporaryFolder.with { folder in
      let versions = ["name", "title", "heading"].enumerated().map { index, name in
        ("v\(index + 1)", SketchedModel.book([(name, ""), ("color", "")]))
      }
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      let made = CommandRun("generate", "v1", "--rows", "20", "-o", "B.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      do {
        let connection = try AppDatabase("\(folder)/B.sqlite")
        try connection.execute("UPDATE ZBOOK SET ZNAME = 'a,b' || Z_PK, ZCOLOR = Z_PK")
      }
      let split = """
        from: v1
        to: v2
        entities:
          - source: Book
            split: {text: $source.name, separator: ","}
            attributes: {title: $piece, color: $source.color}
        """
      let merge = """
        from: v2
        to: v3
        entities:
          - source: Book
            destination: Book
            deduplicate: [heading]
            attributes: {heading: $source.title, color: $source.color}
        """
      try SketchedModel.write(split, to: "\(folder)/Hops/v1-to-v2.hop.yml")
      try SketchedModel.write(merge, to: "\(folder)/Hops/v2-to-v3.hop.yml")
      let run = CommandRun(
        ["migrate", "B.sqlite", "--mappings", "Hops", "-o", "C.sqlite"],
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      let words = run.output + run.errors
      #expect(words.contains("WS420: in Book, 20 rows become one object"), "\(words)")
    }
  }
}
