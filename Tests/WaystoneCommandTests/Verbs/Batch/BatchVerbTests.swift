import BatchMigration
import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite("Verbs of a batch")
struct BatchVerbTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Makes a ledger with stores of which the first ones have ended.
  static func make(
    _ path: String,
    _ states: [StoreState],
    waiting: Int = 1,
    version: String = "v4"
  ) throws {
    let ledger = try BatchLedger(
      creating: path,
      BatchDescription(tool: "test", version: version, output: "/out")
    )
    try ledger.add(
      (0..<states.count + waiting).map {
        FoundStore(
          name: "Old/\($0).sqlite",
          destination: "\($0).sqlite",
          place: .file("/old/\($0).sqlite"),
          bytes: Int64($0),
          modified: nil,
          head: "h"
        )
      }
    )
    let hold = try ledger.hold(joining: false)
    let claimed = try ledger.claim(
      states.count,
      holder: hold,
      where: LedgerSelection(order: .smallestFirst)
    )
    for (store, state) in zip(claimed, states) {
      var outcome = StoreOutcome(state, started: Date(timeIntervalSince1970: 100), seconds: 1)
      outcome.version = "v1"
      if StoreState.retriable.contains(state) { outcome.code = "blocked" }
      try ledger.record(outcome, of: store.id)
    }
    try ledger.end(hold)
  }

  private func run(_ arguments: String...) -> CommandRun {
    CommandRun(["batch"] + arguments, in: folder.path)
  }

  private func states(_ ledger: String) throws -> [StoreState] {
    var states: [StoreState] = []
    try BatchLedger(opening: "\(folder.path)/\(ledger)").stores { states.append($0.state) }
    return states
  }

  @Test func `status tells how far a batch is, from the ledger here, in a tree or by name`() throws
  {
    let ledger = "batch.waystone.sqlite"
    try FileManager.default.createDirectory(
      atPath: folder.path + "/out",
      withIntermediateDirectories: false
    )
    try Self.make("\(folder.path)/out/\(ledger)", [.migrated, .failed])
    #expect(run("status").status == .missingInput)
    for arguments in [["out"], ["--ledger", "out/\(ledger)"], ["-C", "out"]] {
      let status = CommandRun(["batch", "status"] + arguments, in: folder.path)
      #expect(status.status == .success)
      #expect(
        status.words.contains("3 stores: 1 reached v4, 1 did not (1 failed), 1 remains."),
        "\(status.output)\(status.errors)"
      )
    }
    let both = run("status", "out", "--ledger", "x")
    #expect(both.status == .usage)
    let json = try run("status", "out", "--format", "json").json()
    #expect(json["total"] as? Int == 3)
    #expect(json["stores"] == nil)
    #expect((json["states"] as? [String: Int])?["failed"] == 1)
    #expect((json["remaining"] as? [String: Int])?["waiting"] == 1)
  }

  @Test func `a file that is no ledger is refused by every verb`() throws {
    try AppDatabase.run(folder.path + "/s.sqlite", "CREATE TABLE t (a)")
    try Self.make(folder.path + "/good.sqlite", [])
    for arguments in [
      ["status", "--ledger", "s.sqlite"], ["report", "--ledger", "s.sqlite"],
      ["retry", "--ledger", "s.sqlite", "--state", "failed"],
      ["merge", "s.sqlite", "--into", "new.sqlite"],
      ["merge", "good.sqlite", "--into", "s.sqlite"],
    ] {
      let refused = CommandRun(["batch"] + arguments, in: folder.path)
      #expect(refused.status == .damagedInput, "\(arguments): \(refused.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/new.sqlite"))
  }

  @Test func `the report is written in the form that the name's end tells`() throws {
    try Self.make(folder.path + "/b.sqlite", [.migrated, .damaged])
    let starts = [
      "json": "{\n  \"batch\": {", "csv": "name,state,", "xml": "<?xml", "html": "<!DOCTYPE html>",
      "md": "## Waystone batch\n", "txt": "Batch to v4",
    ]
    for (end, start) in starts {
      // Twice: an older report of ours is written over.
      for _ in 1...2 {
        let written = run("report", "--ledger", "b.sqlite", "-o", "r.\(end)")
        #expect(written.status == .success, "\(end): \(written.errors)")
        #expect(written.words.contains("r.\(end) is written. 3 stores: 1 reached v4"))
      }
      let text = try String(contentsOfFile: "\(folder.path)/r.\(end)", encoding: .utf8)
      #expect(text.hasPrefix(start), "\(end): \(text.prefix(80))")
    }
    try Data("name,age\r\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/mine.csv"))
    #expect(run("report", "--ledger", "b.sqlite", "-o", "mine.csv").status == .cannotCreate)
  }

  @Test func `the report as JSON is as its schema says`() throws {
    try Self.make(folder.path + "/b.sqlite", StoreState.allCases.filter(\.isFinal), waiting: 2)
    let json = try run("report", "--ledger", "b.sqlite", "--format", "json").json()
    let stores = try #require(json["stores"] as? [[String: Any]])
    #expect(stores.count == 9)
    #expect(json["total"] as? Int == 9)
    let states = try #require(json["states"] as? [String: Int])
    for (state, count) in states {
      #expect(stores.count { $0["state"] as? String == state } == count)
    }
  }

  @Test func `retry has only stores wait that were not brought to the version`() throws {
    try Self.make(folder.path + "/b.sqlite", [.migrated, .failed, .timedOut, .damaged])
    #expect(run("retry", "--ledger", "b.sqlite").status == .usage)
    #expect(run("retry", "--ledger", "b.sqlite", "--state", "migrated").status == .usage)
    #expect(run("retry", "--ledger", "b.sqlite", "--state", "failed,").status == .usage)
    let before = try states("b.sqlite")
    #expect(before == [.migrated, .failed, .timedOut, .damaged, .waiting])
    let json = try run(
      "retry",
      "--ledger",
      "b.sqlite",
      "--state",
      "failed,timed-out",
      "--format",
      "json"
    ).json()
    #expect(json["stores"] as? Int == 2)
    #expect(try states("b.sqlite") == [.migrated, .waiting, .waiting, .damaged, .waiting])
    let none = run("retry", "--ledger", "b.sqlite", "--state", "failed")
    #expect(none.output == "No store of b.sqlite is failed.\n")
  }

  @Test func `merge brings parts together, and names what cannot both be`() throws {
    try Self.make(folder.path + "/a.sqlite", [.migrated], waiting: 2)
    try Self.make(folder.path + "/b.sqlite", [.failed, .current], waiting: 1)
    let merged = run("merge", "a.sqlite", "b.sqlite", "--into", "all.sqlite")
    #expect(merged.status == .answerIsNo)
    #expect(merged.words.contains("conflict Old/0.sqlite: it is migrated here and failed there"))
    #expect(try states("all.sqlite") == [.migrated, .current, .waiting])
    #expect(try BatchLedger(opening: folder.path + "/all.sqlite").description.shard == nil)
    let again = try run(
      "merge",
      "a.sqlite",
      "--into",
      "all.sqlite",
      "--format",
      "json"
    ).json()
    #expect(again["conflicts"] as? Int == 0)
    let first = (again["merged"] as? [[String: Any]])?.first
    #expect(first?["added"] as? Int == 0)
    #expect(first?["taken"] as? Int == 0)
  }

  @Test func `merge makes nothing of batches to several versions`() throws {
    try Self.make(folder.path + "/a.sqlite", [.migrated])
    try Self.make(folder.path + "/b.sqlite", [.migrated], version: "v5")
    let refused = run("merge", "a.sqlite", "b.sqlite", "--into", "all.sqlite")
    #expect(refused.status == .usage)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/all.sqlite"))
  }

  @Test func `merge waits for no batch that runs on the ledger`() throws {
    try Self.make(folder.path + "/a.sqlite", [.migrated])
    try Self.make(folder.path + "/b.sqlite", [])
    let ledger = try BatchLedger(opening: folder.path + "/b.sqlite")
    let hold = try ledger.hold(joining: false)
    #expect(run("merge", "a.sqlite", "--into", "b.sqlite").status == .locked)
    try ledger.end(hold)
    #expect(run("merge", "a.sqlite", "--into", "b.sqlite").status == .success)
  }
}
