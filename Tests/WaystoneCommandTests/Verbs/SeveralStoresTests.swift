import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import WaystoneCommand

/// Commands on an app whose sources declare the models of two stores.
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

  private static func with(_ body: (_ folder: String) throws -> Void) throws {
    let folder = try ScratchFolder()
    try SketchedModel.write(
      model("User", "Account", "UserData"),
      to: folder.path + "/App/User.swift"
    )
    try SketchedModel.write(model("Page", "Page", "Cache"), to: folder.path + "/App/Pages.swift")
    try body(folder.path)
  }

  @Test func `take each store for a model of its own`() throws {
    try Self.with { folder in
      #expect(CommandRun("init", "--ci", "none", in: folder).status == .success)
      let versions = CommandRun("versions", "--format", "json", in: folder)
      let listed = try #require(versions.json()["versions"] as? [[String: Any]])
      #expect(
        listed.map { "\($0["model"] ?? "")/\($0["name"] ?? "")" }
          == ["Cache/PageV1", "Cache/PageV2", "UserData/UserV1", "UserData/UserV2"]
      )
      #expect(CommandRun("lock", in: folder).status == .success)
      let check = CommandRun("check", in: folder)
      #expect(check.status == .success, "\(check.output)\(check.errors)")
      let coverage = CommandRun("coverage", in: folder)
      #expect(coverage.status == .success, "\(coverage.output)\(coverage.errors)")
      #expect(coverage.words.contains("Cache 2 versions to PageV2"), "\(coverage.output)")
      #expect(coverage.words.contains("UserData 2 versions to UserV2"), "\(coverage.output)")
    }
  }

  @Test func `plan a store of the model that has its hashes`() throws {
    try Self.with { folder in
      for (version, next) in [("UserV1", "UserV2"), ("PageV1", "PageV2")] {
        let store = "\(version).store"
        let made = CommandRun("generate", version, "-o", store, "--models", "App", in: folder)
        try #require(made.status == .success, "\(made.errors)")
        let plan = CommandRun("plan", store, "--models", "App", in: folder)
        #expect(plan.status == .success, "\(plan.errors)")
        #expect(plan.words.contains("\(version) → \(next)"), "\(plan.output)")
        let facts = CommandRun("inspect", store, "--models", "App", in: folder)
        #expect(facts.output.contains(version), "\(facts.output)")
      }
      let frozen = CommandRun("freeze", "PageV3", "--from", "PageV2", "--models", "App", in: folder)
      #expect(frozen.status == .success, "\(frozen.errors)")
      #expect(frozen.output.contains("Schema.Version(3, 0, 0)"), "\(frozen.output)")
    }
  }

  @Test(.enabled(if: Git.isThere, "needs git"))
  func `bring the tags of each model together by its name`() throws {
    func app(_ calls: String, _ note: String = "") -> String {
      "@Model class Account { var x: Int\(note) }\n@Model class Page { var y: Int }\n" + calls
    }
    let users = "let c = ModelContainer(for: Account.self)\n"
    let pages =
      "let d = ModelContainer(for: Page.self, configurations: ModelConfiguration(\"Cache\"))\n"
    let folder = try ScratchFolder()
    try Git.run("init", "-q", "-b", "main", in: folder.path)
    for (tag, text) in [("v1", app(users)), ("v2", app(users + pages, "; var z: Int?"))] {
      try SketchedModel.write(text, to: folder.path + "/App/App.swift")
      try Git.run("add", "-A", in: folder.path)
      try Git.run("commit", "-q", "-m", tag, in: folder.path)
      try Git.run("tag", tag, in: folder.path)
    }
    let run = CommandRun("versions", "--models", "App@v1,v2,.", "--format", "json", in: folder.path)
    let listed = try #require(run.json()["versions"] as? [[String: Any]], "\(run.errors)")
    #expect(
      listed.map { "\($0["model"] ?? "")/\($0["name"] ?? "")" }
        == ["SwiftData/v1", "SwiftData/v2", "SwiftData/current", "Cache/v2", "Cache/current"]
    )
    let init_ = CommandRun("init", "--ci", "none", in: folder.path)
    #expect(init_.status == .success, "\(init_.errors)")
    let plan = CommandRun("diff", "SwiftData/v1", "SwiftData/v2", in: folder.path)
    #expect(plan.output.contains("Account"), "\(plan.output)\(plan.errors)")
  }
}
