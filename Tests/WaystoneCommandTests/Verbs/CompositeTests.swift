import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Composite attributes in what the verbs write.
@Suite struct CompositeTests {
  private static func place(_ elements: String...) -> String {
    let lines = elements.map {
      #"<attribute name="\#($0)" optional="YES" attributeType="Double"/>"#
    }
    return #"<composite name="Place">\#(lines.joined())</composite>"#
  }

  private static func shop(_ attributes: String) -> String {
    #"<entity name="Shop" syncable="YES">\#(attributes)</entity>"#
  }

  private static let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
  private static let location =
    #"<attribute name="location" optional="YES" attributeType="Composite" composite="Place"/>"#
  private static let x = #"<attribute name="x" optional="YES" attributeType="Double"/>"#

  /// Two plain numbers become a composite, which gets another element.
  private static let versions: [(name: String, entities: String)] = [
    ("v1", shop(name + x + x.replacing("\"x\"", with: "\"y\""))),
    ("v2", shop(name + location) + place("x", "y")),
    ("v3", shop(name + location.replacing("location", with: "spot")) + place("x", "y", "height")),
  ]

  @Test func `a skeleton of a hop carries elements, and says what is new`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      let run = CommandRun("init", "--hop", "v1", "v2", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let hop = try #require(
        try FileManager.default.subpathsOfDirectory(atPath: folder)
          .first { $0.hasSuffix("v1-to-v2.hop.yml") }
      )
      let text = try String(contentsOfFile: "\(folder)/\(hop)", encoding: .utf8)
      #expect(text.contains("'location.x': null  # TODO new"), "\(text)")
      #expect(text.contains("# Shop.x  # TODO is read nowhere"), "\(text)")
    }
  }

  @Test(.enabled(if: Corpus.isPresent))
  func `inspect says that a store is SwiftData's, and export writes it as Swift`() throws {
    let store = Corpus.path("MatthewHunt84+MetaCocktailsSwiftData/18228b5c/default.store")
    try TemporaryFolder.with { folder in
      let inspection = CommandRun("inspect", store, "--format", "json", in: folder)
      let metadata = try #require(inspection.json()["metadata"] as? [String: Any])
      #expect((metadata["swiftData"] as? String)?.hasPrefix("yes, by enums") == true)
      let export = CommandRun("export", store, "--swift", "-o", "SchemaV2.swift", in: folder)
      #expect(export.status == .success, "\(export.errors)")
      let text = try String(contentsOfFile: "\(folder)/SchemaV2.swift", encoding: .utf8)
      #expect(text.contains("enum SchemaV2: VersionedSchema {"))
      let printed = CommandRun("export", store, "--swift", in: folder)
      #expect(printed.output == text.replacing("SchemaV2", with: "RecoveredSchema"))
      let again = CommandRun("export", store, "--swift", "-o", "SchemaV2.swift", in: folder)
      #expect(again.status == .cannotCreate)
      let other = CommandRun("export", store, "--swift", "-o", "Schema.txt", in: folder)
      #expect(other.status == .usage)
    }
  }
}
