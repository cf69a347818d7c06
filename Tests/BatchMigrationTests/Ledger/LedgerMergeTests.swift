import BatchMigration
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import Waystone

@Suite("Ledgers that are merged")
struct LedgerMergeTests {
  private let folder: ScratchFolder
  private var here: String { folder.path + "/here.sqlite" }
  private var there: String { folder.path + "/there.sqlite" }

  init() throws { folder = try ScratchFolder() }

  /// Makes both ledgers, and ends one store in the other one for each state.
  private func make(
    _ count: Int,
    there states: [StoreState],
    more: Int = 0
  ) throws -> BatchLedger {
    let other = try SampleLedger.make(there, count: count + more)
    let hold = try other.hold(joining: false)
    for state in states { try SampleLedger.end(other, hold, state, code: "blocked") }
    try other.end(hold)
    return try SampleLedger.make(here, count: count)
  }

  @Test func `results of a tree that was moved are taken where they lie now`() throws {
    let manager = FileManager.default
    // As the program keeps it: without links on the way.
    let tree = URL(filePath: folder.path).resolvingSymlinksInPath().path + "/tree"
    try manager.createDirectory(atPath: tree, withIntermediateDirectories: false)
    let description = BatchDescription(tool: "waystone test", version: "v4", output: tree)
    do {
      let other = try SampleLedger.make(tree + "/b.sqlite", count: 2, description)
      let hold = try other.hold(joining: false)
      for result in [tree + "/a.sqlite", "/elsewhere/a.sqlite"] {
        let store = try #require(try other.claim(1, holder: hold).first)
        var outcome = SampleLedger.outcome(.migrated)
        outcome.result = result
        try other.record(outcome, of: store.id)
      }
      try other.end(hold)
    }
    let moved = tree + "-moved"
    try manager.moveItem(atPath: tree, toPath: moved)
    let other = try BatchLedger(opening: moved + "/b.sqlite")
    #expect(try other.description.output == moved)
    let expected = ["/elsewhere/a.sqlite", moved + "/a.sqlite"].sorted()
    #expect(try SampleLedger.stores(other).compactMap(\.result).sorted() == expected)
    let ledger = try SampleLedger.make(here, count: 0)
    #expect(try ledger.merge(ledgerAt: moved + "/b.sqlite").added == 2)
    #expect(try SampleLedger.stores(ledger).compactMap(\.result).sorted() == expected)
  }

  @Test func `what ended there is taken, what is unknown here is added`() throws {
    let ledger = try make(3, there: [.migrated, .failed, .migrated], more: 1)
    let report = try ledger.merge(ledgerAt: there)
    #expect(report.added == 1)
    #expect(report.taken == 2)
    #expect(report.kept == 1)
    #expect(report.conflicts.isEmpty)
    let stores = try SampleLedger.stores(ledger)
    #expect(stores.map(\.state) == [.waiting, .migrated, .failed, .migrated])
    #expect(stores.map(\.attempts) == [0, 1, 1, 1])
    #expect(try ledger.certificate(of: stores[1].id) == SampleLedger.certificate)
    #expect(stores[2].code == "blocked")
    let other = try BatchLedger(opening: there)
    for (mine, theirs) in zip(stores, try SampleLedger.stores(other)) {
      let id = theirs.id
      var theirs = theirs
      theirs.id = mine.id
      if theirs.result != nil { theirs.origin = "\(there).certificates/\(id).json" }
      #expect(mine == theirs)
    }
  }

  @Test func `a second merge takes nothing`() throws {
    let ledger = try make(4, there: [.migrated, .refused], more: 2)
    _ = try ledger.merge(ledgerAt: there)
    let stores = try SampleLedger.stores(ledger)
    let report = try ledger.merge(ledgerAt: there)
    #expect(report.added == 0)
    #expect(report.taken == 0)
    #expect(report.kept == 6)
    #expect(try SampleLedger.stores(ledger) == stores)
    let file = try SQLiteConnection(path: here, access: .readOnly)
    #expect(try file.integer("SELECT COUNT(*) FROM attempt") == 2)
  }

