import Foundation
import MigrationTestSupport
import Testing
import Waystone
import WaystoneCommand

/// Versions of sources that are written as frozen schemas.
@Suite struct FreezeTests {
  private static let models = """
    import Foundation
    import SwiftData

    let defaultPlan = "walk"

    @Model final class Trip {
        @Attribute(.unique) var id: UUID = UUID()
        var name: String = "New \\"trip\\""
        var start: Date = Date.now
        var kind: Kind = Kind.short
        var places: [Place] = []
        var options: Options = Options(rawValue: 1)
        var plan: String = defaultPlan
        @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop]? = []
        init() {}
        enum Kind: String, Codable, CaseIterable {
            case short = "s"
            case long
            var title: String { rawValue.capitalized + defaultPlan }
        }
    }
    @Model final class Stop {
        var note: String?
        var mood: Mood = Mood.calm
        var trip: Trip?
        init() {}
    }
    struct Place: Codable, Hashable { var x: Double = 0; let y: Double }
    struct Options: OptionSet, Codable { let rawValue: Int }
    protocol Tasty: Codable, Hashable {}
    enum Flavor: String, Tasty { case sweet, sour = "acid" }
    enum Mood: Codable { case calm, wild(reason: String), hungry(Flavor) }
    """

  private func project(
    _ sources: [String: String],
    _ body: (_ folder: String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      for (name, text) in sources { try SketchedModel.write(text, to: "\(folder)/App/\(name)") }
      try SketchedModel.write("models: App\n", to: "\(folder)/waystone.yml")
      try body(folder)
    }
  }

  /// The hashes of a version of models, as its frozen copy has them.
  private func hashes(_ version: String, _ models: String, in folder: String) throws -> [String:
    String]
  {
    let run = CommandRun("freeze", version, "--models", models, "--format", "json", in: folder)
    return try #require(run.json()["hashes"] as? [String: String])
  }

