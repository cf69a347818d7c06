import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import WaystoneCommand

/// Locked schemas of the sample Trips after an edit of their sources.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct SourceLockTests {
  /// Lends a copy of the sample, in which SchemaV2 is as it was shipped, with one text in another's place.
  private func with(
    _ file: String,
    _ old: String,
    _ new: String,
    _ body: (_ folder: String) throws -> Void
  ) throws {
    let folder = try ScratchFolder()
    for name in ["Sources", "waystone.lock", "waystone.yml"] {
      try FileManager.default.copyItem(
        atPath: "\(SampleArchive.root)/Trips/\(name)",
        toPath: "\(folder.path)/\(name)"
      )
    }
    for (name, old, new) in [
      ("SchemaV2", "var notes: String\n", "var notes: String?\n"), (file, old, new),
    ] {
      let path = "\(folder.path)/Sources/\(name).swift"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try #require(text.contains(old))
      try TemporaryFolder.write(Array(text.replacing(old, with: new).utf8), to: path)
    }
    try body(folder.path)
  }

  @Test(arguments: [
    ("SchemaV1", "var name: String\n", "var name: String\n    var tags: Set<Int>?\n", "WS811"),
    ("SchemaV2", "var notes: String?\n", "var notes: String\n", "WS811"),
    (
      "TripsPlan", "fromVersion: SchemaV2.self",
      "fromVersion: SchemaV1.self",
      "WS815"
    ),
  ])
  func `that are no longer known, or no longer the same, fail check and coverage`(
    file: String,
    old: String,
    new: String,
    code: String
  ) throws {
    try with(file, old, new) { folder in
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, in: folder)
        #expect(run.status == .answerIsNo, "\(verb): \(run.output)")
        #expect(run.words.contains("error \(code)"), "\(verb): \(run.output)")
      }
    }
  }

  @Test func `that are as they were pass both`() throws {
    try with(
      "SchemaV3",
      "import SwiftData",
      "// \(String(repeating: "#", count: 100))\nimport SwiftData"
    ) {
      folder in
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, in: folder)
        #expect(run.status == .success, "\(verb): \(run.output)")
      }
    }
  }
}