  @Test func `two different ends are a conflict, and the one here stays`() throws {
    let ledger = try make(2, there: [.migrated, .current])
    let hold = try ledger.hold(joining: false)
    try SampleLedger.end(ledger, hold, .failed, code: "blocked")
    try ledger.end(hold)
    let report = try ledger.merge(ledgerAt: there)
    #expect(report.taken == 1)
    #expect(report.conflicts.map(\.name) == ["Old/1.sqlite"])
    #expect(report.conflicts.first?.reason == "it is failed here and migrated there")
    #expect(try SampleLedger.stores(ledger).map(\.state) == [.current, .failed])
    // Who wants the other outcome has the store wait here.
    try ledger.retry(states: [.failed])
    #expect(try ledger.merge(ledgerAt: there).taken == 1)
    let store = try #require(try SampleLedger.stores(ledger).last)
    #expect(store.state == .migrated)
    #expect(store.attempts == 2)
    let file = try SQLiteConnection(path: here, access: .readOnly)
    let attempts = try file.rows("SELECT number, state FROM attempt WHERE store = \(store.id)")
    #expect(attempts == [[1, "failed"], [2, "migrated"]])
  }

  @Test
  func `an attempt that was killed there, of which nothing is known but that it was, counts here`()
    throws
  {
    let other = try SampleLedger.make(there, count: 1)
    let hold = try other.hold(joining: false)
    _ = try other.claim(1, holder: hold)
    let file = try SQLiteConnection(path: there, access: .readWrite)
    try file.execute("UPDATE store SET state = 'waiting', holder = NULL")
    try SampleLedger.end(other, hold, .failed)
    let ledger = try SampleLedger.make(here, count: 0)
    func attempts() throws -> [[SQLiteValue]] {
      try SQLiteConnection(path: here, access: .readOnly).rows(
        "SELECT a.number, s.attempts FROM attempt AS a JOIN store AS s ON s.id = a.store"
      )
    }
    #expect(try ledger.merge(ledgerAt: there).added == 1)
    #expect(try attempts() == [[2, 2]])
    // Another one follows there, and the first comes back with it.
    try other.retry(states: [.failed])
    let store = try #require(try other.claim(1, holder: hold).first)
    var outcome = SampleLedger.outcome(.migrated)
    outcome.started = Date(timeIntervalSince1970: 200)
    try other.record(outcome, of: store.id)
    try other.end(hold)
    try ledger.retry(states: [.failed])
    #expect(try ledger.merge(ledgerAt: there).taken == 1)
    #expect(try attempts() == [[2, 3], [3, 3]])
  }

