import BatchMigration
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import Waystone

@Suite("Ledger of a batch")
struct BatchLedgerTests {
  @Test func `what a batch was asked to do is read again`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    let description = SampleLedger.description(shard: BatchShard(index: 2, count: 3))
    _ = try BatchLedger(creating: path, description)
    let ledger = try BatchLedger(opening: path)
    let read = try ledger.description
    #expect(read.id == description.id)
    #expect(read.options == description.options)
    #expect(read.shard?.description == "2/3")
    #expect(read.output == "/tmp/out")
    #expect(abs(read.created.timeIntervalSince(description.created)) < 0.001)
    // Nothing of the making is left beside it.
    #expect(
      TemporaryFolder.names(in: folder.path).allSatisfy { $0.hasPrefix("b.sqlite") }
    )
  }

  @Test func `a ledger is not made where a file is`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    try TemporaryFolder.write(Array("mine".utf8), to: path)
    let error = #expect(throws: WaystoneError.self) {
      _ = try BatchLedger(creating: path, SampleLedger.description())
    }
    #expect(error?.code == .cannotCreate)
    #expect(TemporaryFolder.bytes(of: path) == Array("mine".utf8))
  }

  @Test func `a file that is no ledger is refused and stays as it is`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    try AppDatabase.run(path, "CREATE TABLE t (a); PRAGMA user_version = 1")
    let before = TemporaryFolder.bytes(of: path)
    let error = #expect(throws: WaystoneError.self) { _ = try BatchLedger(opening: path) }
    #expect(error?.code == .badFile)
    #expect(TemporaryFolder.bytes(of: path) == before)
    try TemporaryFolder.write(Array("no database, but long enough for one".utf8), to: path)
    #expect(throws: (any Error).self) { _ = try BatchLedger(opening: path) }
    let missing = #expect(throws: WaystoneError.self) {
      _ = try BatchLedger(opening: folder.path + "/none.sqlite")
    }
    #expect(missing?.code == .missingFile)
    #expect(TemporaryFolder.names(in: folder.path) == ["b.sqlite"])
  }

  @Test func `a pipe is no ledger`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    #expect(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: WaystoneError.self) { _ = try BatchLedger(opening: path) }
    #expect(error?.code == .badFile)
    #expect(error?.message == "\(path) is not a plain file, and so no ledger.")
  }

  @Test func `a ledger of a later Waystone is refused`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    _ = try SampleLedger.make(path, count: 1)
    try AppDatabase.run(path, "PRAGMA user_version = 99")
    let error = #expect(throws: WaystoneError.self) { _ = try BatchLedger(opening: path) }
    #expect(error?.code == .badFile)
    #expect(error?.message.contains("later Waystone") == true)
  }

  @Test(arguments: [
    "CREATE TRIGGER t AFTER UPDATE ON store BEGIN DELETE FROM attempt; END",
    "DROP TABLE oddity; CREATE VIEW oddity AS SELECT 1 AS name, 2 AS reason",
    "ALTER TABLE store ADD COLUMN extra TEXT",
  ])
  func `a ledger with other tables than a ledger has is refused`(_ script: String) throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    _ = try SampleLedger.make(path, count: 1)
    try AppDatabase.run(path, script)
    let error = #expect(throws: WaystoneError.self) { _ = try BatchLedger(opening: path) }
    #expect(error?.code == .badFile)
  }

  @Test func `an earlier ledger gets the steps that it lacks, and no other twice`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    _ = try SampleLedger.make(path, count: 3)
    let later = LedgerSchema(
      steps: LedgerSchema.current.steps + [
        "ALTER TABLE store ADD COLUMN note TEXT", "UPDATE store SET note = 'n' || attempts",
      ]
    )
    for _ in 1...2 {
      let ledger = try BatchLedger(opening: path, schema: later)
      #expect(try SampleLedger.stores(ledger).count == 3)
    }
    let file = try SQLiteConnection(path: path, access: .readWrite)
    #expect(try file.integer("PRAGMA user_version") == Int64(later.steps.count))
    #expect(try file.integer("SELECT COUNT(*) FROM store WHERE note = 'n0'") == 3)
    // And this Waystone refuses what it does not know.
    #expect(throws: WaystoneError.self) { _ = try BatchLedger(opening: path) }
  }

  @Test func `a ledger that is cut off is called damaged, and no store`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    _ = try SampleLedger.make(path, count: 3)
    try AppDatabase.run(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    let bytes = try #require(TemporaryFolder.bytes(of: path))
    try TemporaryFolder.write(Array(bytes.prefix(9_000)), to: path)
    let error = #expect(throws: WaystoneError.self) { _ = try BatchLedger(opening: path) }
    #expect(error?.code == .badFile)
    #expect(error?.message.hasPrefix("The ledger \(path) is damaged: ") == true)
  }

  @Test(
    arguments: [
      "UPDATE store SET bytes = 9e18", "UPDATE store SET result_bytes = 9e18",
      "UPDATE store SET bytes = -1", "INSERT INTO root (path, files) VALUES ('a', 9e18)",
      "INSERT INTO root (path, others) VALUES ('a', -1)",
    ]
  )
  func `a number that no file has is called damage`(script: String) throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    _ = try SampleLedger.make(path, count: 3)
    try AppDatabase.run(path, "\(script); PRAGMA wal_checkpoint(TRUNCATE)")
    let ledger = try BatchLedger(opening: path)
    let error = #expect(throws: WaystoneError.self) { _ = try ledger.totals() }
    #expect(error?.code == .badFile)
    #expect(error?.message.hasPrefix("The ledger \(path) is damaged: ") == true)
  }

  @Test func `what an earlier ledger could not look at stays in it`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    _ = try SampleLedger.make(path, count: 0)
    try AppDatabase.run(
      path,
      "DROP TABLE oddity; ALTER TABLE store DROP COLUMN origin; PRAGMA user_version = 2; "
        + "CREATE TABLE oddity (name TEXT PRIMARY KEY, reason TEXT NOT NULL, root TEXT); "
        + "INSERT INTO oddity (name, reason, root) VALUES ('a', 'x', NULL), ('b', 'x', '/b')"
    )
    let ledger = try BatchLedger(opening: path)
    #expect(try ledger.totals().oddities == 2)
    try ledger.end(root: "/b", SearchTally(oddities: [("a", "y")]))
    var told: [String] = []
    try ledger.oddities { name, reason in told.append("\(name): \(reason)") }
    #expect(told == ["a: x", "a, searched in /b: y"])
  }

  @Test func `a root counts as searched from the end of a search to the next`() throws {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 0)
    #expect(try ledger.searched(root: "/a") == nil)
    try ledger.begin(root: "/a")
    #expect(try ledger.totals().unsearchedRoots == 1)
    try ledger.end(
      root: "/a",
      SearchTally(files: 7, others: 4, oddities: [("a/x.zip", "a bomb")])
    )
    try ledger.end(root: "/b", SearchTally(oddities: [("b/y.zip", "a bomb")]))
    #expect(try ledger.searched(root: "/a") != nil)
    #expect(try ledger.roots == ["/a", "/b"])
    var totals = try ledger.totals()
    #expect(totals.unsearchedRoots == 0)
    #expect(totals.files == 7)
    #expect(totals.others == 4)
    #expect(totals.oddities == 2)
    try ledger.begin(root: "/a")
    #expect(try ledger.searched(root: "/a") == nil)
    // What the search before could not look at is told until this one has ended.
    #expect(try ledger.totals().oddities == 2)
    try ledger.end(root: "/a", SearchTally(files: 8, others: 4))
    totals = try ledger.totals()
    #expect(totals.files == 8)
    #expect(totals.oddities == 1)
  }

  @Test func `a store that is known stays in its state, and is told where it is another file`()
    throws
  {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 3)
    let hold = try ledger.hold(joining: false)
    try SampleLedger.end(ledger, hold, .migrated)
    try SampleLedger.end(ledger, hold, .damaged)
    #expect(try ledger.add((0..<3).map(SampleLedger.found)).isEmpty)
    var others = (0..<3).map(SampleLedger.found)
    for index in others.indices { others[index].bytes = 9 }
    let changed = try ledger.add(others + [SampleLedger.found(3)])
    #expect(changed.map(\.found) == [others[2]])
    var stores = try SampleLedger.stores(ledger)
    #expect(stores.map(\.state) == [.waiting, .damaged, .migrated, .waiting])
    #expect(stores.map(\.found.bytes) == [9, 9, 1002, 1003])
    let id = try #require(changed.first?.id)
    try ledger.update(id, others[2])
    stores = try SampleLedger.stores(ledger)
    #expect(stores[2].found.bytes == 9)
    #expect(stores[2].state == .migrated)
    try ledger.end(hold)
  }

  @Test func `two names with one destination are refused, and none of the call is added`() throws {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 1)
    var twin = SampleLedger.found(8)
    twin.destination = SampleLedger.found(0).destination
    let error = #expect(throws: WaystoneError.self) {
      try ledger.add([SampleLedger.found(7), twin])
    }
    #expect(error?.message.contains("Old/0.sqlite") == true)
    #expect(try SampleLedger.stores(ledger).count == 1)
  }

  @Test(arguments: ["../a", "/a", "a/../../b", "a//b", "a/.", "", "a\0b"])
  func `a destination that leads out of the output is neither added nor read`(_ path: String) throws
  {
    let folder = try ScratchFolder()
    let file = folder.path + "/b.sqlite"
    let ledger = try SampleLedger.make(file, count: 1)
    var store = SampleLedger.found(1)
    store.destination = path
    let refused = #expect(throws: WaystoneError.self) { try ledger.add([store]) }
    #expect(refused?.code == .refused)
    try SQLiteConnection(path: file, access: .readWrite)
      .execute("UPDATE store SET destination = ?", [.text(path)])
    let hold = try ledger.hold(joining: false)
    let damaged = #expect(throws: WaystoneError.self) { _ = try ledger.claim(1, holder: hold) }
    #expect(damaged?.code == .badFile)
    try ledger.end(hold)
  }

  @Test func `every place of a store is read again as it was written`() throws {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 0)
    var stores = (0..<3).map(SampleLedger.found)
    stores[1].place = .member(archive: "/a.zip", files: ["N.sqlite": "D/N.sqlite"])
    stores[2].place = .backup(folder: "/B", files: ["N.sqlite-wal": "/B/3d/3d0d"])
    stores[2].modified = nil
    try ledger.add(stores)
    #expect(try SampleLedger.stores(ledger).map(\.found) == stores)
  }
}
