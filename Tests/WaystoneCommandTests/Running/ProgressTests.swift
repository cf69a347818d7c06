import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct ProgressTests {
  private func migrate(_ arguments: [String], isTerminal: Bool) throws -> CommandRun {
    var run: CommandRun?
    try RunCommandTests.with { folder, _ in
      run = CommandRun(
        ["migrate", "--history", "--no-fuse", "B.sqlite"] + arguments,
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

  /// Each kind of hop: rows that stay or are rewritten in place, fresh files, a hop file, a mapping model,
  /// policies, and a stage with code around it.
  @Test(
    arguments: [
      ("Letters/v1", "Letters/v2"), ("Letters/v2", "Letters/v3"), ("Letters/v3", "Letters/v4"),
      ("Library/v1", "Library/v2"), ("People/v1", "People/v2"), ("Notes/v2", "Notes/v3"),
      ("Notes/v3", "Notes/v4"), ("Aircraft/v1", "Aircraft/v3"),
    ]
  )
  func `the last line of each hop has all of its rows, however short it is`(
    source: String,
    destination: String
  ) throws {
    try SampleWalk.with { walk in
      let made = CommandRun("generate", source, "--rows", "300", "-o", "S.sqlite", in: walk.folder)
      try #require(made.status == .success, "\(made.errors)")
      let arguments = [
        "migrate", "S.sqlite", "--to", destination, "--progress", "ndjson", "--allow-sql",
        "--accept-changed-values",
      ]
      let run = CommandRun(arguments, in: walk.folder, registry: SampleWalk.allRegistry)
      try #require(run.status == .success, "\(run.errors)")
      let lines = try run.errors.split(separator: "\n").map { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      }
      #expect(lines.flatMap { JSONSchema.mistakes(inOutput: $0) } == [])
      let hops = Dictionary(grouping: lines.filter { $0["hop"] is Int }) { $0["hop"] as? Int ?? 0 }
      #expect(hops.count == (destination == "Aircraft/v3" ? 2 : 1))
      for lines in hops.values {
        let rows = try #require(lines.last?["rows"] as? Int)
        #expect(rows > 0 && lines.last?["totalRows"] as? Int == rows, "\(run.errors)")
        #expect(
          lines.compactMap { $0["rows"] as? Int }
            == lines.compactMap { $0["rows"] as? Int }.sorted()
        )
      }
    }
  }
}
