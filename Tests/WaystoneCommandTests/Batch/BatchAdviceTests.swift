import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// The advice of a batch where something went wrong, and that it works.
@Suite struct BatchAdviceTests {
  private let folder: BatchFolder

  init() throws { folder = try BatchFolder() }

  /// Runs a verb of `waystone batch`.
  private func batch(_ arguments: String...) throws -> ProcessRun {
    try ProcessRun(["batch"] + arguments, in: folder.path)
  }

  /// A text without line breaks.
  private func flat(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(arguments: ["4kB", "60kB"])
  func `a file that may not grow is not tried again`(greatest: String) throws {
    try folder.make("one.sqlite", rows: 1_000)
    let run = try folder.run("--file-size", greatest)
    #expect(run.status == 1, "\(run.errors)")
    #expect(try folder.number("SELECT MAX(attempts) FROM store") == 1)
    let told = try AppDatabase(folder.ledger).rows("SELECT code, recovery FROM store")
    #expect(told.first?[0].text == "inputOutput")
    #expect(told.first?[1].text?.contains("--file-size") == true, "\(told)")
  }

  @Test func `a changed source that cannot be compared is not called written to`() throws {
    let store = try folder.make("one.sqlite")
    #expect(try folder.run().status == 0)
    let file = try FileHandle(forWritingTo: URL(filePath: store))
    try file.truncate(atOffset: file.seekToEnd() / 2)
    try file.close()
    #expect(try folder.run().status == 1)
    let odd = try AppDatabase(folder.ledger).rows("SELECT reason FROM oddity").map {
      $0[0].text ?? ""
    }
    #expect(odd.count == 1)
    #expect(
      odd.first?.hasPrefix("Its file changed after it was migrated. Whether") == true,
      "\(odd)"
    )
  }

  @Test func `a result with another trigger or identifier is not the one that was certified`()
    throws
  {
    for name in ["good", "numbered", "triggered"] {
      let store = try folder.make("\(name).sqlite")
      // The app's own goes over, and is certified.
      try AppDatabase.run(
        store,
        "CREATE TABLE OWN (A); CREATE TRIGGER MINE AFTER INSERT ON OWN BEGIN DELETE FROM OWN; END"
      )
    }
    #expect(try folder.run().status == 0)
    #expect(try batch("verify", "out").status == 0)
    try AppDatabase.run(
      folder.output + "/old/triggered.sqlite",
      "CREATE TRIGGER T AFTER UPDATE ON ZLETTER BEGIN DELETE FROM ZLETTER; END"
    )
    try AppDatabase.run(
      folder.output + "/old/numbered.sqlite",
      "UPDATE Z_METADATA SET Z_UUID = 'X'"
    )
    let run = try batch("verify", "out")
    let said = flat(run.output)
    #expect(run.status == 1, "\(said)")
    #expect(said.contains("the trigger T was added since it was certified"), "\(said)")
    #expect(said.contains("its identifier (Z_UUID) is not the one that was certified"), "\(said)")
    #expect(!said.contains("good.sqlite does not match"))
  }

