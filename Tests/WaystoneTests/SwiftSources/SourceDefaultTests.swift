import MigrationTestSupport
import SwiftDataImport
import Testing
import Waystone

/// A required property that locked schemas in Swift lack a default for.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct SourceDefaultTests {
  @Test func `of a locked schema is mended by a default, which is accepted with a reason`() throws {
    func source(_ serial: String) -> String {
      """
      import SwiftData
      enum SchemaV1: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
        static var models: [any PersistentModel.Type] { [Book.self] }
        @Model final class Book { var title: String? }
      }
      enum SchemaV2: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
        static var models: [any PersistentModel.Type] { [Book.self] }
        @Model final class Book { var title: String?; \(serial) }
      }
      enum SchemaV3: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
        static var models: [any PersistentModel.Type] { [Book.self] }
        @Model final class Book { var title: String?; \(serial); var note: String? }
      }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }
        static var stages: [MigrationStage] {
          [
            .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self),
            .lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self),
          ]
        }
      }
      """
    }
    let plan = "runtime: swiftdata-plan\n"
    try SourceProject.with(["Schemas.swift": source("var serial: Int")], plan) { project in
      try project.read().lock(.named(["SchemaV1", "SchemaV2"]))
      let failures = try project.read().check().failures
      #expect(failures.contains { $0.remedy.contains("SchemaV2, SchemaV3") }, "\(failures.briefs)")
      #expect(try !project.read().coverage().isComplete)
      try project.write(source("var serial: Int = 0"), to: "App/Schemas.swift")
      try project.read().lock(.named([]), accepting: "SchemaV2", because: "A default.")
      #expect(try project.failures() == [])
    }
  }
}
