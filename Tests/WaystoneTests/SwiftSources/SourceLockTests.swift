import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import Waystone

/// Locked schemas of the sample Trips after an edit of their sources.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct SourceLockTests {
  @Test(
    arguments: [
      ("SchemaV1", "var name: String\n", "var name: String\n    var tags: Set<Int>?\n", "WS811"),
      ("SchemaV2", "var notes: String?\n", "var notes: String\n", "WS811"),
      ("TripsPlan", "fromVersion: SchemaV2.self", "fromVersion: SchemaV1.self", "WS815"),
      (
        "SchemaV3", "import SwiftData",
        "// \(String(repeating: "#", count: 100))\nimport SwiftData", nil
      ),
    ] as [(String, String, String, String?)]
  )
  func `that are no longer known, or no longer the same, fail check and coverage`(
    file: String,
    old: String,
    new: String,
    code: String?
  ) throws {
    try TemporaryFolder.with { folder in
      for name in ["Sources", "waystone.lock", "waystone.yml"] {
        try FileManager.default.copyItem(
          atPath: "\(SampleArchive.root)/Trips/\(name)",
          toPath: "\(folder)/\(name)"
        )
      }
      let project = SketchedProject(folder: folder)
      // SchemaV2 is as it was shipped.
      for (name, old, new) in [
        ("SchemaV2", "var notes: String\n", "var notes: String?\n"), (file, old, new),
      ] {
        let text = try String(contentsOfFile: "\(folder)/Sources/\(name).swift", encoding: .utf8)
        try #require(text.contains(old))
        try project.write(text.replacing(old, with: new), to: "Sources/\(name).swift")
      }
      #expect(try project.verdict() == (code == nil))
      let codes = try (project.check().failures + project.coverage().gaps).map(\.code.rawValue)
      #expect(code.map { codes.contains($0) } ?? codes.isEmpty)
    }
  }
}
