import MigrationTestSupport
import Testing

/// The tutorial, whose models are written as it shows them, and whose commands are run.
@Suite struct TenMinutesTests {
  static let article = Article("Sources/Waystone/Waystone.docc/TenMinutes.md")

  /// Writes the models of the tutorial.
  static func prepare(_ folder: String) throws {
    let files = ["v1.xcdatamodel/contents", "v2.xcdatamodel/contents", ".xccurrentversion"]
    let blocks = try article.blocks("xml").map { $0.joined(separator: "\n") + "\n" }
    try #require(blocks.count == files.count)
    for (file, text) in zip(files, blocks) {
      try SketchedModel.write(text, to: "\(folder)/Bookmarks.xcdatamodeld/\(file)")
    }
  }

  @Test func `each command of the tutorial prints what it says`() throws {
    try TemporaryFolder.with { folder in
      try Self.prepare(folder)
      #expect(try Self.article.runCommands(in: folder) == 13)
    }
  }
}
