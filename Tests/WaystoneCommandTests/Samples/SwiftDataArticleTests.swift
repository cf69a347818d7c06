import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import WaystoneCommand

/// The article on SwiftData in CI, whose commands are run as they stand in a copy of the sample Trips.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct SwiftDataArticleTests {
  private static let article = Article("Sources/Waystone/Waystone.docc/SwiftDataInCI.md")

  private static func prepare(_ folder: String) throws {
    let manager = FileManager.default
    for name in ["Sources", "waystone.lock", "waystone.yml"] {
      try manager.copyItem(
        atPath: "\(SampleArchive.root)/Trips/\(name)",
        toPath: "\(folder)/\(name)"
      )
    }
    try manager.createDirectory(
      atPath: folder + "/Notes/Sources",
      withIntermediateDirectories: true
    )
    func write(_ properties: String) throws {
      let text = "import SwiftData\n\n@Model final class Note {\n\(properties)\n}\n"
      try TemporaryFolder.write(Array(text.utf8), to: folder + "/Notes/Sources/Note.swift")
    }
    try write("  var text: String")
    try Git.commitAll(in: folder)
    try Git.run("tag", "v1.0.0", in: folder)
    try write("  var text: String\n  var isPinned: Bool = false")
    try Git.run("commit", "-q", "-a", "-m", "b", in: folder)
    try Git.run("tag", "v1.1.0", in: folder)
    try write("  var text: String\n  var isPinned: Bool = false\n  var color: String?")
  }

  @Test(.enabled(if: Git.isThere, "needs git"))
  func `its commands print what it says, from the top to the end`() throws {
    let folder = try ScratchFolder()
    try Self.prepare(folder.path)
    #expect(try Self.article.runCommands(in: folder.path) == 12)
  }

  @Test func `its table has every rule with its proof`() throws {
    let path = "Sources/Waystone/Waystone.docc/SwiftDataInCI.md"
    let text = try String(contentsOf: Article.root.appending(path: path), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.hasSuffix("d |") }
    let rules = ShapeRule.all.map { "| \($0.subject) | \($0.kept ?? "") | \($0.proof.rawValue) |" }
    #expect(rows.map { String($0).replacing("`", with: "") } == rules)
  }

  @Test func `its configuration is the sample's`() throws {
    let text = try #require(try Self.article.blocks("yaml").first).joined(separator: "\n")
    let sample = try String(
      contentsOfFile: "\(SampleArchive.root)/Trips/waystone.yml",
      encoding: .utf8
    )
    #expect(sample.hasSuffix(text + "\n"))
  }

  @Test func `every configuration in it can be read`() throws {
    let folder = try ScratchFolder()
    try Self.prepare(folder.path)
    let project = folder.path + "/Notes/Notes.xcodeproj"
    try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
    let target = SampleXcodeProject.Target("Notes").with { $0.folders = ["Sources"] }
    try TemporaryFolder.write(
      Array(SampleXcodeProject(target).text.utf8),
      to: project + "/project.pbxproj"
    )
    for block in try Self.article.blocks("yaml") {
      var text = block.joined(separator: "\n")
      if !text.hasPrefix("models:") { text = "models: Notes/Sources\n" + text }
      let lines = text.replacing("[Note, Tag]", with: "[Note]").split(separator: "\n")
      let kept = lines.filter { !$0.contains("samples") && !$0.contains("Samples") }
      try TemporaryFolder.write(
        Array(kept.joined(separator: "\n").utf8),
        to: folder.path + "/waystone.yml"
      )
      let run = CommandRun("versions", in: folder.path)
      #expect(run.status == .success, "\(run.errors)")
    }
  }

  @Test(.enabled(if: Git.isThere, "needs git"))
  func `init takes the tags of releases where the sources keep no frozen schema`() throws {
    let folder = try ScratchFolder()
    try Self.prepare(folder.path)
    try Git.run("tag", "nightly", in: folder.path)
    // A release that a branch has, and that was merged without its commits.
    try Git.run("commit", "-q", "--allow-empty", "-m", "c", in: folder.path)
    try Git.run("tag", "v1.0.1", in: folder.path)
    try Git.run("reset", "-q", "--soft", "v1.1.0", in: folder.path)
    let run = CommandRun("init", in: folder.path + "/Notes")
    #expect(run.status == .success, "\(run.errors)")
    let text = try String(contentsOfFile: folder.path + "/Notes/waystone.yml", encoding: .utf8)
    #expect(text.contains("\nmodels: \".@v1.0.0,v1.1.0,.\"\n"))
    #expect(text.contains("\n# Tags of other branches, to add where they were released: v1.0.1.\n"))
    #expect(text.contains("\nruntime: swiftdata\n"))
    let versions = CommandRun("versions", in: folder.path + "/Notes")
    #expect(versions.status == .success && versions.output.contains("v1.1.0"))
  }

  @Test func `init says that the app goes by a plan only where a container is given it`() throws {
    let folder = try ScratchFolder()
    let schema = """
      enum V1: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
        static var models: [any PersistentModel.Type] { [A.self] }
        @Model class A { var x: Int }
      }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self] }
        static var stages: [MigrationStage] { [] }
      }
      let container = try ModelContainer(for: V1.A.self
      """
    let path = folder.path + "/waystone.yml"
    for (argument, runtime) in [
      (")", "swiftdata"), (", migrationPlan: Plan.self)", "swiftdata-plan"),
    ] {
      try TemporaryFolder.write(Array((schema + argument).utf8), to: folder.path + "/A.swift")
      #expect(CommandRun("init", "--ci", "none", in: folder.path).status == .success)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("\nruntime: \(runtime)\n"), "\(text)")
      let check = CommandRun("check", in: folder.path)
      #expect(check.status == .success, "\(check.output)")
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test(.enabled(if: Git.isThere, "needs git"))
  func `SARIF has the finding at its line`() throws {
    let folder = try ScratchFolder()
    try Self.prepare(folder.path)
    let run = CommandRun("check", "--format", "sarif", in: folder.path)
    let log = try run.json()
    let runs = log["runs"] as? [[String: Any]]
    let results = runs?.first?["results"] as? [[String: Any]] ?? []
    let drift = try #require(results.first { $0["ruleId"] as? String == "WS811" })
    let locations = drift["locations"] as? [[String: Any]]
    let place = locations?.first?["physicalLocation"] as? [String: Any]
    let file = place?["artifactLocation"] as? [String: Any]
    let region = place?["region"] as? [String: Any]
    #expect(file?["uri"] as? String == "Sources/SchemaV2.swift")
    #expect(region?["startLine"] as? Int == 25)
  }

  @Test(
    .enabled(if: Git.isThere, "needs git"),
    arguments: [
      ("Notes/Sources@v9", "git knows no commit v9"),
      ("Notes/Sources@v1.0.0,v1.0.0", "named twice"),
      ("Notes/Sources@v1.0.0,", "no tag or commit"),
      ("Notes/Sources@--output=x", "no tag or commit"),
      ("Notes@main,.", "ok"), ("Notes/Sources/", "ok"), ("Notes/Sources//@v1.0.0,.", "ok"),
    ]
  )
  func `a commit that is none is refused by name`(models: String, words: String) throws {
    let folder = try ScratchFolder()
    try Self.prepare(folder.path)
    let run = CommandRun("versions", "--models", models, in: folder.path)
    if words == "ok" {
      #expect(run.status == .success, "\(run.errors)")
    } else {
      #expect(run.status != .success)
      #expect(run.errors.contains(words), "\(run.errors)")
    }
  }
}