  @Test func `the current version becomes a schema that refers to nothing outside of it`() throws {
    try project(["Models.swift": Self.models]) { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/Frozen",
        withIntermediateDirectories: true
      )
      let written = CommandRun(
        "freeze",
        "SchemaV1",
        "--output",
        "Frozen/SchemaV1.swift",
        in: folder
      )
      #expect(written.status == .success, "\(written.errors)")
      let text = try String(contentsOfFile: folder + "/Frozen/SchemaV1.swift", encoding: .utf8)
      #expect(Golden.mismatch(text, "freeze-SchemaV1.swift.txt") == nil)
      #expect(!text.contains("defaultPlan"))
      #expect(written.output.contains("Trip.plan"))
      let errors = try SwiftDataStub.errors(in: text)
      #expect(errors == nil)
      // Alone it is read as what the live classes are.
      let (frozen, live) = try (
        hashes("SchemaV1", "Frozen", in: folder), hashes("current", "App", in: folder)
      )
      #expect(frozen == live)
      // Never over a file.
      let again = CommandRun("freeze", "SchemaV1", "--output", "Frozen/SchemaV1.swift", in: folder)
      #expect(again.status != .success)
    }
  }

  @Test func `a type that the sources lack is told`() throws {
    let foreign = Self.models.replacing("var note: String?", with: "var note: NoteOfAPackage?")
    try project(["Models.swift": foreign]) { folder in
      let run = CommandRun("freeze", "SchemaV1", in: folder)
      #expect(run.output.contains("var note: NoteOfAPackage?"))
      #expect(run.output.contains("The sources do not declare NoteOfAPackage"))
    }
  }

  @Test(.enabled(if: Corpus.isPresent))
  func `a store's version is frozen where there is no project`() throws {
    let store = try #require(
      Corpus.files { $0.contains("SwiftData/") && $0.hasSuffix(".store") }.first
    )
    try TemporaryFolder.with { folder in
      let run = CommandRun("freeze", "SchemaV0", "--from", store, in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let errors = try SwiftDataStub.errors(in: run.output)
      #expect(errors == nil)
    }
  }

  private static let style = """
    import Foundation
    import SwiftData

    public enum SchemaV1: VersionedSchema {
    \tpublic static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    \tpublic static var models: [any PersistentModel.Type] { [Note.self] }
    \t@Model public final class Note {
    \t\tpublic var text: String = ""
    \t\tpublic init() {}
    \t}
    }
    public enum SchemaV2: VersionedSchema {
    \tpublic static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    \tpublic static var models: [any PersistentModel.Type] { [Note.self] }
    }
    @Model public final class Note {
    \tpublic var text: String = ""
    \tpublic var pinned: Bool = false
    \tpublic init() {}
    }
    enum Plan: SchemaMigrationPlan {
    \tstatic var schemas: [any VersionedSchema.Type] { [SchemaV1.self] }
    \tstatic var stages: [MigrationStage] { [] }
    }
    """

  @Test func `access, indentation and identifier are those of the sources`() throws {
    try project(["Models.swift": Self.style]) { folder in
      let run = CommandRun("freeze", "SchemaV2", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.output.contains("public enum SchemaV2: VersionedSchema {\n"))
      #expect(
        run.output.contains("\n\tpublic static let versionIdentifier = Schema.Version(2, 0, 0)\n")
      )
      #expect(run.output.contains("\n\t\tpublic var pinned: Bool = false\n"))
      #expect(run.output.contains("// Add to Plan:\n//   schemas  SchemaV2.self\n"))
      #expect(
        run.output.contains(
          "//   stages   .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)\n"
        )
      )
      let errors = try SwiftDataStub.errors(in: run.output)
      #expect(errors == nil)
      let next = CommandRun("freeze", "SchemaV3", "--from", "SchemaV2", in: folder)
      #expect(next.output.contains("Schema.Version(3, 0, 0)"))
      let older = CommandRun("freeze", "SchemaV0", "--from", "SchemaV1", in: folder)
      #expect(older.output.contains("at its place in the history"))
      #expect(!older.output.contains("fromVersion"))
    }
  }

  @Test func `a step that is not inferred is a custom stage`() throws {
    let changed = Self.style.replacing("var pinned: Bool = false", with: "var pinned: Bool")
    try project(["Models.swift": changed]) { folder in
      let run = CommandRun("freeze", "SchemaV2", in: folder)
      #expect(
        run.output.contains(
          ".custom(fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil, didMigrate: nil)"
        )
      )
    }
  }

  @Test func `a type that encodes itself is not copied`() throws {
    let coded = Self.models.replacing(
      "var x: Double = 0; let y: Double }",
      with:
        "var x: Double = 0; let y: Double; enum CodingKeys: String, CodingKey { case x = \"a\", y } }"
    )
    try project(["Models.swift": coded]) { folder in
      let run = CommandRun("freeze", "SchemaV1", in: folder)
      #expect(run.status != .success)
      #expect(run.errors.contains("Place has coding keys"))
    }
  }

  @Test func `a frozen schema is held against the lock`() throws {
    try project(["Models.swift": Self.style]) { folder in
      #expect(CommandRun("freeze", "--check", in: folder).status != .success)
      #expect(CommandRun("lock", "--all", in: folder).status == .success)
      #expect(CommandRun("freeze", "--check", in: folder).status == .success)
      let edited = Self.style.replacing(
        "\t\tpublic var text: String",
        with: "\t\tpublic var text: Int"
      )
      #expect(edited != Self.style)
      try SketchedModel.write(
        edited.replacing(#"text: Int = """#, with: "text: Int = 0"),
        to: folder + "/App/Models.swift"
      )
      let run = CommandRun("freeze", "--check", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(run.output.contains("WS811") && run.output.contains("freeze SchemaV1`"))
      try SketchedModel.write(Self.style, to: folder + "/App/Models.swift")
      #expect(CommandRun("freeze", "--check", in: folder).status == .success)
    }
  }

  @Test func `a historical schema with a live type is frozen by what the finding names`() throws {
    let live = Self.style.replacing(
      "enum Plan",
      with: """
        public enum SchemaV3: VersionedSchema {
        \tpublic static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
        \tpublic static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
        }
        @Model public final class Tag { public var name: String = ""; public init() {} }
        enum Plan
        """
    )
    try project(["Models.swift": live]) { folder in
      let check = CommandRun("check", in: folder)
      #expect(check.output.contains("WS813"))
      #expect(check.output.replacing("\n", with: " ").contains("freeze"))
      let run = CommandRun("freeze", "SchemaV2", in: folder)
      let declaration = try #require(live.firstRange(of: "public enum SchemaV2"))
      let end = try #require(live[declaration.lowerBound...].firstRange(of: "\n}\n"))
      var mended = live
      mended.removeSubrange(declaration.lowerBound..<end.upperBound)
      try SketchedModel.write(mended, to: folder + "/App/Models.swift")
      try SketchedModel.write(run.output, to: folder + "/App/SchemaV2.swift")
      #expect(!CommandRun("check", in: folder).output.contains("WS813"))
    }
  }

  @Test func `usage is refused where there is nothing to write`() {
    #expect(CommandRun("freeze").status == .usage)
    #expect(CommandRun("freeze", "S", "--check").status == .usage)
    #expect(CommandRun("freeze", "S", "--output", "a.txt").status == .usage)
  }
}
