import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Synchronization
import Testing
import WaystoneCommand

/// `dump` and `query`, as the command prints them.
@Suite struct LookingInsideTests {
  private static func with(_ rows: Int = 12, _ body: (SampleWalk) throws -> Void) throws {
    try SampleWalk.with { walk in
      let run = CommandRun(
        ["generate", "Letters/v3", "--rows", "\(rows)", "--seed", "5", "-o", "A.sqlite"],
        in: walk.folder
      )
      #expect(run.status == .success, "\(run.errors)")
      try body(walk)
    }
  }

  @Test func `a dump is as it was read`() throws {
    try Self.with { walk in
      let run = CommandRun("dump", "A.sqlite", in: walk.folder)
      #expect(run.status == .success && run.errors.isEmpty)
      #expect(Golden.mismatch(run.output, "dump-letters.ndjson") == nil)
      let csv = CommandRun("dump", "A.sqlite", "Letter", "--format", "csv", in: walk.folder)
      #expect(Golden.mismatch(csv.output, "dump-letter.csv") == nil)
      let file = CommandRun("dump", "A.sqlite", "-o", "P.sqlite", in: walk.folder)
      #expect(file.output == "P.sqlite  12 objects of 6 entities\n")
      let schema = try AppDatabase("\(walk.folder)/P.sqlite").rows(
        "SELECT sql FROM sqlite_master WHERE sql NOTNULL ORDER BY name"
      ).compactMap { $0[0].text }.joined(separator: ";\n")
      #expect(Golden.mismatch(schema + ";\n", "dump-letters.sql") == nil)
    }
  }

  @Test func `a query is as it was read`() throws {
    try Self.with(60) { walk in
      let question =
        "Letter where pages > 100 sort by pages desc limit 6 select pages, heading, sender.name, recipients"
      let table = CommandRun("query", "A.sqlite", question, in: walk.folder)
      #expect(table.status == .success && table.errors.isEmpty)
      #expect(Golden.mismatch(table.output, "query-letters.txt") == nil)
      let json = CommandRun("query", "A.sqlite", question, "--format", "json", in: walk.folder)
      _ = try json.json()
      #expect(Golden.mismatch(json.output, "query-letters.json") == nil)
      let lines = CommandRun(
        "query",
        "A.sqlite",
        "Person limit 2",
        "--format",
        "ndjson",
        in: walk.folder
      )
      #expect(lines.output.split(separator: "\n").count == 2)
      let count = try CommandRun(
        "query",
        "A.sqlite",
        "count Letter",
        "--format",
        "json",
        in: walk.folder
      )
      .json()
      #expect(count["objects"] == nil && count["count"] as? Int ?? 0 > 0)
      let csv = CommandRun("query", "A.sqlite", "count Letter", "--format", "csv", in: walk.folder)
      #expect(csv.output == "count\r\n\(count["count"] ?? "")\r\n")
    }
  }

  @Test func `an error of a question is one, in JSON too, and names the column`() throws {
    try Self.with { walk in
      let run = CommandRun(
        "query",
        "A.sqlite",
        "Letter where foo == 1",
        "--format",
        "json",
        in: walk.folder
      )
      #expect(run.status == .usage)
      let json = try run.json()
      #expect(json["schema"] as? String == "waystone.error/1")
      #expect(
        run.errors == """
          error: Column 14 of the query: Letter has no property “foo” that a store keeps.
          next: Correct the name; text is put into quotation marks.

          """
      )
    }
  }

  @Test func `values that are not of their type are counted, and no message holds one`() throws {
    try Self.with(60) { walk in
      try AppDatabase("\(walk.folder)/A.sqlite").execute(
        "UPDATE ZLETTER SET ZPAGES = 'secret' || char(27) WHERE Z_PK < 4"
      )
      for verb in [["dump", "A.sqlite"], ["query", "A.sqlite", "Letter select pages"]] {
        let run = CommandRun(verb, in: walk.folder)
        #expect(run.status == .damagedInput)
        #expect(run.output.contains("secret") && !run.output.contains("\u{1b}"))
        #expect(!run.errors.contains("secret"))
        #expect(
          run.errors.hasPrefix("warning: Letter.pages: 3 values are not of the attribute's type\n")
        )
      }
      let ordered = CommandRun(
        "query",
        "A.sqlite",
        "Letter where pages.stringValue == \"1\"",
        in: walk.folder
      )
      #expect(!ordered.errors.contains("secret"))
    }
  }

  @Test func `a dump ends where its reader is gone, and fails where its output is full`() throws {
    try Self.with(3000) { walk in
      let pieces = Mutex(0)
      func console(takes: Bool) -> Console {
        var console = Console(
          writeBytes: { _ in
            pieces.withLock { $0 += 1 }
            return takes
          },
          writeError: { _ in },
          workingDirectory: walk.folder
        )
        console.isOutputClosed = { takes }
        return console
      }
      #expect(WaystoneProgram.run(["dump", "A.sqlite"], on: console(takes: true)) == .success)
      #expect(pieces.withLock { $0 } == 1)
      #expect(WaystoneProgram.run(["dump", "A.sqlite"], on: console(takes: false)) == .inputOutput)
      #expect(pieces.withLock { $0 } == 2)
    }
  }

  @Test func `what cannot be printed, named or written over is refused before the store is read`()
    throws
  {
    try Self.with { walk in
      let cases: [([String], CommandStatus)] = [
        (["dump", "A.sqlite", "--format", "sqlite"], .usage),
        (["dump", "A.sqlite", "--format", "csv"], .usage),
        (["dump", "A.sqlite", "-o", "x.html"], .usage), (["dump", "A.sqlite", "Nothing"], .usage),
        (["dump", "A.sqlite", "--escape-formulas"], .usage),
        (["dump", "A.sqlite", "-o", "A.sqlite"], .cannotCreate),
        (["dump", "A.sqlite", "-o", "A.sqlite-wal", "--format", "ndjson"], .cannotCreate),
        (["dump", "A.sqlite", "-o", "none/x.ndjson"], .cannotCreate),
        (["dump", "B.sqlite"], .missingInput), (["query", "A.sqlite", "Nothing"], .usage),
      ]
      let before = TemporaryFolder.names(in: walk.folder)
      for (arguments, status) in cases {
        let run = CommandRun(arguments, in: walk.folder)
        #expect(run.status == status, "\(arguments): \(run.errors)")
        #expect(run.output.isEmpty)
      }
      #expect(TemporaryFolder.names(in: walk.folder) == before)
    }
  }
}
