import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct ProgressTests {
  private func migrate(_ arguments: [String], isTerminal: Bool) throws -> CommandRun {
    var run: CommandRun?
    try RunCommandTests.with { folder, _ in
      run = CommandRun(
        ["migrate", "--walk", "B.sqlite"] + arguments,
        in: folder,
        environment: ["NO_COLOR": "1"],
        isTerminal: isTerminal
      )
    }
    return try #require(run)
  }

  @Test func `a terminal gets a bar that is taken away at the end`() throws {
    let run = try migrate([], isTerminal: true)
    #expect(run.status == .success)
    #expect(run.errors.hasPrefix("\r"))
    #expect(run.errors.contains("v1 → v2"))
    #expect(run.errors.hasSuffix("\r\u{1b}[K"))
    #expect(!run.errors.contains("\n"))
  }

  @Test(arguments: [(["--quiet"], true), (["--progress", "none"], true), ([], false)])
  func `no bar where none is wanted or seen`(arguments: [String], isTerminal: Bool) throws {
    let run = try migrate(arguments, isTerminal: isTerminal)
    #expect(run.status == .success)
    #expect(run.errors.isEmpty)
  }

  @Test func `programs get lines of JSON that name each stage`() throws {
    let run = try migrate(["--progress", "ndjson"], isTerminal: false)
    let lines = try run.errors.split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    #expect(lines.allSatisfy { $0?["schema"] as? String == "waystone.progress/1" })
    let titles = lines.compactMap { $0?["title"] as? String }
    for title in ["copying", "v1 → v2", "v2 → v10", "verifying", "swapping"] {
      #expect(titles.contains(title))
    }
  }

  @Test func `the last line of a hop has all of its rows, however short it is`() throws {
    try TemporaryFolder.with { folder in
      let models = "\(SampleArchive.root)/Letters.xcdatamodeld"
      let made = CommandRun("generate", "v2", "-o", "S.sqlite", "--models", models, in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let run = CommandRun(
        ["migrate", "S.sqlite", "--to", "v3", "--models", models, "--progress", "ndjson"],
        in: folder
      )
      let lines = try run.errors.split(separator: "\n").map { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      }
      let last = lines.last { $0["title"] as? String == "v2 → v3" }
      let rows = try #require(last?["rows"] as? Int)
      #expect(rows > 500 && last?["totalRows"] as? Int == rows, "\(run.errors)")
    }
  }
}
