import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// The article on upgrading an archive, whose commands are run as they stand, from its top to its end.
@Suite struct UpgradingArticleTests {
  private static let article = Article("Sources/Waystone/Waystone.docc/UpgradingAnArchive.md")

  /// The folder of which the article speaks.
  private static func prepare(_ folder: String) throws {
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder + "/Models", withIntermediateDirectories: false)
    for name in ["Letters.xcdatamodeld", "Library.xcdatamodeld", "People.xcdatamodeld"] {
      try manager.copyItem(
        atPath: "\(SampleArchive.root)/\(name)",
        toPath: "\(folder)/Models/\(name)"
      )
    }
    for name in ["Library.v1-v2.hop.yml", "People.v1-v2.hop.yml"] {
      try manager.copyItem(
        atPath: "\(SampleArchive.root)/\(name)",
        toPath: "\(folder)/Models/\(name)"
      )
    }
    let configuration = try #require(try article.blocks("yaml").first).joined(separator: "\n")
    try TemporaryFolder.write(Array(configuration.utf8), to: folder + "/waystone.yml")
    for (path, version) in [
      ("old/anna/Letters.sqlite", "Letters/v1"), ("old/ben/Letters.sqlite", "Letters/v2"),
      ("old/ben/People.sqlite", "People/v1"), ("old/carla/Library.sqlite", "Library/v1"),
      ("old/dora/Letters.sqlite", "Letters/v4"), ("old/erik/Letters.sqlite", "Letters/v3"),
      ("phone/Letters.sqlite", "Letters/v1"), ("backup/erik.sqlite", "Letters/v3"),
    ] {
      let parent = URL(filePath: "\(folder)/\(path)").deletingLastPathComponent()
      try manager.createDirectory(at: parent, withIntermediateDirectories: true)
      let made = CommandRun(
        "generate",
        version,
        "--rows",
        "40",
        "--seed",
        "1",
        "-o",
        path,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
    }
    let damaged = folder + "/old/erik/Letters.sqlite"
    let bytes = try #require(TemporaryFolder.bytes(of: damaged))
    try TemporaryFolder.write(Array(bytes.prefix(20_000)), to: damaged)
    try TemporaryFolder.write(Array("no store\n".utf8), to: folder + "/old/notes.txt")
    let packed = try Article.run(
      "bsdtar -acf backup.zip phone && rm -r phone",
      in: folder,
      after: 0
    )
    try #require(packed.status == 0, "\(packed.lines)")
  }

  @Test(.enabled(if: hasArchiver, "needs bsdtar: install libarchive-tools"))
  func `its commands print what it says, from the top to the end`() throws {
    let folder = try ScratchFolder()
    try Self.prepare(folder.path)
    let count = try Self.article.runCommands(in: folder.path)
    #expect(count > 20)
    let html = try String(contentsOfFile: folder.path + "/report.html", encoding: .utf8)
    #expect(html.contains("old/erik/Letters.sqlite"))
  }

  @Test func `the commands that need a cluster are commands of this program`() throws {
    let scripts = Article.root.appending(path: "Scripts").path
    let lines = try Self.article.blocks("sh").flatMap { $0 }
    #expect(lines.count == 2)
    for line in lines {
      let words = line.split(separator: " ").map { String($0) }
      let place = try #require(words.firstIndex(of: "Scripts/batch-task"))
      let arguments = words[(place + 1)...].prefix { $0 != ":::" }
      #expect(
        WaystoneProgram.accepts(["batch", "run", "--shard", "auto/8"] + arguments),
        "\(line)"
      )
    }
    #expect(FileManager.default.isExecutableFile(atPath: scripts + "/batch-task"))
  }

  @Test func `a text that differs in a word is not taken for what the article says`() {
    let said = ["7 stores, 1.5 s", "", "done"]
    #expect(Article.matches(said, ["7  stores, …", "", "done"]))
    #expect(Article.matches(said, ["…", "done"]))
    #expect(Article.matches(said, ["… stores, … s", "…"]))
    #expect(!Article.matches(said, ["8 stores, …", "", "done"]))
    #expect(!Article.matches(said, ["7 stores, …", "", "done", "more"]))
    #expect(!Article.matches(said, ["7 stores", "", "done"]))
    #expect(!Article.matches(said, ["7 stores, … m", "", "done"]))
  }

  private static let hasArchiver = ["/usr/bin/bsdtar", "/bin/bsdtar", "/usr/local/bin/bsdtar"]
    .contains { FileManager.default.isExecutableFile(atPath: $0) }
}
