import Foundation
import MigrationTestSupport
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

/// Changes of Swift types that no version hash sees, and after which stored values no longer decode.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct CodingChangeTests {
  private static func schema(_ number: Int, _ types: String = "", _ more: String = "") -> String {
    """
    enum V\(number): VersionedSchema {
      static let versionIdentifier = Schema.Version(\(number), 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self] }
      \(types)
      @Model final class Trip {
        var name: String
        var status: Status
        var items: [Item]
        var place: Place?
        \(more)
      }
    }

    """
  }

  private static let types = """
    enum Status: String, Codable { case open, done = "d", old }
    struct Item: Codable { var name: String; var status: Status?; var note: String? }
    enum Level: Int, Codable { case low = 1, high }
    struct Place: Codable { var level: Level }

    """

  private static func plan(_ stage: String) -> String {
    """
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [\(stage)] }
    }
    """
  }

  private static let light = plan(".lightweight(fromVersion: V1.self, toVersion: V2.self)")
  private static let live = types + schema(1) + schema(2, "", "var more: Int?") + light

  /// An edit of the live types: the old and the new text, and words of each finding.
  private static let edits: [(old: String, new: String, words: [String])] = [
    (", old }", " }", ["Case `old` of Status is gone", "rows that hold \"old\" no longer decode"]),
    ("done = \"d\"", "done", ["Case `done` of Status has the raw value \"done\" instead of \"d\""]),
    (
      "case low = 1", "case low = 2",
      [
        "Case `low` of Level has the raw value 2 instead of 1", "values stored as 2 become `low`",
      ]
    ),
    (
      "var name: String; var status", "var title: String; var status",
      ["`title` of Item is new and required"]
    ),
    ("var note: String?", "var note: Int?", ["Property `note` of Item was String?, is Int?"]),
    (
      "var note: String? }",
      "var note: String?; enum CodingKeys: String, CodingKey { case name = \"n\", status, note } }",
      ["Property `name` of Item has the coding key \"n\" instead of \"name\""]
    ),
  ]

  @Test(arguments: edits)
  func `in a live type that locked schemas share are found at their line`(
    old: String,
    new: String,
    words: [String]
  ) throws {
    try SourceProject.with(["A.swift": Self.live], "runtime: swiftdata-plan") { project in
      _ = try project.read().lock(.all)
      #expect(try project.failures() == [])
      try #require(Self.live.contains(old))
      try project.write(Self.live.replacing(old, with: new), to: "App/A.swift")
      let found = try project.read().check().failures
      for version in ["V1", "V2"] {
        for text in words {
          let own = found.first { $0.place.version == version && $0.message.contains(text) }
          #expect(own?.code == .lockedCodingChanged, "\(version) \(text): \(found)")
          #expect(own?.place.file == "App/A.swift")
          #expect(own?.place.line.map { (1...4).contains($0) } == true)
        }
      }
      #expect(throws: Never.self) { try project.read().coverage() }
      #expect(try project.read().coverage().findings.contains { $0.code == .lockedCodingChanged })
      try project.write(Self.live, to: "App/A.swift")
      #expect(try project.failures() == [])
    }
  }

  @Test(arguments: [
    (", old }", ", old, new }"), ("case open, ", "case begun = \"open\", "),
    ("var note: String? }", "var note: String?; var more: Int? }"),
    ("var name: String; ", "var name: String?; "),
  ])
  func `that old values survive are no finding`(old: String, new: String) throws {
    try SourceProject.with(["A.swift": Self.live], "runtime: swiftdata-plan") { project in
      _ = try project.read().lock(.all)
      try #require(Self.live.contains(old))
      try project.write(Self.live.replacing(old, with: new), to: "App/A.swift")
      #expect(try project.failures() == [])
    }
  }

  @Test(arguments: [
    (light, ["WS823"]),
    (
      plan(
        ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { c in try c.save() }, didMigrate: nil)"
      ), []
    ),
  ])
  func `from one version to the next fail, unless a stage may rewrite the values`(
    plan: String,
    failures: [String]
  ) throws {
    let next = Self.types.replacing(", old }", with: " }")
    let source = Self.schema(1, Self.types) + Self.schema(2, next, "var more: Int?") + plan
    try SourceProject.with(["A.swift": source], "runtime: swiftdata-plan") { project in
      let report = try project.read().check()
      #expect(report.failures.map(\.code.rawValue) == failures)
      let found = report.findings.filter { $0.code == .codingChanged }
      #expect(found.map(\.place.property) == ["status"])
      #expect(found.first?.message.contains("from V1 to V2") == true)
      let coverage = try project.read().coverage()
      #expect(
        coverage.findings.filter { $0.code == .codingChanged }.map(\.severity)
          == found.map(\.severity)
      )
    }
  }

  @Test func `are counted in the rows of a sample`() throws {
    try SourceProject.with(["A.swift": Self.live], "samples: {V1: V1.store}") { project in
      let path = project.folder + "/V1.store"
      _ = try project.read().models.generateStore(
        at: URL(filePath: path),
        of: "V1",
        rows: 9,
        seed: 1
      )
      let database = try AppDatabase(path)
      try database.execute(
        "UPDATE ZTRIP SET ZSTATUS = CASE WHEN Z_PK < 4 THEN 'old' ELSE 'open' END"
      )
      _ = try project.read().lock(.all)
      let edited = Self.live.replacing(", old }", with: " }").replacing(
        "done = \"d\"",
        with: "done"
      )
      try project.write(edited, to: "App/A.swift")
      let found = try project.read().check().failures.filter { $0.place.version == "V1" }
      #expect(found.contains { $0.message.hasSuffix("3 rows of V1.store hold it.") }, "\(found)")
      #expect(found.contains { $0.message.hasSuffix("No row of V1.store holds it.") }, "\(found)")
    }
  }

  @Test func `are no finding where the lock was written before it kept them`() throws {
    try SourceProject.with(["A.swift": Self.live], "runtime: swiftdata-plan") { project in
      _ = try project.read().lock(.all)
      let path = project.folder + "/waystone.lock"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("\"codings\""))
      // As version 0.1 wrote it: without codings, and with digests of its own.
      var digests: [String: String] = [:]
      let lines = text.split(separator: "\n").map { line -> String in
        var line = String(line)
        guard let entity = line.firstRange(of: "\"entity\":") else {
          for (old, new) in digests { line = line.replacing(old, with: new) }
          guard let version = line.firstRange(of: "\"version\":") else { return line }
          return Self.line("version", String(line[version.upperBound...].dropLast()))
        }
        let content = String(line[entity.upperBound...].dropLast())
          .replacing(#/"codings":\[(\{[^\[\]]*\[[^\[\]]*\][^\[\]]*\},?)*\],/#, with: "")
        let old = String(line.dropFirst(11).prefix(12))
        let result = Self.line("entity", content)
        digests[old] = String(result.dropFirst(11).prefix(12))
        return result
      }
      let before = lines.joined(separator: "\n") + "\n"
      #expect(!before.contains("codings"))
      try project.write(before, to: "waystone.lock")
      #expect(try project.failures() == [])
      try project.write(Self.live.replacing(", old }", with: " }"), to: "App/A.swift")
      #expect(try project.failures() == [])
    }
  }

  /// A line of a lock.
  private static func line(_ kind: String, _ content: String) -> String {
    let digest = Hexadecimal.string(SHA256.hash(Array(content.utf8))).prefix(12)
    return "{\"digest\":\"\(digest)\",\"\(kind)\":\(content)}"
  }
}
