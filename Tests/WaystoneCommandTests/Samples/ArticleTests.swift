import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// All articles and the README: what is a command in them is run, or is one that this program takes.
@Suite struct ArticleTests {
  private static let folders = ["Waystone/Waystone.docc", "StoreMigration/StoreMigration.docc"]

  /// The articles, by their names.
  private static let articles: [String: Article] = {
    var articles = ["README": Article("README.md")]
    for folder in folders {
      for file in TemporaryFolder.names(in: "\(Article.root.path)/Sources/\(folder)")
      where file.hasSuffix(".md") && file != "Findings.md" {
        articles[String(file.dropLast(3))] = Article("Sources/\(folder)/\(file)")
      }
    }
    return articles
  }()

  /// The articles whose commands suites of their own run.
  private static let ran: Set = [
    "TenMinutes", "SwiftDataInCI", "MovingToSwiftData", "UpgradingAnArchive",
  ]

  /// The makers of the folders in which the commands of the other articles run, with their counts.
  private static let prepared: [String: (count: Int, prepare: @Sendable (String) throws -> Void)] =
    [
      "README": (2, bookmarks),
      "ReportsInCI": (10, { try TenMinutesTests.prepare($0) }),
      "StagedMigrations": (
        7, { try copy(["Aircraft.xcdatamodeld", "Aircraft.staged.yml"], to: $0) }
      ),
      "WhyNotTheApp": (2, { try copy(["Letters.xcdatamodeld"], to: $0) }),
    ]

  /// Copies samples, and names their folder as that of the models.
  private static func copy(_ samples: [String], to folder: String) throws {
    for name in samples {
      try FileManager.default.copyItem(
        atPath: "\(SampleArchive.root)/\(name)",
        toPath: "\(folder)/\(name)"
      )
    }
    let isStaged = samples.count > 1
    try TemporaryFolder.write(
      Array("models: .\n\(isStaged ? "runtime: staged\n" : "")".utf8),
      to: folder + "/waystone.yml"
    )
  }

  /// The app of the README's first lines: users have three versions, and the fourth renames a title.
  private static func bookmarks(_ folder: String) throws {
    let versions = [
      ["title"], ["note", "title"], ["note", "tags", "title"], ["note", "tags", "titleText"],
    ]
    try SketchedModel.write(
      versions.enumerated().map { index, names in
        let entity = SketchedModel.book(names.map { ($0, "") })
        return ("v\(index + 1)", entity.replacing(#""Book""#, with: #""Bookmark""#))
      },
      into: folder,
      model: "Bookmarks"
    )
    try TemporaryFolder.write(Array("models: .\n".utf8), to: folder + "/waystone.yml")
    #expect(CommandRun("lock", "v1", "v2", "v3", in: folder).status == .success)
  }

  @Test(arguments: prepared.keys.sorted())
  func `its commands print what it says`(name: String) throws {
    let article = try #require(Self.articles[name])
    let (count, prepare) = try #require(Self.prepared[name])
    try TemporaryFolder.with { folder in
      try prepare(folder)
      #expect(try article.runCommands(in: folder) == count)
    }
  }

  @Test func `each block states what it is, and those to be run are run`() throws {
    let kinds: Set = ["console", "json", "sh", "sql", "swift", "text", "xml", "yaml"]
    for (name, article) in Self.articles {
      let found = try Set(article.languages)
      #expect(found.subtracting(kinds) == [], "\(name)")
      let isRun = Self.ran.contains(name) || Self.prepared[name] != nil
      #expect(isRun == found.contains("console"), "\(name)")
    }
  }

  /// The words of a line of the shell, whose patterns stay as they are.
  private static func words(_ line: String) throws -> [String] {
    let split = "set -f; for word in \(line)\ndo printf '%s\\n' \"$word\"; done"
    return try Article.run(split, in: "/", after: 0).lines
  }

  @Test func `commands that are shown and not run are commands of this program`() throws {
    var count = 0
    for (name, article) in Self.articles {
      for line in try article.blocks("sh").flatMap({ $0 }) where line.hasPrefix("waystone ") {
        count += 1
        // Where the output goes is the shell's to know.
        let command = line.contains("'") ? line : line.split(separator: ">")[0].description
        let arguments = try Self.words(command).dropFirst()
        #expect(WaystoneProgram.accepts(Array(arguments)), "\(name): \(line)")
      }
    }
    #expect(count > 20)
    #expect(!WaystoneProgram.accepts(try Self.words("check --fly")))
  }

  @Test func `commands that sentences and findings name have a verb and options of this program`()
    throws
  {
    let findings = Article("Sources/Waystone/Waystone.docc/Findings.md")
    var helps: [String: String] = [:]
    var count = 0
    for (name, article) in Self.articles.merging(["Findings": findings], uniquingKeysWith: { $1 }) {
      for span in try article.spans where span.hasPrefix("waystone ") {
        let words = span.split(whereSeparator: \.isWhitespace).dropFirst().map(String.init)
        guard let first = words.first, !["help", "--version"].contains(first) else { continue }
        let pair = words.prefix(2).joined(separator: " ")
        let verb = WaystoneProgram.verbs.first { $0 == pair } ?? first
        #expect(WaystoneProgram.verbs.contains(verb), "\(name): \(span)")
        let help =
          helps[verb] ?? CommandRun(["help"] + verb.split(separator: " ").map(String.init)).output
        helps[verb] = help
        for word in words where word.hasPrefix("--") {
          #expect(help.contains(word), "\(name): \(span)")
        }
        count += 1
      }
    }
    #expect(count > 60)
  }

  @Test func `scripts that are shown are there`() throws {
    for (name, article) in Self.articles {
      for line in try article.blocks("sh").flatMap({ $0 }) {
        for word in line.split(separator: " ") where word.hasPrefix("Scripts/") {
          let path = Article.root.appending(path: String(word)).path
          #expect(FileManager.default.isExecutableFile(atPath: path), "\(name): \(line)")
        }
      }
    }
  }
}
