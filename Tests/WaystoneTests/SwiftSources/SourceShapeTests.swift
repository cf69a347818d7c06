import Foundation
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

/// Properties of which it is not known what SwiftData makes, or known by an assumed rule alone.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct SourceShapeTests {
  private static func source(_ versions: [String]) -> String {
    let schemas = versions.enumerated().map { index, properties in
      """
      enum V\(index + 1): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(index + 1), 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self, Note.self] }
        @Model final class Trip {
          var name: String
          \(properties)
        }
        @Model final class Note { var text: String; var v\(index): Int? }
      }
      """
    }
    let list = versions.indices.map { "V\($0 + 1).self" }.joined(separator: ", ")
    let stages = versions.indices.dropLast().map {
      ".lightweight(fromVersion: V\($0 + 1).self, toVersion: V\($0 + 2).self)"
    }
    return schemas.joined(separator: "\n") + """

      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(list)] }
        static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
      }
      """
  }

  @Test(arguments: [
    ("var at: Mystery?", "var at: Other?", "V1.Trip.at was Mystery?, is Other?"),
    ("var at: Mystery?", "var at: Mystery", "V1.Trip.at was Mystery?, is Mystery"),
    ("var at: Mystery?", "var at: [Mystery]?", "V1.Trip.at was Mystery?, is [Mystery]?"),
    ("var at: Mystery?", "", "V1.Trip.at was Mystery?, and is gone"),
    ("", "var at: Mystery?", "V1.Trip.at is new (Mystery?)"),
    ("var at: Mystery?", "var by: Mystery?", "V1.Trip.by is new (Mystery?)"),
    ("var at: UInt8", "var at: UInt64", "V1.Trip.at was Int16, is UInt64"),
    ("var at: [Int]", "var at: Set<Int>", "Trip.at was edited after its version was locked"),
    ("var at: [Int]", "var at: [Double]", "Array<Int> → Array<Double>"),
    ("var at: [String: Int]", "var at: [String: Int]?", "V1.Trip.at was"),
    (
      "var at: Mystery; var n: Int", "var at: Mystery; var n: String",
      "V1.Trip.n was Int, is String"
    ),
  ])
  func `of a locked schema that are edited are found, at their line`(
    old: String,
    new: String,
    words: String
  ) throws {
    let live = "var at: String; var n: Double"
    try SourceProject.with(["A.swift": Self.source([old, live])]) { project in
      /// The lock's answer; the outcome of stores of V1 is another question.
      func edits() throws -> [Finding] {
        try project.read().check().failures.filter {
          $0.place.version == "V1" && ![.appFails, .appOutcomeUnknown].contains($0.code)
        }
      }
      _ = try project.read().lock(.all)
      #expect(try edits() == [])
      try project.write(Self.source([new, live]), to: "App/A.swift")
      let found = try edits()
      #expect(found.contains { $0.message.contains(words) }, "\(found)")
      #expect(found.allSatisfy { $0.severity == .error && $0.place.file == "App/A.swift" })
      #expect(found.contains { [4, 6].contains($0.place.line) })
      try project.write(Self.source([old, live]), to: "App/A.swift")
      #expect(try edits() == [])
    }
  }

  @Test(arguments: [
    (["var at: Mystery?", "var at: Mystery?"], [AppOutcome.Kind.arrives]),
    (["var at: Mystery", "var at: Mystery; var n: Int?"], [.arrives]),
    (["", "var at: Mystery?"], [.arrives]),
    (["var at: Mystery?", "var at: Other?"], [.unknown]),
    (["var at: Mystery?", "var at: String?"], [.unknown]),
    (["", "var at: Mystery"], [.unknown]),
    (["var at: Mystery", "var at: Mystery; var n: Int"], [.fails]),
  ])
  func `leave unknown what hangs on them, and nothing else`(
    versions: [String],
    kinds: [AppOutcome.Kind]
  ) throws {
    try SourceProject.with(["A.swift": Self.source(versions)]) { project in
      let report = try project.read().coverage()
      #expect(report.models.flatMap(\.paths).map(\.app.kind) == kinds)
    }
  }

  @Test func `are in no store that Waystone makes, and in no file that it exports`() throws {
    try SourceProject.with(["A.swift": Self.source(["var n: Int?", "var at: Mystery?"])]) {
      project in
      let archive = try project.read().models
      let store = URL(filePath: project.folder + "/V1.store")
      _ = try archive.generateStore(at: store, of: "V1", rows: 5, seed: 1)
      #expect(throws: WaystoneError.self) {
        try archive.generateStore(
          at: URL(filePath: project.folder + "/V2.store"),
          of: "V2",
          rows: 5,
          seed: 1
        )
      }
      let plan = try archive.plan(for: Store(reading: store), to: "V2")
      #expect(throws: WaystoneError.self) { try plan.migrate(Store(reading: store)) }
      #expect(throws: WaystoneError.self) {
        try archive.models[0].export(to: URL(filePath: project.folder + "/Model.xcdatamodeld"))
      }
    }
  }

  @Test func `in several containers, every class counts and the question is a warning`() throws {
    let source = """
      @Model class A { var x: Int }
      @Model class B { var y: [Int] }
      let c = ModelContainer(for: A.self)
      let d = ModelContainer(for: B.self)
      """
    try SourceProject.with(["A.swift": source]) { project in
      let read = try project.read()
      #expect(read.models.versions.map { $0.model.entities.map(\.name) } == [["A"], ["B"]])
      let found = read.models.findings.filter { $0.code == .undecidedContainer }
      #expect(found.map(\.severity) == [.warning])
    }
  }

  @Test(arguments: [
    ("#if canImport(X)\nimport X\n#endif", 0), ("#if FLAG(x)\nprint(1)\n#endif", 0),
    ("#if canImport(X)\nstruct Place {}\n#endif", 1),
    ("#if canImport(AVFoundation)\nstruct Place {}\n#endif", 0),
  ])
  func `a condition that declares no type is no finding`(condition: String, count: Int) throws {
    try SourceProject.with(["A.swift": condition + "\n@Model class A { var x: Int }"]) { project in
      let found = try project.read().models.findings.filter { $0.code == .undecidedCondition }
      #expect(found.count == count)
    }
  }

  @Test func `a condition that hides nothing of SwiftData is a note`() throws {
    let source = "@Model class A { var x: Int }\n#if canImport(X)\nstruct Place {}\n#endif"
    try SourceProject.with(["A.swift": source]) { project in
      let found = try project.read().models.findings.filter { $0.code == .undecidedCondition }
      #expect(found.map(\.severity) == [.note])
    }
  }
}
