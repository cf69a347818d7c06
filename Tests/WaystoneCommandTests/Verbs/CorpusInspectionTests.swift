import MigrationTestSupport
import Testing
import WaystoneCommand

/// Stores of public apps, whose versions their names tell.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is absent")) struct CorpusInspectionTests {
  private static let bookmarks = Corpus.path(
    "duckduckgo+BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
  )

  private static func store(_ number: Int) -> String {
    Corpus.path(
      "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V\(number).sqlite"
    )
  }

  private static func name(_ number: Int) -> String {
    number == 1 ? "BookmarksModel" : "BookmarksModel \(number)"
  }

  @Test(arguments: 1...5)
  func `inspect names the version and leaves no trace`(number: Int) throws {
    let path = Self.store(number)
    let before = ["", "-wal", "-shm"].map { TemporaryFolder.bytes(of: path + $0) }
    let run = CommandRun("inspect", path, "--models", Self.bookmarks, "--format", "json")
    #expect(run.status == .success, "\(run.errors)")
    let json = try run.json()
    #expect(json["match"] as? String == "exact")
    #expect(json["versions"] as? [String] == [Self.name(number)])
    let after = ["", "-wal", "-shm"].map { TemporaryFolder.bytes(of: path + $0) }
    #expect(before == after)
  }

  @Test func `names that the model does not settle are refused unless accepted`() throws {
    let arguments = ["plan", Self.store(1), "--models", Self.bookmarks]
    let refused = CommandRun(arguments)
    #expect(refused.status == .noPath)
    #expect(refused.output.contains("needs --accept-unproven-names"))
    #expect(CommandRun(arguments + ["--accept-unproven-names"]).status == .success)
  }

  @Test func `a store of no archived version shows what is nearest`() throws {
    let run = CommandRun(
      "inspect",
      Self.store(3),
      "--models",
      "\(Self.bookmarks)/BookmarksModel 2.xcdatamodel"
    )
    #expect(run.status == .noPath, "\(run.errors)")
    #expect(run.output.contains("in no archived model; the store carries its own"))
    #expect(run.output.contains("nearest is BookmarksModel 2"))
  }
}
