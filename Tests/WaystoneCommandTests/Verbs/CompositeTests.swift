import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Composite attributes through the commands: made-up stores, hop files, checks.
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

  private static let first = """
    from: v1
    to: v2
    entities:
      - source: Shop
        where: name != nil
        attributes:
          location.x: $source.x
          location.y: TERNARY($source.x == nil, nil, $source.y)
    """
  private static let second = """
    from: v2
    to: v3
    entities:
      - source: Shop
        where: location != nil AND location.x > 0
        attributes:
          spot: TERNARY(location.y < 0, nil, $source.location)
          name: TERNARY($source.location.y == nil, "x alone", $source.name)
          spot.height: $source.location.x + 1
    """

  @Test func `a composite is made, filtered, taken whole and by its elements`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      try SketchedModel.write(Self.first, to: "\(folder)/ModelArchive/v1-to-v2.hop.yml")
      try SketchedModel.write(Self.second, to: "\(folder)/ModelArchive/v2-to-v3.hop.yml")
      let made = CommandRun("generate", "v1", "--rows", "6", "-o", "A.sqlite", in: folder)
      #expect(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        "\(folder)/A.sqlite",
        """
        UPDATE ZSHOP SET ZNAME = 'n' || Z_PK, ZX = Z_PK, ZY = Z_PK * 2;
        UPDATE ZSHOP SET ZNAME = NULL WHERE Z_PK = 1;
        UPDATE ZSHOP SET ZY = -1 WHERE Z_PK = 2;
        UPDATE ZSHOP SET ZX = NULL WHERE Z_PK = 3;
        UPDATE ZSHOP SET ZX = -4 WHERE Z_PK = 4;
        UPDATE ZSHOP SET ZY = NULL WHERE Z_PK = 5;
        """
      )
      let run = CommandRun(
        [
          "migrate", "A.sqlite", "--to", "v3", "-o", "B.sqlite", "--accept-loss", "any",
          "--accept-changed-values", "--accept-unknown",
        ],
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      let rows = try AppDatabase("\(folder)/B.sqlite")
        .rows("SELECT ZNAME, ZX, ZY, ZHEIGHT FROM ZSHOP ORDER BY Z_PK")
      #expect(
        rows == [
          [.text("n2"), .null, .null, .real(3)],
          [.text("x alone"), .real(5), .null, .real(6)],
          [.text("n6"), .real(6), .real(12), .real(7)],
        ]
      )
      let verified = CommandRun("verify", "B.sqlite", "--models", "ModelArchive", in: folder)
      #expect(verified.status == .success, "\(verified.output)")
    }
  }

  @Test(arguments: [
    ("location.z: $source.x", "has no property location.z"),
    ("location: $source.place", "reads $source.place, which Shop does not have"),
    ("location.x: $source.name", "its value is a string"),
  ])
  func `a mistake is named at its element`(line: String, words: String) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      let hop = "from: v1\nto: v2\nentities:\n  - source: Shop\n    attributes:\n      \(line)\n"
      try SketchedModel.write(hop, to: "\(folder)/ModelArchive/v1-to-v2.hop.yml")
      let check = CommandRun("check", "--mappings", "ModelArchive/v1-to-v2.hop.yml", in: folder)
      #expect(check.status != .success)
      let text = (check.output + check.errors).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      #expect(text.contains(words), "\(text)")
    }
  }

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

  @Test func `an edit of a locked version names the element`() throws {
    try TemporaryFolder.with { folder in
      let models = "\(folder)/ModelArchive"
      try SketchedModel.write(Array(Self.versions.prefix(2)), into: models)
      #expect(CommandRun("lock", "v2", in: folder).status == .success)
      let edited = Self.shop(Self.name + Self.location) + Self.place("x", "z")
      try SketchedModel.write([Self.versions[0], ("v2", edited)], into: models)
      let check = CommandRun("check", "--format", "json", in: folder)
      #expect(check.status != .success)
      let findings = try #require(check.json()["findings"] as? [[String: Any]])
      let places = findings.filter { $0["code"] as? String == "WS701" }
        .compactMap { $0["property"] as? String }
      #expect(places.contains("location.z") && places.contains("location.y"), "\(check.output)")
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
