import Foundation
import MigrationPlanning
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

/// A project whose sources declare the models of two stores.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct SeveralModelsTests {
  /// Two schemas that a plan joins.
  private static let users = """
    enum UserV1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [User.self] }
      @Model final class User { var a: Int }
    }
    enum UserV2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [User.self] }
      @Model final class User { var a: Int; var b: Int? }
    }
    enum UserPlan: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [UserV1.self, UserV2.self] }
      static var stages: [MigrationStage] {
        [.lightweight(fromVersion: UserV1.self, toVersion: UserV2.self)] }
    }
    let users = ModelContainer(for: UserV2.User.self, migrationPlan: UserPlan.self,
      configurations: ModelConfiguration("Users"))

    """
  /// Two schemas without a plan.
  private static let pages = """
    enum PageV1: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Page.self] }
      @Model final class Page { var a: Int }
    }
    enum PageV2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { [Page.self] }
      @Model final class Page { var a: Int; var c: Int? }
    }
    let pages = ModelContainer(for: PageV2.Page.self, configurations: ModelConfiguration("Pages"))

    """

  @Test func `judges each model by its own plan`() throws {
    try SourceProject.with(["A.swift": Self.users + Self.pages]) { project in
      let read = try project.read()
      #expect(read.runtime == .swiftDataPlan)
      let models = try read.coverage().models
      #expect(models.map(\.name) == ["Users", "Pages"])
      #expect(models.flatMap(\.paths).map(\.app.kind) == [.arrives, .arrives])
      let failures = try project.failures()
      #expect(failures == [])
    }
  }

  @Test func `takes a sample for a version that one model alone has, or that names its model`()
    throws
  {
    let twins =
      "@Model final class A { var a: Int }\n@Model final class B { var b: Int }\n"
      + "let a = ModelContainer(for: A.self, configurations: ModelConfiguration(\"First\"))\n"
      + "let b = ModelContainer(for: B.self, configurations: ModelConfiguration(\"Second\"))\n"
    try SourceProject.with(["A.swift": twins]) { project in
      let store = URL(filePath: project.folder + "/B.store")
      _ = try project.read().models.generateStore(at: store, of: "Second/current", rows: 2, seed: 1)
      try project.write("models: App\nsamples: {Second/current: B.store}", to: "waystone.yml")
      #expect(
        try project.read().check().allFindings.allSatisfy { $0.code != .sampleDiffersFromSchema }
      )
      try project.write("models: App\nsamples: {current: B.store}", to: "waystone.yml")
      let error = #expect(throws: WaystoneError.self) { _ = try project.read().check() }
      #expect(error?.message.contains("more than one, is called current") == true)
    }
  }

  @Test func `knows its only model again after a second store came`() throws {
    try SourceProject.with(["A.swift": Self.users]) { project in
      let alone = try project.read()
      #expect(alone.archive.models.map(\.name) == ["SwiftData"])
      _ = try alone.lock()
      try project.write(Self.pages, to: "App/B.swift")
      let both = try project.read()
      #expect(both.archive.models.map(\.name) == ["Users", "Pages"])
      let failures = try project.failures()
      #expect(failures == [])
      let edited = Self.users.replacing("var a: Int }", with: "var a: Int; var d: Int }")
      try project.write(edited, to: "App/A.swift")
      let edits = try project.failures()
      // The edited schema has a property that the next one lacks.
      #expect(edits == ["WS209", "WS811"])
    }
  }

  /// A container with two stores, and the app's model of one of them alone.
  private static let divided = """
    @Model final class Note { var a: Int }
    @Model final class Word { var b: Int }
    let container = try ModelContainer(for: Note.self, Word.self, configurations:
      ModelConfiguration("Notes", schema: Schema([Note.self])),
      ModelConfiguration("Words", schema: Schema([Word.self])))

    """
  private static let words = """
    @Model final class Word { var b: Int }
    let container = try ModelContainer(for: Word.self)
    """

  @Test
  func `takes the stores of one container for models where each has entities of its own`()
    throws
  {
    try SourceProject.with(["A.swift": Self.divided]) { project in
      #expect(try project.read().archive.models.map(\.name) == ["SwiftData"])
      try SourceProject.with(["A.swift": Self.words]) { other in
        let store = URL(filePath: project.folder + "/words.store")
        _ = try other.read().models.generateStore(at: store, of: "current", rows: 3, seed: 1)
      }
      let text = "models: App\nconfigurations: used\nsamples: {Words/current: words.store}"
      try project.write(text, to: "waystone.yml")
      let stated = try project.read()
      #expect(stated.archive.models.map(\.name) == ["Notes", "Words"])
      let store = try Store(reading: URL(filePath: project.folder + "/words.store"))
      #expect(stated.models.identify(store).versions.map(\.modelName) == ["Words"])
      let failures = try project.failures()
      #expect(failures == [])
    }
  }

  @Test func `finds a class of a history that is live in another model`() throws {
    let first = "[User.self] }\n  @Model final class User { var a: Int }"
    let sources = [
      "A.swift": Self.users.replacing(
        first,
        with: first.replacing("[User.self", with: "[User.self, Mark.self")
      ),
      "B.swift": Self.pages.replacing("[Page.self] }", with: "[Page.self, Mark.self] }")
        .replacing("for: PageV2.Page.self", with: "for: PageV2.Page.self, Mark.self")
        + "@Model final class Mark { var x: Int }",
    ]
    try SourceProject.with(sources) { project in
      let found = try project.read().check().findings.filter { $0.code == .historyNamesLiveType }
      #expect(found.allSatisfy { $0.message.contains("live model Mark") })
      #expect(found.map { $0.message.prefix(6) } == ["UserV1", "PageV1"])
    }
  }
}
