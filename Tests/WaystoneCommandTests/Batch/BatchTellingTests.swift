import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// The report of a batch on the work that it does not do.
@Suite struct BatchTellingTests {
  private let folder: BatchFolder

  init() throws { folder = try BatchFolder() }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder.path)/\(name)")
  }

  private func copyModels() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/models",
      withIntermediateDirectories: false
    )
    try FileManager.default.copyItem(
      atPath: SampleArchive.root + "/Letters.xcdatamodeld",
      toPath: folder.path + "/models/Letters.xcdatamodeld"
    )
  }

  private func setCurrent(_ version: String) throws {
    let path = folder.path + "/models/Letters.xcdatamodeld/.xccurrentversion"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = text.replacing(/v[0-9]\.xcdatamodel/, with: "\(version).xcdatamodel")
    try TemporaryFolder.write(Array(changed.utf8), to: path)
  }

  private func runLetters(_ more: String...) throws -> ProcessRun {
    try ProcessRun(
      ["batch", "old", "--models", "models", "--output", "out", "--jobs", "1"] + more,
      in: folder.path
    )
  }

  @Test func `the current version is that of the beginning, and another one later is refused`()
    throws
  {
    try copyModels()
    try setCurrent("v3")
    try folder.make("one.sqlite")
    let run = try runLetters()
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("1 store: 1 reached v3."), "\(run.output)")
    #expect(try runLetters("--to", "v3").status == 0)
    try setCurrent("v4")
    let refused = try runLetters()
    #expect(refused.status == 2)
    #expect(
      refused.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .contains("Letters was at v3 and is at v4"),
      "\(refused.errors)"
    )
    #expect(try runLetters("--to", "v3").status == 0)
  }

  @Test func `of several models each goes to its current version, which the ledger keeps`() throws {
    try folder.make("one.sqlite")
    let run = try ProcessRun(
      ["batch", "old", "--models", SampleArchive.root, "--output", "out"],
      in: folder.path
    )
    #expect(run.output.contains("1 store: 1 reached the current versions."), "\(run.output)")
    let options = try AppDatabase(folder.ledger).rows("SELECT options FROM batch").first?[0].text
    #expect(
      options?.contains(#"\"Letters\":\"Letters/v4\""#) == true
    )
    #expect(try folder.run().status == 0)
  }

  @Test func `a dry run names what cannot be looked at, and says no as the run does`() throws {
    try folder.make("one.sqlite")
    try TemporaryFolder.write(Array("no database".utf8), to: folder.path + "/old/text.sqlite")
    let run = try folder.run("--dry-run")
    #expect(run.status == 1)
    #expect(run.output.contains("old/text.sqlite"), "\(run.output)")
    #expect(try folder.run().status == 1)
    try FileManager.default.removeItem(atPath: folder.path + "/old/text.sqlite")
    #expect(try folder.run("--dry-run").status == 0)
    #expect(try folder.run().status == 0)
  }

  @Test func `stores that were refused before are told, with the command that tries them again`()
    throws
  {
    let store = try folder.make("old one.sqlite")
    try AppDatabase.run(store, "UPDATE Z_METADATA SET Z_PLIST = NULL")
    let first = try folder.run()
    #expect(first.status == 1)
    #expect(!first.errors.contains("batch retry"))
    let command = "`waystone batch retry out --state damaged`"
    for arguments in [[], ["--dry-run"]] {
      let run = try ProcessRun(folder.arguments(arguments), in: folder.path)
      #expect(run.status == 1)
      #expect(run.errors.contains(command), "\(run.errors)")
    }
    let words = command.dropFirst("`waystone ".count).dropLast().split(separator: " ")
    #expect(try ProcessRun(words.map { String($0) }, in: folder.path).status == 0)
    #expect(try folder.states() == ["old/old one.sqlite": "waiting"])
  }

  @Test func `a database without tables of Core Data is no store, unless it is named`() throws {
    try folder.make("one.sqlite")
    let cache = folder.path + "/old/Cache.db"
    try AppDatabase.run(cache, "CREATE TABLE cached (a)")
    try AppDatabase.run(folder.path + "/old/empty.db", "PRAGMA user_version = 1; VACUUM")
    // A store of which an entity's table alone is left.
    try AppDatabase.run(folder.path + "/old/rest.db", "CREATE TABLE ZNOTE (Z_PK, ZTITLE)")
    for arguments in [["--dry-run"], []] {
      let run = try ProcessRun(folder.arguments(arguments), in: folder.path)
      #expect(run.status == 1, "\(run.errors)")
    }
    // One without any table may have lost its -wal.
    #expect(
      try folder.states() == [
        "old/one.sqlite": "migrated", "old/empty.db": "damaged", "old/rest.db": "damaged",
      ]
    )
    #expect(try folder.number("SELECT COUNT(*) FROM other") == 1)
    #expect(try folder.run().status == 1)
    #expect(try folder.number("SELECT MAX(attempts) FROM store") == 1)
    let named = try ProcessRun(
      ["batch", "old/Cache.db", "--models", SampleArchive.root, "--output", "named"],
      in: folder.path
    )
    #expect(named.status == 1)
    #expect(try folder.states(ledger: folder.path + "/named/batch.waystone.sqlite").count == 1)
  }

  @Test func `results and ledgers of batches are no sources`() throws {
    try folder.make("one.sqlite")
    #expect(try folder.run(places: ["--output", "old/sub"]).status == 0)
    let run = try folder.run()
    #expect(run.status == 0, "\(run.output)")
    #expect(try folder.states() == ["old/one.sqlite": "migrated"])
    try FileManager.default.moveItem(
      atPath: folder.path + "/old/sub",
      toPath: folder.path + "/old/m"
    )
    #expect(try folder.run().status == 0)
    #expect(try folder.states() == ["old/one.sqlite": "migrated"])
    // Where a person names the tree, its results are what is to be migrated.
    let next = try ProcessRun(
      ["batch", "old/m", "--models", SampleArchive.root, "--output", "next", "--dry-run"],
      in: folder.path
    )
    #expect(next.output.contains("1 store"), "\(next.output)")
    let ledger = "old/m/batch.waystone.sqlite"
    let named = try ProcessRun(
      ["batch", ledger, "--models", SampleArchive.root, "--output", "named"],
      in: folder.path
    )
    #expect(named.status == 1)
    #expect(named.output.contains("It is the ledger of a batch."), "\(named.output)")
  }

  @Test func `a ledger beside sources, whose output is gone, hides none of them`() throws {
    try folder.make("one.sqlite")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/old/sub",
      withIntermediateDirectories: false
    )
    try FileManager.default.moveItem(
      atPath: folder.path + "/old/one.sqlite",
      toPath: folder.path + "/old/sub/one.sqlite"
    )
    let places = ["--output", "gone", "--ledger", "old/sub/batch.waystone.sqlite"]
    #expect(try folder.run(places: places).status == 0)
    try FileManager.default.removeItem(atPath: folder.path + "/gone")
    #expect(try folder.run().status == 0)
    #expect(try folder.states() == ["old/sub/one.sqlite": "migrated"])
  }

  @Test func `a store that is put back after it was migrated in place is told`() throws {
    let store = try folder.make("one.sqlite")
    let before = try #require(TemporaryFolder.bytes(of: store))
    #expect(try folder.run(places: ["--in-place"]).status == 0)
    // The app goes on with the result.
    try AppDatabase.run(store, "UPDATE Z_METADATA SET Z_UUID = 'another'")
    #expect(try folder.run(places: ["--in-place"]).status == 0)
    try TemporaryFolder.write(before, to: store)
    let run = try folder.run(places: ["--in-place"])
    #expect(run.status == 1)
    let ledger = folder.path + "/batch.waystone.sqlite"
    let odd = try AppDatabase(ledger).rows("SELECT name, reason FROM oddity")
    #expect(odd.first?[0].text == "old/one.sqlite")
    #expect(odd.first?[1].text?.contains("is again what it was before") == true)
  }

  @Test func `originals that a batch in place keeps are no sources`() throws {
    try folder.make("one.sqlite")
    #expect(try folder.run(places: ["--in-place"]).status == 0)
    let ledger = folder.path + "/batch.waystone.sqlite"
    #expect(try folder.run(places: ["--in-place"]).status == 0)
    #expect(try folder.states(ledger: ledger) == ["old/one.sqlite": "migrated"])
    let pattern = try ProcessRun(
      ["batch", "old/**", "--models", SampleArchive.root, "--output", "out"],
      in: folder.path
    )
    #expect(pattern.status == 0, "\(pattern.output)")
    #expect(try folder.states() == ["old/one.sqlite": "current"])
  }

  @Test func `a command that is refused leaves nothing behind`() throws {
    try folder.make("one.sqlite")
    let before = folder.originals()
    let models = ["--models", SampleArchive.root]
    for (arguments, status) in [
      (["none", "--output", "a/b"], 66), (["old", "none", "--output", "a/b"], 66),
      (["old", "--output", "old"], 2), (["none", "--in-place"], 66),
      (["old", "--output", "a/b", "--only-version", "v77"], 2),
    ] {
      let run = try ProcessRun(["batch"] + arguments + models, in: folder.path)
      #expect(Int(run.status) == status, "\(arguments): \(run.errors)")
    }
    #expect(folder.originals() == before)
    #expect(TemporaryFolder.names(in: folder.path) == ["old"])
    // A ledger that was there stays.
    #expect(try folder.run().status == 0)
    let refused = try ProcessRun(["batch", "none", "--output", "out"] + models, in: folder.path)
    #expect(refused.status == 66)
    #expect(try folder.states() == ["old/one.sqlite": "migrated"])
  }

  @Test func `a selection that meets no store is told`() throws {
    try folder.make("one.sqlite")
    for (arguments, text) in [
      (["--select", "name=two*"], "Of 1 store, none meets --select"),
      (["--only-version", "People/v1"], "No store is of People/v1: all were left out."),
    ] {
      for more in [[], ["--dry-run"]] {
        let run = try ProcessRun(folder.arguments(arguments + more), in: folder.path)
        #expect(run.status == 1)
        #expect(run.errors.contains(text), "\(run.errors)")
      }
    }
  }

  @Test func `a batch that is asked to stop says so at once, and that it can be gone on with`()
    throws
  {
    for number in 1...8 { try folder.make("store\(number).sqlite", rows: 400) }
    let process = Process()
    process.executableURL = ProcessRun.executable("waystone")
    process.arguments = folder.arguments(["--jobs", "1"])
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    for _ in 0..<3_000 where !exists("out/old") { Thread.sleep(forTimeInterval: 0.01) }
    kill(process.processIdentifier, SIGINT)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 7)
    #expect(text.contains("Stopping: "), "\(text)")
    #expect(text.hasSuffix("The batch was interrupted. The same command goes on.\n"), "\(text)")
  }

  /// Returns the report of a dry run on the stores, by version, and the results of the run.
  private func told(_ places: [String]) throws -> (
    dry: [String: [String: Int]], run: [String: String]
  ) {
    let dry = try ProcessRun(folder.arguments(["--dry-run"], places: places), in: folder.path)
    #expect(dry.status == 1, "\(dry.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(dry.output.utf8)) as? [String: Any]
    let versions = json?["versions"] as? [[String: Any]] ?? []
    let counts = versions.map { line in
      let states = (line["states"] as? [String: Int] ?? [:]).filter { $0.value > 0 }
      return (line["version"] as? String ?? "", states)
    }
    #expect(try ProcessRun(folder.arguments(places: places), in: folder.path).status == 1)
    return (Dictionary(counts) { $1 }, try folder.states(ledger: folder.path + "/led"))
  }

  @Test func `a dry run refuses what the run refuses, with the version of the store`() throws {
    let store = try folder.make("one.sqlite", "People/v1")
    try FileManager.default.linkItem(atPath: store, toPath: folder.path + "/old/two.sqlite")
    let linked = try told(["--in-place", "--ledger", "led"])
    #expect(linked.dry == ["People/v1": ["refused": 2]])
    #expect(Set(linked.run.values) == ["refused"])
    try FileManager.default.removeItem(atPath: folder.path + "/led")
    try FileManager.default.removeItem(atPath: folder.path + "/old/two.sqlite")
    let other = try told(["--to", "Letters/v4", "--output", "out", "--ledger", "led"])
    #expect(other.dry == ["People/v1": ["refused": 1]])
    #expect(Set(other.run.values) == ["refused"])
    try FileManager.default.removeItem(atPath: folder.path + "/led")
    let output = folder.path + "/taken/old"
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
    try TemporaryFolder.write([1], to: output + "/one.sqlite")
    let taken = try told(["--output", "taken", "--ledger", "led"])
    #expect(taken.dry == ["People/v1": ["failed": 1]])
    #expect(Set(taken.run.values) == ["failed"])
  }
}