  @Test(arguments: [false, true])
  func `a rollback counts over what it undid, whichever ledger is merged first`(_ isFirst: Bool)
    throws
  {
    let ledger = try make(1, there: [.migrated])
    _ = try ledger.merge(ledgerAt: there)
    let other = try BatchLedger(opening: there)
    var undone = StoreOutcome(.skipped, started: Date(timeIntervalSince1970: 200), seconds: 1)
    undone.code = "rolledBack"
    try other.record(rollbackOf: try other.store(named: "Old/0.sqlite").id, undone)
    let all = try SampleLedger.make(folder.path + "/all.sqlite", count: 0)
    for path in isFirst ? [there, here, there] : [here, there, here] {
      #expect(try all.merge(ledgerAt: path).conflicts.isEmpty)
    }
    let store = try #require(try SampleLedger.stores(all).first)
    #expect(store.state == .skipped)
    #expect(store.code == "rolledBack")
    #expect(store.attempts == 1)
    #expect(try all.certificate(of: store.id) == nil)

    // Who has it wait again does not want it migrated by an earlier attempt.
    try all.retry(states: [.skipped])
    for path in [here, there] { #expect(try all.merge(ledgerAt: path).kept == 1) }
    #expect(try SampleLedger.stores(all).map(\.state) == [.waiting])
    // A later attempt counts over the rollback.
    let hold = try all.hold(joining: false)
    let claimed = try #require(try all.claim(1, holder: hold).first)
    var again = SampleLedger.outcome(.migrated)
    again.started = Date(timeIntervalSince1970: 300)
    try all.record(again, of: claimed.id)
    try all.end(hold)
    #expect(try other.merge(ledgerAt: folder.path + "/all.sqlite").taken == 1)
    let last = try #require(try SampleLedger.stores(other).first)
    #expect(last.state == .migrated)
    #expect(last.attempts == 2)
    #expect(last.origin == folder.path + "/all.sqlite.certificates/\(claimed.id).json")
  }

  @Test func `other contents and other results of one name are conflicts`() throws {
    let ledger = try make(3, there: [.migrated, .migrated])
    let hold = try ledger.hold(joining: false)
    let store = try #require(try ledger.claim(1, holder: hold).first)
    var outcome = SampleLedger.outcome(.migrated)
    outcome.resultDigest = "cc"
    try ledger.record(outcome, of: store.id)
    try ledger.end(hold)
    try SQLiteConnection(path: here, access: .readWrite)
      .execute("UPDATE store SET head = 'other' WHERE name = 'Old/1.sqlite'")
    let report = try ledger.merge(ledgerAt: there)
    #expect(report.conflicts.map(\.name) == ["Old/1.sqlite", "Old/2.sqlite"])
    #expect(report.taken == 0)
  }

  @Test func `a store at another place is another store, whatever its name and its contents`()
    throws
  {
    let ledger = try make(2, there: [.migrated, .migrated])
    let hold = try ledger.hold(joining: false)
    try SampleLedger.end(ledger, hold, .migrated)
    try ledger.end(hold)
    try SQLiteConnection(path: there, access: .readWrite)
      .execute("UPDATE store SET place = replace(place, '/archive/', '/other/')")
    let report = try ledger.merge(ledgerAt: there)
    #expect(report.added == 2)
    #expect(report.taken == 0)
    #expect(report.conflicts.isEmpty)
    let stores = try SampleLedger.stores(ledger)
    #expect(stores.map(\.state) == [.waiting, .migrated, .migrated, .migrated])
    #expect(Set(stores.map(\.found.name)).count == 4)
    #expect(Set(stores.map(\.found.destination)).count == 4)
    #expect(stores.contains { $0.found.name.hasPrefix("Old/0-") })
    #expect(try ledger.merge(ledgerAt: there).kept == 2)
    #expect(try SampleLedger.stores(ledger) == stores)
  }

  @Test func `a store whose file has another time was not migrated there`() throws {
    let ledger = try make(2, there: [.migrated, .migrated])
    try SQLiteConnection(path: there, access: .readWrite)
      .execute("UPDATE store SET modified = 6 WHERE name = 'Old/1.sqlite'")
    let report = try ledger.merge(ledgerAt: there)
    #expect(report.taken == 1)
    #expect(report.conflicts.map(\.name) == ["Old/1.sqlite"])
    #expect(report.conflicts.first?.reason.contains("run the batch to migrate it") == true)
    #expect(try SampleLedger.stores(ledger).map(\.state) == [.migrated, .waiting])
  }

  @Test func `a destination that is another store's gets another name`() throws {
    let ledger = try make(1, there: [])
    var stray = SampleLedger.found(9)
    stray.destination = SampleLedger.found(0).destination.uppercased()
    stray.name = "Elsewhere/0.sqlite"
    try SQLiteConnection(path: there, access: .readWrite).execute("DELETE FROM store")
    try BatchLedger(opening: there).add([stray])
    #expect(try ledger.merge(ledgerAt: there).added == 1)
    let names = try SampleLedger.stores(ledger).map(\.found.destination)
    #expect(names.first == "Old/0.sqlite")
    #expect(Set(names.map { $0.lowercased() }).count == 2)
  }

  @Test(arguments: [
    "UPDATE store SET destination = '../0.sqlite'", "UPDATE certificate SET json = x'00'",
    "DELETE FROM certificate",
  ])
  func `a damaged ledger is named with its store, and nothing is taken from it`(
    _ damage: String
  ) throws {
    let ledger = try make(0, there: [.migrated], more: 1)
    try SQLiteConnection(path: there, access: .readWrite).execute(damage)
    let error = #expect(throws: WaystoneError.self) { _ = try ledger.merge(ledgerAt: there) }
    #expect(error?.code == .badFile)
    #expect(error?.message.contains(there) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("store 1 ") == true, "\(error?.message ?? "")")
    #expect(try SampleLedger.stores(ledger).isEmpty)
  }

  @Test func `a store that runs here is left alone`() throws {
    let ledger = try make(1, there: [.migrated])
    let hold = try ledger.hold(joining: false)
    let store = try #require(try ledger.claim(1, holder: hold).first)
    let report = try ledger.merge(ledgerAt: there)
    #expect(report.conflicts.count == 1)
    #expect(try ledger.store(store.id).state == .running)
    try ledger.record(SampleLedger.outcome(.migrated), of: store.id)
    try ledger.end(hold)
  }

  @Test func `what runs there waits here`() throws {
    let ledger = try SampleLedger.make(here, count: 0)
    let other = try SampleLedger.make(there, count: 1)
    let hold = try other.hold(joining: false)
    _ = try other.claim(1, holder: hold)
    #expect(try ledger.merge(ledgerAt: there).added == 1)
    let store = try #require(try SampleLedger.stores(ledger).first)
    #expect(store.state == .waiting)
    #expect(store.holder == nil)
    try other.end(hold)
  }

  @Test func `a root that another part searched is still to be searched here`() throws {
    let other = try BatchLedger(
      creating: there,
      SampleLedger.description(shard: BatchShard(index: 1, count: 2))
    )
    try other.end(root: "/a", SearchTally(files: 3, others: 1, oddities: [("a/x", "a link")]))
    let ledger = try SampleLedger.make(here, count: 0)
    _ = try ledger.merge(ledgerAt: there)
    #expect(try ledger.totals().oddities == 1)
    #expect(try ledger.searched(root: "/a") == nil)
    let twin = try SampleLedger.make(folder.path + "/twin.sqlite", count: 0)
    try twin.end(root: "/b", SearchTally(files: 2, others: 1))
    _ = try ledger.merge(ledgerAt: folder.path + "/twin.sqlite")
    #expect(try ledger.searched(root: "/b") != nil)
  }

  @Test func `files of one name in two roots that could not be looked at stay two`() throws {
    let tally = SearchTally(files: 1, others: 0, oddities: [("Docs/x", "It is a link.")])
    try SampleLedger.make(there, count: 0).end(root: "/b/Docs", tally)
    let ledger = try SampleLedger.make(here, count: 0)
    try ledger.end(root: "/a/Docs", tally)
    for _ in 1...2 { _ = try ledger.merge(ledgerAt: there) }
    var names: [String] = []
    try ledger.oddities { name, _ in names.append(name) }
    #expect(names == ["Docs/x, searched in /a/Docs", "Docs/x, searched in /b/Docs"])
  }

  @Test func `ledgers of other batches, and the ledger itself, are refused`() throws {
    let ledger = try SampleLedger.make(here, count: 1)
    _ = try BatchLedger(creating: there, SampleLedger.description(version: "v5"))
    let version = #expect(throws: WaystoneError.self) { _ = try ledger.merge(ledgerAt: there) }
    #expect(version?.code == .badArgument)
    #expect(version?.message.contains("to v5") == true)
    #expect(version?.message.contains("to v4") == true)
    let itself = #expect(throws: WaystoneError.self) { _ = try ledger.merge(ledgerAt: here) }
    #expect(itself?.code == .badArgument)
    let store = folder.path + "/store.sqlite"
    try AppDatabase.run(store, "CREATE TABLE t (a)")
    let stranger = #expect(throws: WaystoneError.self) { _ = try ledger.merge(ledgerAt: store) }
    #expect(stranger?.code == .badFile)
    // Nothing stays attached: a merge is possible afterwards.
    let good = folder.path + "/good.sqlite"
    _ = try SampleLedger.make(good, count: 2)
    #expect(try ledger.merge(ledgerAt: good).added == 1)
  }
}
