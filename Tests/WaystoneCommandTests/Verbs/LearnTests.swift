import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import WaystoneCommand

/// The report of `check` on Swift types that a store settles, and on those that encode values in another way.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct LearnTests {
  private static let models = """
    import SwiftData

    enum Status: String, Codable { case open, done = "d", old }
    struct Item: Codable { var name: String; var note: String? }

    @Model final class Trip {
      var name: String
      var count: UInt64
      var status: Status
      var items: [Item] = []
      var at: Mystery?
      init() {}
    }

    """

  /// A folder with sources, and a store of them where SwiftData made other attributes than is assumed.
  private static func prepare(_ folder: String) throws {
    try SketchedModel.write(models, to: folder + "/App/Models.swift")
    let types = """
      models: App
      runtime: swiftdata
      swiftdata:
        types:
          UInt64: Integer 32
          Mystery: {lat: Double, note: String?}
      """
    try SketchedModel.write(types, to: folder + "/waystone.yml")
    let made = CommandRun("generate", "current", "-o", "1.0.store", "--rows", "9", in: folder)
    try #require(made.status == .success, "\(made.errors)")
    try SketchedModel.write("models: App\nruntime: swiftdata\n", to: folder + "/waystone.yml")
  }

  private static func expect(_ run: CommandRun, _ golden: String) {
    let mismatch = Golden.mismatch(run.output, golden)
    #expect(mismatch == nil, "\(mismatch ?? "")")
  }

  @Test func `a store settles types, and the lines for waystone yml are printed`() throws {
    let folder = try ScratchFolder()
    try Self.prepare(folder.path)
    Self.expect(CommandRun("check", "--learn", "1.0.store", in: folder.path), "check-learn.txt")
    let run = CommandRun("check", "--learn", "1.0.store", "--format", "json", in: folder.path)
    let learned = try #require(run.json()["learned"] as? [[String: Any]])
    #expect(learned.map { $0["type"] as? String } == ["UInt64", "[Item]", "Mystery"])
    #expect(learned.first?["assumed"] as? String == "Integer 64")
    #expect(learned.last?["assumed"] is NSNull)
  }

  @Test func `a case that is gone is told at its line, with the rows that hold it`() throws {
    let folder = try ScratchFolder()
    try Self.prepare(folder.path)
    let store = try AppDatabase(folder.path + "/1.0.store")
    try store.execute("UPDATE ZTRIP SET ZSTATUS = CASE WHEN Z_PK < 4 THEN 'old' ELSE 'open' END")
    try SketchedModel.write(
      "models: App\nruntime: swiftdata\nsamples: {current: 1.0.store}\n",
      to: folder.path + "/waystone.yml"
    )
    #expect(CommandRun("lock", "--all", in: folder.path).status == .success)
    let edited = Self.models.replacing(", old }", with: " }").replacing(
      "note: String?",
      with: "note: Int?"
    )
    try SketchedModel.write(edited, to: folder.path + "/App/Models.swift")
    let run = CommandRun("check", in: folder.path)
    #expect(run.status == .answerIsNo)
    Self.expect(run, "check-case-gone.txt")
  }

  @Test func `sources are exported with their cases and initial values`() throws {
    let folder = try ScratchFolder()
    let models = Self.models.replacing("  var at: Mystery?\n", with: "")
    try SketchedModel.write(models, to: folder.path + "/App/Models.swift")
    try SketchedModel.write("models: App\n", to: folder.path + "/waystone.yml")
    let run = CommandRun("export", "current", "--swift", in: folder.path)
    for line in [
      "enum Status: String, Codable {", "case done = \"d\"", "case old", "var items: [Item] = []",
    ] {
      #expect(run.output.contains(line), "\(line): \(run.output)")
    }
    let written = CommandRun("export", "current", "--swift", "-o", "V1.swift", in: folder.path)
    #expect(written.status == .success, "\(written.errors)")
  }

  @Test func `a project of Xcode's models has nothing to learn`() throws {
    let folder = try ScratchFolder()
    let archive = SampleArchive.root + "/Library.xcdatamodeld"
    let run = CommandRun("check", "--learn", "a.store", "--models", archive, in: folder.path)
    #expect(run.status == .usage, "\(run.status)")
    #expect(run.errors.contains("declares no model in Swift"), "\(run.errors)")
  }
}
