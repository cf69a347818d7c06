import Foundation
import MigrationTestSupport
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct SourceDriftTests {
  private static func schema(
    _ name: String,
    _ version: String,
    _ properties: String,
    models: String = "Trip.self"
  ) -> String {
    """
    enum \(name): VersionedSchema {
      static let versionIdentifier = Schema.Version(\(version))
      static var models: [any PersistentModel.Type] { [\(models)] }
      @Model final class Trip {
        var name: String
        \(properties)
      }
    }
    """
  }

  private static func plan(_ schemas: [String], _ stages: [String]) -> String {
    """
    enum Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] {
        [\(schemas.map { "\($0).self" }.joined(separator: ", "))]
      }
      static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
    }
    """
  }

  private static func light(_ from: String, _ to: String) -> String {
    ".lightweight(fromVersion: \(from).self, toVersion: \(to).self)"
  }

  private static let three = [
    "V1.swift": schema("V1", "1, 0, 0", ""),
    "V2.swift": schema("V2", "2, 0, 0", "var notes: String?"),
    "V3.swift": schema("V3", "3, 0, 0", "var notes: String?; var end: Date?"),
    "Plan.swift": plan(["V1", "V2", "V3"], [light("V1", "V2"), light("V2", "V3")]),
  ]

  @Test func `a history that is well is clean`() throws {
    try SourceProject.with(Self.three, "runtime: swiftdata-plan") { project in
      #expect(try project.failures() == [])
      let models = try project.read().models
      #expect(models.versions.map(\.name) == ["V1", "V2", "V3"])
      #expect(models.models.first?.current?.name == "V3")
    }
  }

  @Test func `a plan without stages is told of once, and its versions arrive`() throws {
    var sources = Self.three
    sources["Plan.swift"] = Self.plan(["V1", "V2", "V3"], [])
    try SourceProject.with(sources, "runtime: swiftdata-plan") { project in
      let told = try project.read().check().allFindings.filter { $0.code == .stagesSkipVersion }
      #expect(told.map(\.severity) == [.warning])
      #expect(told.first?.message.contains("Plan has no stages") == true)
    }
  }

  @Test func `a plan that no container is given fails where the app is said to go by it`() throws {
    var sources = Self.three
    sources["App.swift"] = "let c = ModelContainer(for: V3.Trip.self)"
    try SourceProject.with(sources, "runtime: swiftdata-plan") { project in
      let failures = try project.failures()
      #expect(failures.count == 1 && failures[0].contains("WS728"), "\(failures)")
    }
    try SourceProject.with(sources, "runtime: swiftdata") { project in
      let failures = try project.failures()
      #expect(failures == [])
    }
  }

  @Test(arguments: [
    ("var notes: String", "V2.Trip.notes was String?, is String; stores of V2 will not open"),
    ("var notes: Int?", "V2.Trip.notes was String?, is Int?; stores"),
    ("", "V2.Trip.notes was String?, and is gone; stores"),
    ("var notes: String?; var x: [String]", "V2.Trip.x is new ([String]); stores"),
  ])
  func `an edit of a frozen schema is told by class, property, old and new`(
    properties: String,
    words: String
  ) throws {
    try SourceProject.with(Self.three) { project in
      let locked = try project.read().lock(.all)
      #expect(locked.added.count == 3)
      try project.write(Self.schema("V2", "2, 0, 0", properties), to: "App/V2.swift")
      let report = try project.read().check()
      let drift = report.failures.filter { $0.code == .frozenSchemaDrifted }
      #expect(drift.contains { $0.message.contains(words) }, "\(report.failures)")
      #expect(drift.allSatisfy { $0.message.contains("NSCocoaErrorDomain 134504") })
      #expect(drift.allSatisfy { $0.place.file == "App/V2.swift" && $0.place.line != nil })
      let again = try project.read().lock(.all)
      #expect(!again.isWritable)
    }
  }

  @Test func `an edit of the current schema after its release wants a new one`() throws {
    try SourceProject.with(Self.three) { project in
      _ = try project.read().lock(.all)
      try project.write(Self.schema("V3", "3, 0, 0", "var end: Date?"), to: "App/V3.swift")
      #expect(try project.failures().contains("WS814"))
    }
  }

  @Test func `an edit that no hash sees keeps its code, at its line`() throws {
    try SourceProject.with(["A.swift": "@Model class A {\n  var x: Int = 1\n}"]) { project in
      _ = try project.read().lock(.all)
      try project.write("@Model class A {\n  var x: Int = 2\n}", to: "App/A.swift")
      let found = try project.read().check().failures
      #expect(found.map(\.code) == [.shippedVersionEdited])
      #expect(found.first?.place.line == 2)
    }
  }

  @Test func `a historical schema that refers to a live model is told by name`() throws {
    var sources = Self.three
    sources["V1.swift"] = """
      enum V1: VersionedSchema {
        static let versionIdentifier = Schema.Version(1, 0, 0)
        static var models: [any PersistentModel.Type] { [Note.self] }
      }
      """
    sources["Note.swift"] = "@Model class Note { var text: String; var place: Place? }"
    sources["Place.swift"] = "struct Place: Codable { var x: Double }"
    sources["V3.swift"] = Self.schema(
      "V3",
      "3, 0, 0",
      "var at: Place?",
      models: "Trip.self, Note.self"
    )
    try SourceProject.with(sources) { project in
      let found = try project.read().check().allFindings.filter { $0.code == .historyNamesLiveType }
      #expect(found.map(\.severity) == [.error, .warning])
      #expect(
        found.first?.message.contains("V1 refers to the live model Note (Note.swift:1)") == true
      )
      #expect(found.last?.message.contains("live type Place") == true)
      #expect(found.allSatisfy { $0.place.file == "App/Note.swift" })
    }
  }

  @Test(arguments: [
    (["V1", "V3"], [light("V1", "V3")], "Plan lacks V2"),
    (["V1", "V2", "V3"], [light("V1", "V2")], "No stage of Plan leads from V2 to V3"),
    (
      ["V1", "V2", "V3"], [light("V1", "V3"), light("V2", "V3")], "leads from V1 to V3 and skips V2"
    ),
    (
      ["V1", "V2", "V3"], [light("V1", "V2"), light("V1", "V2"), light("V2", "V3")],
      "Two stages of Plan leave V1"
    ),
    (["V1", "V2"], [light("V1", "V2"), light("V2", "V3")], "names V3, which its `schemas` lack"),
    (
      ["V1", "V2", "V3"], [light("V2", "V3"), light("V1", "V2")],
      "from V1 to V2 stands behind that from V2 to V3"
    ),
    (
      ["V1", "V2", "V3"], [light("V1", "V2"), light("V2", "V3"), light("V3", "V1")],
      "leads from V3 back to V1"
    ),
    (["V1", "V2", "V2", "V3"], [light("V1", "V2"), light("V2", "V3")], "lists V2 twice"),
  ])
  func `stages that do not join the schemas are told`(
    schemas: [String],
    stages: [String],
    words: String
  ) throws {
    var sources = Self.three
    sources["Plan.swift"] = Self.plan(schemas, stages)
    try SourceProject.with(sources) { project in
      let found = try project.read().check().failures.filter { $0.code == .stagesSkipVersion }
      #expect(found.contains { $0.message.contains(words) }, "\(found)")
      #expect(found.allSatisfy { $0.place.line != nil })
    }
  }

  @Test func `a plan that the runtime wants and the sources lack is told`() throws {
    var sources = Self.three
    sources["Plan.swift"] = nil
    try SourceProject.with(sources, "runtime: swiftdata-plan") { project in
      let failures = try project.failures()
      // The cause comes before the step to the current version, whose outcome is unknown by it.
      #expect(failures == ["WS728", "WS723", "WS723"])
    }
    try SourceProject.with(sources, "runtime: swiftdata") { project in
      let failures = try project.failures()
      #expect(failures == [])
    }
  }

  @Test func `an edit of a structure is told by element, at its line`() throws {
    let model = "@Model class A {\n  var at: P?\n}\n"
    let place = "struct P: Codable {\n  var x: Double\n  var y: Double\n}"
    try SourceProject.with(["A.swift": model + place]) { project in
      _ = try project.read().lock(.all)
      let edited = place.replacing("y: Double", with: "y: Float")
      try project.write(model + edited, to: "App/A.swift")
      let drift = try project.read().check().failures.filter { $0.code == .currentSchemaChanged }
      #expect(drift.map(\.place.line) == [6], "\(drift)")
      #expect(drift.first?.message.hasPrefix("A.at.y was Double, is Float; ") == true)
    }
  }

  @Test func `schemas that hash alike or share an identifier are told`() throws {
    var sources = Self.three
    sources["V2.swift"] = Self.schema("V2", "1, 0, 0", "")
    try SourceProject.with(sources) { project in
      let found = try project.read().check().allFindings
      let alike = found.filter { $0.code == .schemasHashAlike }
      #expect(alike.map(\.severity) == [.error])
      #expect(
        alike.first?.message.contains("V1 and V2 have the same hashes, and the framework") == true
      )
      #expect(found.contains { $0.code == .versionIdentifierRepeats })
    }
  }

  @Test func `a schema that the plan leaves out for another of its hashes is no fault`() throws {
    var sources = Self.three
    sources["V2.swift"] = Self.schema("V2", "2, 0, 0", "")
    sources["V4.swift"] = Self.schema("V4", "4, 0, 0", "var notes: String?; var end: Date?")
    sources["Plan.swift"] = Self.plan(["V2", "V3"], [Self.light("V2", "V3")])
    sources["App.swift"] =
      "let c = ModelContainer(for: Schema(versionedSchema: V3.self), migrationPlan: Plan.self)"
    try SourceProject.with(sources, "runtime: swiftdata-plan") { project in
      let check = try project.read().check()
      let found = check.allFindings.filter { $0.code == .schemasHashAlike }
      #expect(found.map(\.severity) == [.note, .note])
      #expect(found.map(\.place.file) == ["App/V1.swift", "App/V4.swift"])
      #expect(found.first?.message.contains("Plan has V2 alone") == true)
      let codes = Set(check.allFindings.map(\.code))
      #expect(codes.isDisjoint(with: [.stagesSkipVersion, .containerDiffersFromHistory]))
    }
  }

  @Test func `schemas of the same hashes are no fault where no plan has both`() throws {
    var sources = Self.three
    sources["V2.swift"] = Self.schema("V2", "2, 0, 0", "")
    sources["Plan.swift"] = Self.plan(["V3"], [])
    try SourceProject.with(sources, "runtime: swiftdata-plan") { project in
      let found = try project.read().check().allFindings.filter { $0.code == .schemasHashAlike }
      #expect(found.map(\.severity) == [.note])
      #expect(found.first?.message == "V1 and V2 have the same hashes, and Plan has neither.")
    }
    sources["Plan.swift"] = nil
    try SourceProject.with(sources, "runtime: swiftdata") { project in
      let found = try project.read().check().allFindings.filter { $0.code == .schemasHashAlike }
      #expect(found.map(\.severity) == [.warning])
    }
  }

  @Test
  func
    `a relationship whose type is not resolved any more is unknown, and no other kind of property`()
    throws
  {
    let sources = [
      "V1.swift": Self.schema("V1", "1, 0, 0", "var next: Trip?"),
      "V2.swift": Self.schema("V2", "2, 0, 0", "var next: Mystery?"),
    ]
    try SourceProject.with(sources, "runtime: swiftdata") { project in
      let messages = try project.read().check().allFindings.map(\.message)
      #expect(messages.contains { $0.contains("Trip.next changes from a relationship to Mystery") })
      #expect(!messages.contains { $0.contains("relationship to attribute") })
    }
  }

  @Test func `a schema that is not its kept store is told by property`() throws {
    try SourceProject.with(Self.three, "samples: {V2: V2.store}") { project in
      let archive = try project.read().models
      let store = URL(filePath: project.folder + "/V2.store")
      _ = try archive.generateStore(at: store, of: "V2", rows: 5, seed: 1)
      #expect(try project.failures() == [])
      try project.write(Self.schema("V2", "2, 0, 0", "var notes: String"), to: "App/V2.swift")
      let found = try project.read().check().failures.filter { $0.code == .sampleDiffersFromSchema }
      #expect(found.map(\.place.property) == ["notes"])
      #expect(found.first?.message.contains("V2.Trip.notes") == true)
      #expect(found.first?.place.file == "App/V2.swift")
    }
  }

  @Test func `a version whose hash is unknown is told and not guessed`() throws {
    var sources = Self.three
    sources["V2.swift"] = Self.schema("V2", "2, 0, 0", "var notes: Mystery?")
    try SourceProject.with(sources, "runtime: swiftdata-plan") { project in
      let read = try project.read()
      #expect(read.models.versions.map(\.name) == ["V1", "V2", "V3"])
      #expect(read.models.models.first?.unreadable == [])
      #expect(
        read.models.findings.contains { $0.code == .unresolvedType && $0.severity == .warning }
      )
      let outcomes = try read.coverage().models.flatMap(\.paths).map(\.app.kind)
      // What V2 makes of `notes` is unknown, and so is what the steps of the history mean.
      #expect(outcomes == [.unknown, .unknown])
    }
  }
}
