import MigrationPlanning
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

/// Advice that an app can take: that of the framework which declares its models.
struct SourceAdviceTests {
  /// The properties of a class before and after a step, of each kind of change that has advice.
  private static let steps = [
    ("var name: String; var note: String?", "var name: String; var favorite: Bool"),
    ("var name: String?; var note: String?", "var name: String?; var remark: String?"),
    ("var size: String", "var size: Int"), ("var size: Int?", "var size: Int"),
    ("var at: Place?", "var at: String?"), ("var other: Trip?", "var other: String?"),
    ("var a: Int?", "@Attribute(originalName: \"b\") var a: Int?"),
    ("@Attribute(originalName: \"b\") var a: Int?", "var a: Int?; var c: Int?"),
    ("var a: Int?", "@Attribute(originalName: \"a\") var b: Int?; var a: Int?"),
    ("var a: [Trip]", "var a: Trip?"), ("var a: Int", "@Attribute(.unique) var a: Int"),
    ("var a: Int = 1", "var a: Int = 2"), ("var at: Place?", "var at: Place"),
  ]

  private static func source(_ versions: [String]) -> String {
    let schemas = versions.enumerated().map { index, properties in
      """
      enum V\(index + 1): VersionedSchema {
        static let versionIdentifier = Schema.Version(\(index + 1), 0, 0)
        static var models: [any PersistentModel.Type] { [Trip.self] }
        @Model final class Trip { \(properties) }
      }
      """
    }
    let list = versions.indices.map { "V\($0 + 1).self" }.joined(separator: ", ")
    let stages = versions.indices.dropLast().map {
      ".lightweight(fromVersion: V\($0 + 1).self, toVersion: V\($0 + 2).self)"
    }
    return schemas.joined(separator: "\n") + """

      struct Place: Codable { var x: Double }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(list)] }
        static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
      }
      """
  }

  /// All findings on a project's versions that check, coverage, diff and plan report.
  private static func advice(_ project: Project) throws -> [String] {
    let coverage = try project.coverage()
    let paths = coverage.models.flatMap(\.paths)
    var findings = try project.check().allFindings + coverage.findings
    findings += paths.flatMap { $0.findings + $0.app.findings }
    for model in project.models.models {
      for (old, new) in zip(model.versions, model.versions.dropFirst()) {
        let result = MappingInference.infer(from: old.model, to: new.model)
        findings += result.findings + result.refusals
      }
    }
    return findings.map(\.remedy)
  }

  @Test(
    .enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"),
    arguments: ["", "runtime: swiftdata", "runtime: swiftdata-plan", "runtime: direct"]
  )
  func `of a SwiftData project names no means of Core Data`(runtime: String) throws {
    for (old, new) in Self.steps {
      try SourceProject.with(["A.swift": Self.source([old, new, new + "; var z: Int?"])], runtime) {
        project in
        let advice = try Self.advice(project.read())
        #expect(!advice.isEmpty)
        for text in advice {
          let words = ["mapping model", "Renaming ID", "elementID", "a mapping"]
          #expect(!words.contains(where: text.contains), "\(old) → \(new): \(text)")
        }
      }
    }
  }

  @Test(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
  func `of a Core Data project names no means of SwiftData`() throws {
    for (old, new) in Self.steps {
      var models: [ManagedObjectModel] = []
      try SourceProject.with(["A.swift": Self.source([old, new])]) { project in
        models = try project.read().models.versions.map(\.model)
      }
      // The same declarations, as Xcode's editor would make them.
      let made = try models.map { model in
        try ManagedObjectModel(entities: model.entities, composites: model.composites)
      }
      try #require(made.count == 2)
      let result = MappingInference.infer(from: made[0], to: made[1])
      for finding in result.findings + result.refusals {
        let words = ["originalName", "@Attribute", "custom stage", "SchemaMigrationPlan"]
        #expect(!words.contains(where: finding.remedy.contains), "\(finding.remedy)")
      }
    }
  }
}
