import MigrationTestSupport
import Testing

/// The tutorial, whose models are written as it shows them, and whose commands are run.
@Suite struct TenMinutesTests {
  @Test func `each command of the tutorial prints what it says`() throws {
    try TemporaryFolder.with { folder in
      let article = Article("Sources/Waystone/Waystone.docc/TenMinutes.md")
      let files = ["v1.xcdatamodel/contents", "v2.xcdatamodel/contents", ".xccurrentversion"]
      let blocks = try article.blocks("xml").map { $0.joined(separator: "\n") + "\n" }
      try #require(blocks.count == files.count)
      for (file, text) in zip(files, blocks) {
        try SketchedModel.write(text, to: "\(folder)/Bookmarks.xcdatamodeld/\(file)")
      }
      #expect(try article.runCommands(in: folder) == 13)
    }
  }
}