  @Test func `results of merged ledgers are said to lie where they do`() throws {
    for number in 1...4 { try folder.make("s\(number).sqlite") }
    for part in ["1", "2"] {
      #expect(
        try folder.run(places: ["--output", "out\(part)", "--shard", "\(part)/2"]).status == 0
      )
    }
    let ledgers = ["1", "2"].map { "out\($0)/batch-\($0)-of-2.waystone.sqlite" }
    #expect(try batch("merge", ledgers[0], ledgers[1], "--into", "all.led").status == 0)
    let verified = try batch("verify", "--ledger", "all.led")
    #expect(verified.output.hasSuffix("4 results match their certificates.\n"))
    let places = verified.output.split(separator: "\n").prefix(3)
    #expect(places.first == "Looked below:")
    #expect(places.dropFirst().allSatisfy { $0.contains(/^  .*\/out[12]$/) }, "\(verified.output)")
  }

  @Test func `a merge that a damaged ledger ends leaves no ledger behind`() throws {
    try folder.make("one.sqlite")
    #expect(try folder.run("--dry-run").status == 0)
    try AppDatabase(folder.ledger).execute("UPDATE store SET destination = '../one.sqlite'")
    let merged = try batch("merge", folder.ledger, "--into", "all.led")
    #expect(merged.status == CommandStatus.damagedInput.rawValue, "\(merged.errors)")
    #expect(
      merged.errors.contains("batch.waystone.sqlite is damaged: store 1 "),
      "\(merged.errors)"
    )
    #expect(TemporaryFolder.names(in: folder.path).filter { $0.hasPrefix("all.led") } == [])
  }

  @Test func `ledgers of batches to two versions are not merged, which is wrong usage`() throws {
    try folder.make("one.sqlite")
    for version in ["v2", "v3"] {
      #expect(
        try folder.run("--to", "Letters/\(version)", places: ["--output", version]).status == 0
      )
    }
    let ledgers = ["v2", "v3"].map { "\($0)/batch.waystone.sqlite" }
    for arguments in [[ledgers[0], "--into", ledgers[1]], ledgers + ["--into", "all.led"]] {
      let merged = try ProcessRun(["batch", "merge"] + arguments, in: folder.path)
      #expect(merged.status == 2)
      #expect(merged.errors.contains("Letters/v2"), "\(merged.errors)")
      #expect(merged.errors.contains("Letters/v3"), "\(merged.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/all.led"))
  }

  @Test func `a result that is gone is told by the next run, with the command that makes it again`()
    throws
  {
    for name in ["one", "two"] { try folder.make("\(name).sqlite") }
    #expect(try folder.run().status == 0)
    try FileManager.default.removeItem(atPath: folder.output + "/old/one.sqlite")
    for arguments in [["--dry-run"], []] {
      let run = try ProcessRun(folder.arguments(arguments), in: folder.path)
      #expect(run.status == 1, "\(run.errors)")
      #expect(flat(run.errors).contains("The result of old/one.sqlite is gone: "), "\(run.errors)")
      #expect(
        flat(run.errors).contains("`waystone batch retry out --missing`, and then this command")
      )
    }
    #expect(try batch("retry", "out", "--missing").status == 0)
    #expect(try folder.run().status == 0)
    #expect(try batch("verify", "out").status == 0)
  }

  @Test func `a result that changed is made again by what is advised, with its large values`()
    throws
  {
    let store = folder.path + "/old/one.sqlite"
    let made = CommandRun(
      "generate",
      "Letters/v1",
      "--models",
      SampleArchive.root,
      "--rows",
      "900",
      "--seed",
      "6",
      "--external-files",
      "-o",
      store
    )
    try #require(made.status == .success, "\(made.errors)")
    #expect(try folder.run().status == 0)
    let tree = folder.output + "/old"
    let values = tree + "/.one_SUPPORT/_EXTERNAL_DATA"
    let value = try #require(FileManager.default.contentsOfDirectory(atPath: values).min())
    try TemporaryFolder.write([1], to: "\(values)/\(value)")
    let changed = flat(try batch("verify", "out").output)
    #expect(changed.contains("move it away with "), "\(changed)")
    #expect(changed.contains("/old/.one_SUPPORT; then"))

    // Only the file is moved.
    try FileManager.default.moveItem(atPath: tree + "/one.sqlite", toPath: folder.path + "/one")
    let gone = flat(try batch("verify", "out").output)
    #expect(gone.contains("Make it again: move "), "\(gone)")
    #expect(try batch("retry", "out", "--missing").status == 0)
    #expect(try folder.run().status == 1)
    let advice = try #require(AppDatabase(folder.ledger).rows("SELECT recovery FROM store").first)
    let text = try #require(advice[0].text)
    #expect(
      text.hasSuffix(
        "/.one_SUPPORT away, then `waystone batch retry --state failed`, and run the batch again."
      ),
      "\(text)"
    )
    try FileManager.default.moveItem(atPath: tree + "/.one_SUPPORT", toPath: folder.path + "/moved")
    #expect(try batch("retry", "out", "--state", "failed").status == 0)
    #expect(try folder.run().status == 0)
    #expect(try batch("verify", "out").status == 0)
  }

  @Test func `a result that a part made is made again by that part`() throws {
    for number in 1...4 { try folder.make("s\(number).sqlite") }
    func run(_ part: Int) throws -> ProcessRun {
      try folder.run(places: ["--output", "out\(part)", "--shard", "\(part)/2"])
    }
    for part in 1...2 { #expect(try run(part).status == 0) }
    let ledgers = (1...2).map { "out\($0)/batch-\($0)-of-2.waystone.sqlite" }
    #expect(try batch("merge", ledgers[0], ledgers[1], "--into", "all.led").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out2/old")
    let name = try #require(names.filter { $0.hasSuffix(".sqlite") }.min())
    try FileManager.default.removeItem(atPath: "\(folder.path)/out2/old/\(name)")

    let verified = flat(try batch("verify", "--ledger", "all.led").output)
    let command = try #require(verified.firstMatch(of: /`waystone (batch retry [^`]*)`/)).1
    #expect(command.hasSuffix("/\(ledgers[1]) --missing"), "\(verified)")
    #expect(verified.contains("then run the batch of that ledger again."))
    let words = command.split(separator: " ").map { String($0) }
    #expect(try ProcessRun(words, in: folder.path).status == 0)
    #expect(try run(2).status == 0)
    #expect(try batch("verify", "--ledger", "all.led").status == 0)
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/out2/old/\(name)"))

    // Where that ledger is gone, this one has to do.
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(ledgers[1])")
    try FileManager.default.removeItem(atPath: "\(folder.path)/out2/old/\(name)")
    let alone = flat(try batch("verify", "--ledger", "all.led").output)
    #expect(alone.contains("`waystone batch retry --ledger all.led --missing`"), "\(alone)")
  }

  @Test func `a process that joins waits for the ledger that another makes`() throws {
    try folder.make("one.sqlite")
    try FileManager.default.createDirectory(
      atPath: folder.output,
      withIntermediateDirectories: false
    )
    let staging = folder.output + "/.batch.waystone.sqlite.waystone-new"
    let maker = open(staging, O_RDWR | O_CREAT, 0o600)
    #expect(flock(maker, LOCK_EX | LOCK_NB) == 0)
    let refused = try folder.run()
    #expect(refused.status == 6, "\(refused.errors)")
    let joiner = Process()
    joiner.executableURL = ProcessRun.executable("waystone")
    joiner.arguments = folder.arguments(["--join"])
    joiner.currentDirectoryURL = URL(filePath: folder.path)
    joiner.standardOutput = FileHandle.nullDevice
    joiner.standardError = FileHandle.nullDevice
    try joiner.run()
    Thread.sleep(forTimeInterval: 1)
    #expect(joiner.isRunning)
    unlink(staging)
    close(maker)
    joiner.waitUntilExit()
    #expect(joiner.terminationStatus == 0)
    #expect(try folder.states() == ["old/one.sqlite": "migrated"])
  }

  @Test(arguments: [
    "DROP TABLE OWN", "DELETE FROM OWN WHERE A = 2", "UPDATE OWN SET A = 3 WHERE A = 2",
  ])
  func `a result that lost what the app itself put there is not the one that was certified`(
    change: String
  ) throws {
    let store = try folder.make("one.sqlite")
    try AppDatabase.run(store, "CREATE TABLE OWN (A); INSERT INTO OWN VALUES (1), (2)")
    #expect(try folder.run().status == 0)
    #expect(try batch("verify", "out").status == 0)
    try AppDatabase.run(folder.output + "/old/one.sqlite", change)
    let run = try batch("verify", "out")
    let what = change.hasPrefix("DROP") ? "is gone" : "has changed"
    #expect(run.status == 1)
    #expect(
      flat(run.output).contains("the table OWN \(what) since it was certified"),
      "\(run.output)"
    )
  }

  @Test func `a ledger of replaced stores takes no path from a command that does not say so`()
    throws
  {
    try folder.make("one.sqlite")
    let places = ["--in-place", "--ledger", "led"]
    #expect(try folder.run("--dry-run", places: places).status == 0)
    let before = folder.originals()
    let run = try folder.run(places: ["--ledger", "led"])
    #expect(run.status == 2)
    #expect(run.errors.contains("--in-place"), "\(run.errors)")
    #expect(folder.originals() == before)
    #expect(try batch("--ledger", "led", "--models", SampleArchive.root).status == 0)
    #expect(try folder.states(ledger: folder.path + "/led") == ["old/one.sqlite": "migrated"])
  }

  @Test func `an original in the output of another batch is found, and no result is`() throws {
    try folder.make("one.sqlite")
    #expect(try folder.run(places: ["--output", "all/first"]).status == 0)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/all/first/later",
      withIntermediateDirectories: true
    )
    for (name, place) in [
      ("two.sqlite", "all/first/later/two.sqlite"), ("three.sqlite", "all/copy/old/one.sqlite"),
    ] {
      let made = try folder.make(name)
      let target = URL(filePath: "\(folder.path)/\(place)")
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try FileManager.default.moveItem(at: URL(filePath: made), to: target)
    }
    // Nor does a ledger say anything of files elsewhere.
    let elsewhere = folder.path + "/all/second/four.sqlite"
    try FileManager.default.createDirectory(
      atPath: folder.path + "/all/second",
      withIntermediateDirectories: true
    )
    try FileManager.default.moveItem(atPath: folder.make("four.sqlite"), toPath: elsewhere)
    let ledger = folder.path + "/all/first/batch.waystone.sqlite"
    try AppDatabase.run(
      ledger,
      "INSERT INTO store (key, name, place, destination, bytes, head, state, result) "
        + "SELECT 'k', 'n', place, 'd', bytes, head, state, '\(elsewhere)' FROM store"
    )
    // A ledger says nothing of files beside which it came to lie by chance.
    try FileManager.default.copyItem(
      atPath: "\(folder.path)/all/first/batch.waystone.sqlite",
      toPath: "\(folder.path)/all/copy/batch.waystone.sqlite"
    )
    let run = try batch("all", "--models", SampleArchive.root, "--output", "second")
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    let found = try folder.states(ledger: folder.path + "/second/batch.waystone.sqlite")
    #expect(
      found == [
        "all/first/later/two.sqlite": "migrated", "all/copy/old/one.sqlite": "migrated",
        "all/second/four.sqlite": "migrated",
      ],
      "\(found)"
    )
  }

  @Test func `a tree with the ledgers of parts alone names one of them`() throws {
    try folder.make("one.sqlite")
    #expect(try folder.run(places: ["--output", "out", "--shard", "1/2"]).status == 0)
    let run = try batch("status", "out")
    #expect(run.status != 0)
    #expect(run.errors.contains("out/batch-1-of-2.waystone.sqlite"), "\(run.errors)")
  }

  @Test func `a rollback of no store is an answer of no`() throws {
    try folder.make("one.sqlite")
    #expect(try folder.run(places: ["--in-place", "--ledger", "led"]).status == 0)
    let run = try batch("rollback", "--ledger", "led", "--select", "name=zzz")
    #expect(run.status == 1)
    #expect(
      run.errors.contains("`waystone batch report --ledger led --format csv`"),
      "\(run.errors)"
    )
  }
}
