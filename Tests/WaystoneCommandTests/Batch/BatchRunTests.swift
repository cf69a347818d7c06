import BatchMigration
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// A batch of stores, each of which ends in one state.
@Suite struct BatchRunTests {
  @Test func `every store ends in one state, and originals stay as they are`() throws {
    let folder = try BatchFolder()
    try folder.make("a/first.sqlite")
    try folder.make("a/second.store", "Library/v1")
    try folder.make("current.db", "People/v2")
    let cut = try folder.make("cut.sqlite")
    let bytes = try #require(TemporaryFolder.bytes(of: cut))
    try TemporaryFolder.write(Array(bytes.prefix(6_000)), to: cut)
    let unknown = try folder.make("unknown.sqlite", "People/v1")
    try AppDatabase.run(unknown, "UPDATE Z_METADATA SET Z_PLIST = NULL")
    try TemporaryFolder.write(Array("no store".utf8), to: folder.path + "/old/notes.txt")
    let before = folder.originals()

    let run = try folder.run()
    #expect(run.status == 1, "\(run.errors)")
    #expect(
      try folder.states() == [
        "old/a/first.sqlite": "migrated", "old/a/second.store": "migrated",
        "old/current.db": "current", "old/cut.sqlite": "damaged", "old/unknown.sqlite": "damaged",
      ]
    )
    #expect(folder.originals() == before)
    #expect(
      folder.leftovers(stores: ["old/a/first.sqlite", "old/a/second.store", "old/current.db"])
        == []
    )
    let first = CommandRun(
      "verify",
      folder.output + "/old/a/first.sqlite",
      "--models",
      SampleArchive.root
    )
    #expect(first.status == .success, "\(first.errors)")

    // The same command has nothing to do any more.
    let again = try folder.run()
    #expect(again.status == 1)
    #expect(try folder.number("SELECT MAX(attempts) FROM store") == 1)
  }

  @Test(arguments: [0.15, 0.6, 1.1])
  func `a batch that is killed goes on with what it had not ended`(after seconds: Double) throws {
    let folder = try BatchFolder()
    let names = try (1...6).map { number in
      try folder.make("store\(number).sqlite", rows: number * 40)
      return "old/store\(number).sqlite"
    }
    let before = folder.originals()
    let process = Process()
    process.executableURL = ProcessRun.executable("waystone")
    process.arguments = folder.arguments()
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    Thread.sleep(forTimeInterval: seconds)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()

    let run = try folder.run()
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try folder.states() == Dictionary(uniqueKeysWithValues: names.map { ($0, "migrated") })
    )
    #expect(try folder.number("SELECT COUNT(*) FROM certificate") == 6)
    #expect(folder.originals() == before)
    #expect(folder.leftovers(stores: names) == [])
    let verified = try ProcessRun(["batch", "verify", "out"], in: folder.path)
    #expect(verified.status == 0, "\(verified.output)")
  }

  @Test func `a batch that is asked to stop can be gone on with`() throws {
    let folder = try BatchFolder()
    for number in 1...8 { try folder.make("store\(number).sqlite", rows: 200) }
    let stopped = try ProcessRun(
      folder.arguments(["--progress", "ndjson"]),
      in: folder.path,
      stoppedBy: SIGINT
    )
    #expect(stopped.status == 7, "\(stopped.errors)")
    #expect(try folder.number("SELECT COUNT(*) FROM store WHERE state = 'running'") == 0)
    let run = try folder.run("--progress", "ndjson")
    #expect(run.status == 0, "\(run.errors)")
    // The batch that was stopped may have told only where it looks for stores.
    for errors in [stopped.errors, run.errors] {
      for line in errors.split(separator: "\n") where line.hasPrefix("{") {
        _ = try Self.json(String(line))
      }
    }
    #expect(run.errors.split(separator: "\n").filter { $0.hasPrefix("{") }.count > 3)
    #expect(Set(try folder.states().values) == ["migrated"])
  }

  @Test func `a store in use is tried again, and told where it stays in use`() throws {
    let folder = try BatchFolder()
    let store = try folder.make("used.sqlite")
    var app: AppDatabase? = try AppDatabase(store)
    try app?.execute("BEGIN EXCLUSIVE")
    let run = try folder.run("--tries", "2")
    #expect(run.status == 1)
    #expect(try folder.states() == ["old/used.sqlite": "failed"])
    #expect(try folder.number("SELECT COUNT(*) FROM store WHERE code = 'inUse'") == 1)
    #expect(try folder.number("SELECT COUNT(*) FROM attempt") == 2)
    try app?.execute("COMMIT")
    app = nil
    let retried = try ProcessRun(["batch", "retry", "out", "--state", "failed"], in: folder.path)
    #expect(retried.status == 0, "\(retried.errors)")
    #expect(try folder.run().status == 0)
    #expect(try folder.states() == ["old/used.sqlite": "migrated"])
  }

  @Test func `what the conditions leave out is skipped, and taken by a later run`() throws {
    let folder = try BatchFolder()
    try folder.make("keep/one.sqlite")
    try folder.make("other.sqlite")
    try folder.make("people.sqlite", "People/v1")
    let some = try folder.run("--select", "name=*/keep/*")
    #expect(some.status == 0)
    #expect(
      try folder.states() == [
        "old/keep/one.sqlite": "migrated", "old/other.sqlite": "skipped",
        "old/people.sqlite": "skipped",
      ]
    )
    let versions = try folder.run("--only-version", "People/v1", "--allow-sql")
    #expect(versions.status == 0)
    #expect(try folder.states()["old/people.sqlite"] == "migrated")
    #expect(try folder.states()["old/other.sqlite"] == "skipped")
    #expect(try folder.run().status == 0)
    #expect(try folder.states()["old/other.sqlite"] == "migrated")
  }

  @Test func `a store that is added later is found by the next run, and none is lost`() throws {
    let folder = try BatchFolder()
    try folder.make("one.sqlite")
    #expect(try folder.run().status == 0)
    try folder.make("two.sqlite")
    let passed = try folder.run("--no-search")
    #expect(passed.status == 0)
    #expect(passed.errors.contains("old was searched on "), "\(passed.errors)")
    #expect(try folder.states() == ["old/one.sqlite": "migrated"])
    #expect(try folder.run("--dry-run").status == 0)
    #expect(
      try folder.states() == ["old/one.sqlite": "migrated", "old/two.sqlite": "waiting"]
    )
    // Without a path, the places that the ledger has are searched.
    try folder.make("three.sqlite")
    let run = try ProcessRun(
      ["batch", "--output", "out", "--models", SampleArchive.root, "--jobs", "2"],
      in: folder.path
    )
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.states().count == 3)
    #expect(Set(try folder.states().values) == ["migrated"])
    #expect(try folder.number("SELECT MAX(attempts) FROM store") == 1)
  }

  @Test
  func `a store that says something else since it was migrated is told, and none that is touched`()
    throws
  {
    let folder = try BatchFolder()
    let one = try folder.make("one.sqlite")
    let two = try folder.make("two.sqlite")
    #expect(try folder.run().status == 0)
    try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: one)
    #expect(try folder.run().status == 0)
    try AppDatabase.run(two, "DELETE FROM ZLETTER WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZLETTER)")
    for arguments in [[], ["--dry-run"], []] {
      let run = try ProcessRun(folder.arguments(arguments), in: folder.path)
      #expect(arguments == ["--dry-run"] || run.status == 1, "\(run.errors)")
      let odd = try AppDatabase(folder.ledger).rows("SELECT name, reason FROM oddity")
      #expect(odd.map { $0[0].text } == ["old/two.sqlite"])
      #expect(odd.first?[1].text?.hasPrefix("It was written to, or replaced") == true)
    }
    #expect(try folder.number("SELECT MAX(attempts) FROM store") == 1)
  }

  @Test func `a dry run says what would become of each store, and writes no result`() throws {
    let folder = try BatchFolder()
    try folder.make("one.sqlite")
    try folder.make("two.sqlite")
    try folder.make("current.db", "People/v2")
    let run = try folder.run("--dry-run")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Self.json(run.output)["stores"] as? Int == 3)
    #expect(Set(try folder.states().values) == ["waiting"])
    #expect(folder.leftovers(stores: []) == [])
  }

  @Test func `a dry run leaves what alone tells of a result that nobody recorded`() throws {
    let folder = try BatchFolder()
    try folder.make("one.sqlite")
    #expect(try folder.run().status == 0)
    // As a dispatcher leaves it that is killed between the result and its record.
    let json = try #require(try BatchLedger(opening: folder.ledger).certificate(of: 1))
    let place = folder.ledger + ".certificates"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try TemporaryFolder.write(json, to: place + "/1.json")
    try AppDatabase.run(
      folder.ledger,
      "UPDATE store SET state = 'waiting'; DELETE FROM certificate"
    )
    #expect(try folder.run("--dry-run").status == 0)
    let run = try folder.run()
    #expect(run.status == 0, "\(run.output)")
    #expect(try folder.number("SELECT COUNT(*) FROM certificate") == 1)
  }

  @Test func `stores in place are replaced, and put back by a rollback`() throws {
    let folder = try BatchFolder()
    let store = try folder.make("one.sqlite")
    let before = try digest(of: store)
    let run = try folder.run(places: ["--in-place"])
    #expect(run.status == 0, "\(run.errors)")
    let ledger = folder.path + "/batch.waystone.sqlite"
    #expect(try folder.states(ledger: ledger) == ["old/one.sqlite": "migrated"])
    #expect(try digest(of: store) != before)
    let back = try ProcessRun(["batch", "rollback"], in: folder.path)
    #expect(back.status == 0, "\(back.errors)")
    #expect(try digest(of: store) == before)
    #expect(try folder.states(ledger: ledger) == ["old/one.sqlite": "skipped"])
  }

  @Test func `a result that was changed is found by its certificate`() throws {
    let folder = try BatchFolder()
    try folder.make("one.sqlite")
    try folder.make("two.sqlite")
    #expect(try folder.run().status == 0)
    try AppDatabase.run(
      folder.output + "/old/two.sqlite",
      "DELETE FROM ZLETTER WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZLETTER)"
    )
    let verified = try ProcessRun(["batch", "verify", "out", "--format", "json"], in: folder.path)
    #expect(verified.status == 1)
    let failures = try Self.json(verified.output)["failures"] as? [[String: Any]]
    #expect(failures?.map { $0["store"] as? String } == ["old/two.sqlite"])
  }

  @Test func `stores that were not migrated are copied with what belongs to them`() throws {
    let folder = try BatchFolder()
    let store = try folder.make("unknown.sqlite")
    try folder.make("good.sqlite")
    try AppDatabase.run(store, "UPDATE Z_METADATA SET Z_PLIST = NULL")
    try folder.scratch.leaveLog(of: store)
    #expect(try folder.run().status == 1)
    let copied = try ProcessRun(
      ["batch", "export-failures", "failures", "out", "--format", "json"],
      in: folder.path
    )
    #expect(copied.status == 0, "\(copied.errors)")
    let stores = try #require(try Self.json(copied.output)["stores"] as? [[String: Any]])
    #expect(stores.map { $0["store"] as? String } == ["old/unknown.sqlite"])
    let copy = folder.path + "/failures/" + (stores.first?["path"] as? String ?? "")
    for suffix in ["", "-wal"] {
      #expect(TemporaryFolder.bytes(of: copy + suffix) == TemporaryFolder.bytes(of: store + suffix))
    }
  }

  /// A batch that has tried a store in use once, and will again.
  private func waiting(in folder: BatchFolder) throws -> Process {
    let batch = Process()
    batch.executableURL = ProcessRun.executable("waystone")
    batch.arguments = folder.arguments(["--tries", "20"])
    batch.currentDirectoryURL = URL(filePath: folder.path)
    batch.standardOutput = FileHandle.nullDevice
    try batch.run()
    // The ledger's file is there before its tables are.
    let isMade = "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'attempt'"
    while try !FileManager.default.fileExists(atPath: folder.ledger)
      || folder.number(isMade) == 0 || folder.number("SELECT COUNT(*) FROM attempt") == 0
    {
      try #require(batch.isRunning, "the batch ended before it had tried the store")
      Thread.sleep(forTimeInterval: 0.05)
    }
    return batch
  }

  @Test func `of two batches on a ledger the second is refused, unless it joins`() throws {
    let folder = try BatchFolder()
    var app: AppDatabase? = try AppDatabase(folder.make("used.sqlite"))
    try app?.execute("BEGIN EXCLUSIVE")
    let first = try waiting(in: folder)
    #expect(try folder.run().status == 6)
    let joined = try folder.run("--join")
    #expect(joined.status == 1, "\(joined.errors)")
    try app?.execute("COMMIT")
    app = nil
    kill(first.processIdentifier, SIGKILL)
    first.waitUntilExit()
    #expect(try folder.run().status == 0)
    #expect(try folder.states() == ["old/used.sqlite": "migrated"])
  }

  @Test func `a batch that joins and ends takes nothing from the one that goes on`() throws {
    let folder = try BatchFolder()
    var app: AppDatabase? = try AppDatabase(folder.make("used.sqlite"))
    try app?.execute("BEGIN EXCLUSIVE")
    let first = try waiting(in: folder)
    #expect(try folder.run("--join").status == 1)
    try app?.execute("COMMIT")
    app = nil
    first.waitUntilExit()
    #expect(first.terminationStatus == 0)
    #expect(try folder.states() == ["old/used.sqlite": "migrated"])
  }

  @Test func `figures take the place of no file that is none of ours`() throws {
    let folder = try BatchFolder()
    let store = try folder.make("one.sqlite")
    let before = TemporaryFolder.bytes(of: store)
    let run = try folder.run("--metrics", store)
    #expect(run.status == 73, "\(run.errors)")
    #expect(TemporaryFolder.bytes(of: store) == before)
    #expect(!FileManager.default.fileExists(atPath: folder.output))
    for _ in 0..<2 { #expect(try folder.run("--metrics", "figures.prom").status == 0) }
    #expect(try folder.run("--metrics", folder.ledger).status == 73)
    #expect(try folder.number("SELECT COUNT(*) FROM store") == 1)
  }

  @Test func `options that contradict the ledger are refused`() throws {
    let folder = try BatchFolder()
    try folder.make("one.sqlite")
    #expect(try folder.run().status == 0)
    #expect(try folder.run("--to", "Letters/v3").status == 2)
    let tree = try folder.run(
      "--ledger",
      "out/batch.waystone.sqlite",
      places: ["--output", "elsewhere"]
    )
    #expect(tree.status == 2)
  }

  /// A JSON output, which has to be as its published schema says.
  private static func json(_ text: String) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    #expect(JSONSchema.mistakes(inOutput: value) == [])
    return value
  }

  private func digest(of store: String) throws -> String {
    let run = CommandRun("digest", store, "--models", SampleArchive.root, "--format", "json")
    try #require(run.status == .success, "\(run.errors)")
    return run.output
  }
}
