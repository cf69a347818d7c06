import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import Waystone

/// An app whose sources declare the models of two stores.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct SeveralStoresTests {
  /// Two schemas with a plan, and a container of the second one.
  private static func model(_ name: String, _ entity: String, _ store: String) -> String {
    """
    import SwiftData

    enum \(name)V1: VersionedSchema {
      static var versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [\(entity).self] }
      @Model final class \(entity) { var title: String; init() {} }
    }
    enum \(name)V2: VersionedSchema {
      static var versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [\(entity).self] }
      @Model final class \(entity) { var title: String; var note: String?; init() {} }
    }
    enum \(name)Plan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [\(name)V1.self, \(name)V2.self] }
      static var stages: [MigrationStage] {
        [.lightweight(fromVersion: \(name)V1.self, toVersion: \(name)V2.self)]
      }
    }
    let \(name)Container = try! ModelContainer(for: Schema(versionedSchema: \(name)V2.self),
      migrationPlan: \(name)Plan.self, configurations: ModelConfiguration("\(store)"))

    """
  }

  private func with(_ body: (SourceProject) throws -> Void) throws {
    let sources = [
      "User.swift": Self.model("User", "Account", "UserData"),
      "Pages.swift": Self.model("Page", "Page", "Cache"),
    ]
    try SourceProject.with(sources, "runtime: swiftdata-plan\n", body)
  }

  @Test func `take each store for a model of its own`() throws {
    try with { project in
      let names = try project.read().models.versions.map(\.qualifiedName)
      #expect(names == ["Cache/PageV1", "Cache/PageV2", "UserData/UserV1", "UserData/UserV2"])
      try project.read().lock()
      #expect(try project.failures() == [])
      let report = try project.read().coverage()
      #expect(report.isComplete && report.models.map(\.name) == ["Cache", "UserData"])
    }
  }

  @Test func `find an edit to a frozen schema of the second store, until it is undone`() throws {
    try with { project in
      try project.read().lock()
      let good = Self.model("User", "Account", "UserData")
      let edited = good.replacing("var title: String; init", with: "var title: String?; init")
      try project.write(edited, to: "App/User.swift")
      let drifted = try project.read().check().failures.of(.frozenSchemaDrifted)
      #expect(
        drifted.contains { $0.place.version == "UserV1" && $0.place.subject == "Account.title" }
      )
      #expect(drifted.allSatisfy { $0.place.version?.hasPrefix("Page") != true })
      try project.write(good, to: "App/User.swift")
      #expect(try project.failures() == [])
    }
  }

  @Test(arguments: [("UserV1", "UserV2"), ("PageV1", "PageV2")])
  func `plan a store of the model that has its hashes`(version: String, next: String) throws {
    try with { project in
      let sketched = SketchedProject(folder: project.folder)
      let store = try sketched.store(version, as: "\(version).store")
      let plan = try sketched.plan(store)
      #expect(plan.plan.source.name.hasSuffix(version) && plan.stops == [next])
    }
  }
}
