import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Stores whose hashes are of no version and which carry no model.
@Suite struct AssumedVersionTests {
  private static let versions: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("title", "")])),
    ("v2", SketchedModel.book([("isbn", ""), ("title", "")])),
    ("v3", SketchedModel.book([("isbn", ""), ("title", ""), ("year", "")])),
  ]

  /// Makes a store with the tables of v2 and hashes of its own.
  private func withStranger(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let stranger = SketchedModel.book([
        ("isbn", ""), ("title", #"versionHashModifier="lost""#),
      ])
      try SketchedModel.write([("lost", stranger)], into: "\(folder)/Lost")
      let made = CommandRun(
        "generate",
        "lost",
        "--rows",
        "20",
        "--seed",
        "7",
        "-o",
        "Old.sqlite",
        "--models",
        "Lost",
        in: folder
      )
      #expect(made.status == .success, "\(made.errors)")
      do {
        let store = try AppDatabase("\(folder)/Old.sqlite")
        try store.execute("DELETE FROM Z_MODELCACHE")
      }
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      try body(folder)
    }
  }

  @Test func `inspect ranks versions by tables and columns`() throws {
    try withStranger { folder in
      let text = CommandRun("inspect", "Old.sqlite", in: folder)
      #expect(text.status == .noPath)
      #expect(text.output.contains("all tables and columns are those of v2"))
      #expect(text.errors.contains("--assume v2"))
      let json = try CommandRun("inspect", "Old.sqlite", "--format", "json", in: folder).json()
      let structure = try #require(json["structure"] as? [[String: Any]])
      #expect(structure.map { $0["version"] as? String } == ["v2", "v3", "v1"])
      #expect(structure.map { $0["agrees"] as? Bool } == [true, false, false])
      #expect(
        structure[1]["differences"] as? [String] == ["Column ZBOOK.ZYEAR is not in the store."]
      )
    }
  }
}
