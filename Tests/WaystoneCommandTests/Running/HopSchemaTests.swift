import Foundation
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing
import Yams

/// The JSON Schemas of hop files and of staged migrations that editors take.
@Suite struct HopSchemaTests {
  private static let sources = SampleArchive.root + "/../Sources"

  private static func path(_ kind: String) -> String { "\(JSONSchema.folder)/\(kind).schema.json" }

  private static func mistakes(in text: String, _ kind: String) throws -> [String] {
    let value = try Yams.load(yaml: text) ?? [:] as [String: Any]
    // Numbers become those that JSON has.
    let data = try JSONSerialization.data(withJSONObject: value)
    let schema = try JSONSchema(at: path(kind))
    return schema.mistakes(in: try JSONSerialization.jsonObject(with: data))
  }

  /// The keys of an object of the schema: of the file, or of a definition.
  private static func keys(_ kind: String, _ definition: String? = nil) throws -> Set<String> {
    let data = try Data(contentsOf: URL(fileURLWithPath: path(kind)))
    var schema = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    if let definition {
      schema = (schema["$defs"] as? [String: Any])?[definition] as? [String: Any] ?? [:]
    }
    let choices = schema["anyOf"] as? [[String: Any]] ?? [schema]
    return choices.reduce(into: []) {
      $0.formUnion(($1["properties"] as? [String: Any] ?? [:]).keys)
    }
  }

  /// The keys that the reader lists where it is given one that is none.
  private static func keys(listedBy error: ModelImportError?) throws -> Set<String> {
    let list = try #require(error?.recovery.split(separator: " are ").last)
    let words = list.replacing(" and ", with: ", ").dropLast().split(separator: ", ")
    return Set(words.map(String.init))
  }

  private static func hopKeys(_ text: String) throws -> Set<String> {
    let path = SampleArchive.root + "/Library.xcdatamodeld"
    let models = try ArchiveLoader.load(path).models
    return try keys(
      listedBy: #expect(throws: ModelImportError.self) {
        try MappingImporter.importMapping(hop: text, file: "a.hop.yml", models: models)
      }
    )
  }

  private static func stageKeys(_ text: String) throws -> Set<String> {
    try keys(
      listedBy: #expect(throws: ModelImportError.self) {
        try StagedImporter.importStages(text: text, file: "a.staged.yml")
      }
    )
  }

  @Test func `the schema of hop files has the keys that are read`() throws {
    let ends = "from: v1\nto: v2\nentities: "
    #expect(try Self.keys("hop.yml") == Self.hopKeys("nothing: x"))
    #expect(try Self.keys("hop.yml", "entity") == Self.hopKeys(ends + "[{nothing: x}]"))
    #expect(
      try Self.keys("hop.yml", "split")
        == Self.hopKeys(ends + "[{source: Note, split: {nothing: x}}]")
    )
    #expect(
      try Self.keys("hop.yml", "lookup")
        == Self.hopKeys(ends + "[{source: Note, join: {a: {nothing: x}}}]")
    )
  }

  @Test func `the schema of staged migrations has the keys that are read`() throws {
    #expect(try Self.keys("staged.yml") == ["stages"])
    #expect(throws: ModelImportError.self) {
      try StagedImporter.importStages(text: "nothing: x", file: "a.staged.yml")
    }
    #expect(try Self.keys("staged.yml", "stage") == Self.stageKeys("stages: [{nothing: x}]"))
    let custom = "stages: [{custom: {from: a, to: b}, will: {nothing: x}}]"
    #expect(try Self.keys("staged.yml", "actions") == Self.stageKeys(custom))
  }

  @Test(arguments: ["hop.yml", "staged.yml"])
  func `every sample fits its schema`(kind: String) throws {
    let folders = [SampleArchive.root, SampleArchive.root + "/../Tests/WaystoneCommandTests/Cases"]
    var count = 0
    for folder in folders {
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder)
      where name.hasSuffix(".\(kind)") {
        count += 1
        let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        #expect(try Self.mistakes(in: text, kind) == [], "\(name)")
      }
    }
    #expect(count > 0)
  }

  @Test(arguments: ["HopFiles", "AuthoredHops"])
  func `every file of the articles fits its schema`(article: String) throws {
    let blocks = try Article("Sources/StoreMigration/StoreMigration.docc/\(article).md")
      .blocks("yaml").map { $0.joined(separator: "\n") }
    var count = 0
    for text in blocks {
      guard text.hasPrefix("from:") || text.contains("stages:\n") else { continue }
      let kind = text.hasPrefix("from:") ? "hop.yml" : "staged.yml"
      count += 1
      #expect(try Self.mistakes(in: text, kind) == [], "\(text)")
    }
    #expect(count > 0)
  }

  @Test(arguments: [
    "to: v2", "from: v1\nto: v2\nothers: keep", "from: v1\nto: v2\nentities: [{source: {a: b}}]",
    "from: v1\nto: v2\nentities: [{source: Note, attributes: [a]}]", "from: {name: v1}\nto: v2",
    "from: v1\nto: v2\nsql: {during: x}",
  ])
  func `it refuses what the reader of hop files refuses`(text: String) throws {
    _ = try? Self.hopKeys(text)
    #expect(try Self.mistakes(in: text, "hop.yml") != [])
  }

  @Test(arguments: [
    "stages: v1", "stages: [{}]", "stages: [{custom: {from: v1}}]",
    "stages: [{lightweight: [v1], will: {sql: x}}]", "stages: [{lightweight: [v1], custom: v2}]",
  ])
  func `it refuses what the reader of staged migrations refuses`(text: String) throws {
    #expect(throws: ModelImportError.self) {
      try StagedImporter.importStages(text: text, file: "a.staged.yml")
    }
    #expect(try Self.mistakes(in: text, "staged.yml") != [])
  }
}
