import BatchMigration
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import Waystone

@Suite("Outcomes that a ledger keeps")
struct LedgerRecordTests {
  @Test func `an outcome is read again with its certificate`() throws {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 1)
    let hold = try ledger.hold(joining: false)
    let id = try #require(try SampleLedger.end(ledger, hold, .migrated))
    let store = try ledger.store(id)
    #expect(store.state == .migrated)
    #expect(store.holder == nil)
    #expect(store.path == ["v1", "v2", "v4"])
    #expect(store.sourceDigest == "aa")
    #expect(store.resultDigest == "bb")
    #expect(store.resultBytes == 4096)
    #expect(store.memory == 1 << 20)
    #expect(store.started == Date(timeIntervalSince1970: 100))
    #expect(store.seconds == 2)
    #expect(store.certificate?.utf8.count == 64)
    #expect(try ledger.certificate(of: id) == SampleLedger.certificate)
    try ledger.end(hold)
  }

  @Test func `a record is one transaction: what cannot be kept whole is not kept`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    let ledger = try SampleLedger.make(path, count: 1)
    let hold = try ledger.hold(joining: false)
    let store = try #require(try ledger.claim(1, holder: hold).first)
    let file = try SQLiteConnection(path: path, access: .readWrite)
    // The row of this attempt is there already, so the second statement of the record fails.
    try file.execute(
      "INSERT INTO attempt (store, number, state, started, host) VALUES (?, 1, 'failed', 0, 'x')",
      [.integer(store.id)]
    )
    #expect(throws: (any Error).self) {
      try ledger.record(SampleLedger.outcome(.migrated), of: store.id)
    }
    #expect(try ledger.store(store.id).state == .running)
    #expect(try ledger.store(store.id).result == nil)
    #expect(try file.integer("SELECT COUNT(*) FROM certificate") == 0)
    try ledger.end(hold)
  }

  @Test func `what does not run cannot end`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    let ledger = try SampleLedger.make(path, count: 1)
    let hold = try ledger.hold(joining: false)
    let id = try #require(try SampleLedger.end(ledger, hold, .failed, code: "blocked"))
    let error = #expect(throws: WaystoneError.self) {
      try ledger.record(SampleLedger.outcome(.migrated), of: id)
    }
    #expect(error?.code == .mismatch)
    #expect(try ledger.store(id).state == .failed)
    let file = try SQLiteConnection(path: path, access: .readOnly)
    #expect(try file.integer("SELECT COUNT(*) FROM attempt") == 1)
    try ledger.end(hold)
  }

  @Test func `an attempt that is made again is kept, and the store waits`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    let ledger = try SampleLedger.make(path, count: 1)
    let hold = try ledger.hold(joining: false)
    let store = try #require(try ledger.claim(1, holder: hold).first)
    try ledger.record(SampleLedger.outcome(.timedOut), of: store.id, retrying: true)
    #expect(try ledger.store(store.id).state == .waiting)
    try SampleLedger.end(ledger, hold, .migrated)
    let file = try SQLiteConnection(path: path, access: .readOnly)
    let attempts = try file.rows("SELECT number, state FROM attempt ORDER BY number")
    #expect(attempts == [[1, "timed-out"], [2, "migrated"]])
    try ledger.end(hold)
  }

  @Test func `only stores that were not brought to the version are tried again`() throws {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 4)
    let hold = try ledger.hold(joining: false)
    try SampleLedger.end(ledger, hold, .migrated)
    try SampleLedger.end(ledger, hold, .failed, code: "blocked")
    try SampleLedger.end(ledger, hold, .timedOut)
    #expect(throws: WaystoneError.self) { try ledger.retry(states: [.migrated, .failed]) }
    #expect(try ledger.totals().states[.failed]?.stores == 1)
    #expect(try ledger.retry(states: [.failed]) == 1)
    let totals = try ledger.totals()
    #expect(totals.states[.failed] == nil)
    #expect(totals.states[.waiting]?.stores == 2)
    #expect(totals.states[.timedOut]?.stores == 1)
    let again = try ledger.claim(1, holder: hold)
    #expect(again.map(\.attempts) == [2])
    #expect(again.first?.code == nil)
    try ledger.end(hold)
  }

  @Test func `stores that wait are left out with the reason`() throws {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 12)
    let hold = try ledger.hold(joining: false)
    try SampleLedger.end(ledger, hold, .migrated)
    let selection = LedgerSelection(names: "Old/1*")
    #expect(try ledger.skip(where: selection, reason: "Not wanted.") == 2)
    let skipped = try SampleLedger.stores(ledger, where: LedgerSelection(states: [.skipped]))
    #expect(skipped.map(\.found.name) == ["Old/1.sqlite", "Old/10.sqlite"])
    #expect(skipped.allSatisfy { $0.message == "Not wanted." })
    try ledger.end(hold)
  }

  @Test func `a certificate that was changed is not handed out`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    let ledger = try SampleLedger.make(path, count: 2)
    let hold = try ledger.hold(joining: false)
    let first = try #require(try SampleLedger.end(ledger, hold, .migrated))
    let second = try #require(try SampleLedger.end(ledger, hold, .migrated))
    let file = try SQLiteConnection(path: path, access: .readWrite)
    try file.execute("UPDATE certificate SET json = x'00' WHERE store = \(first)")
    try file.execute("DELETE FROM certificate WHERE store = \(second)")
    for id in [first, second] {
      let error = #expect(throws: WaystoneError.self) { _ = try ledger.certificate(of: id) }
      #expect(error?.code == .badFile)
    }
    try ledger.end(hold)
  }

  @Test func `the rate counts no time in which no attempt ran`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    let ledger = try SampleLedger.make(path, count: 4)
    let hold = try ledger.hold(joining: false)
    for _ in 0..<4 { try SampleLedger.end(ledger, hold, .migrated) }
    // Two runs of two attempts of two seconds each, one after the other, and a minute between the runs.
    let file = try SQLiteConnection(path: path, access: .readWrite)
    try file.execute(
      "UPDATE attempt SET started = CASE store WHEN 1 THEN 100 WHEN 2 THEN 102 "
        + "WHEN 3 THEN 164 ELSE 166 END"
    )
    #expect(try ledger.totals().rate == 0.5)
    try ledger.end(hold)
  }

  @Test func `what is not known of an attempt that failed, an earlier one told`() throws {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 1)
    let hold = try ledger.hold(joining: false)
    try SampleLedger.end(ledger, hold, .refused)
    try ledger.retry(states: [.refused])
    let store = try #require(try ledger.claim(1, holder: hold).first)
    try ledger.record(StoreOutcome(.failed, started: Date(), seconds: 1), of: store.id)
    #expect(try ledger.store(store.id).version == "v1")
    try ledger.retry(states: [.failed])
    _ = try ledger.claim(1, holder: hold)
    try ledger.record(StoreOutcome(.damaged, started: Date(), seconds: 1), of: store.id)
    #expect(try ledger.store(store.id).version == nil)
    try ledger.end(hold)
  }

  @Test func `totals sum up stores by state, version and cause`() throws {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 6)
    let hold = try ledger.hold(joining: false)
    try SampleLedger.end(ledger, hold, .migrated)
    try SampleLedger.end(ledger, hold, .failed, code: "blocked")
    try SampleLedger.end(ledger, hold, .failed, code: "blocked")
    try SampleLedger.end(ledger, hold, .damaged, code: "damaged")
    let totals = try ledger.totals()
    #expect(totals.total.stores == 6)
    #expect(totals.total.bytes == 6015)
    #expect(totals.remaining.stores == 2)
    #expect(totals.states[.migrated]?.resultBytes == 4096)
    #expect(totals.states[.failed]?.seconds == 4)
    #expect(totals.versions["v1"]?[.failed]?.stores == 2)
    #expect(totals.versions[nil]?[.waiting]?.stores == 2)
    #expect(totals.causes.map(\.stores) == [2, 1])
    #expect(totals.causes.map(\.code) == ["blocked", "damaged"])
    #expect(totals.causes.first?.example == "Old/3.sqlite")
    #expect(totals.causes.first?.message == "Something is wrong.")
    // Four attempts of the same two seconds.
    #expect(totals.rate == 2)
    #expect(totals.memory == 1 << 20)
    try ledger.end(hold)
  }
}
