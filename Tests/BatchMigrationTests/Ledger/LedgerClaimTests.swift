import BatchMigration
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import Waystone

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Stores that a ledger hands out")
struct LedgerClaimTests {
  @Test func `the largest comes first, or the smallest where they are wanted`() throws {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 9)
    let hold = try ledger.hold(joining: false)
    let large = try ledger.claim(2, holder: hold)
    #expect(large.map(\.found.bytes) == [1008, 1007])
    #expect(large.allSatisfy { $0.state == .running && $0.attempts == 1 && $0.holder == hold.id })
    let small = try ledger.claim(
      4,
      holder: hold,
      where: LedgerSelection(bytes: 0...1002, order: .smallestFirst)
    )
    #expect(small.map(\.found.bytes) == [1000, 1001, 1002])
    try ledger.end(hold)
  }

  @Test func `two connections never get the same store`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    _ = try SampleLedger.make(path, count: 200)
    let claimed = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let ledger = try BatchLedger(opening: path)
          let hold = try ledger.hold(joining: true)
          var ids: [Int64] = []
          while true {
            let stores = try ledger.claim(3, holder: hold)
            if stores.isEmpty { break }
            for store in stores {
              try ledger.record(SampleLedger.outcome(.migrated), of: store.id)
              ids.append(store.id)
            }
          }
          try ledger.end(hold)
          return ids
        }
      }
      var all: [Int64] = []
      for try await ids in group { all += ids }
      return all
    }
    #expect(claimed.count == 200)
    #expect(Set(claimed).count == 200)
  }

  @Test func `a second batch is refused while the first lives, unless it joins`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    let ledger = try SampleLedger.make(path, count: 2)
    let hold = try ledger.hold(joining: false)
    let other = try BatchLedger(opening: path)
    let error = #expect(throws: WaystoneError.self) { _ = try other.hold(joining: false) }
    #expect(error?.code == .inUse)
    #expect(error?.message.contains("process \(getpid())") == true)
    let joined = try other.hold(joining: true)
    #expect(try other.claim(2, holder: joined).count == 2)
    // Whoever leaves gives back what it has, and only that.
    try ledger.end(hold)
    #expect(try ledger.totals().states[.running]?.stores == 2)
    try other.end(joined)
    #expect(try ledger.totals().states[.waiting]?.stores == 2)
    #expect(TemporaryFolder.names(in: path + ".holders").isEmpty)
    try ledger.end(try ledger.hold(joining: false))
  }

  @Test func `a store that is given back counts as never begun`() throws {
    let folder = try ScratchFolder()
    let ledger = try SampleLedger.make(folder.path + "/b.sqlite", count: 1)
    let hold = try ledger.hold(joining: false)
    let store = try #require(try ledger.claim(1, holder: hold).first)
    try ledger.release(store.id)
    let after = try ledger.store(store.id)
    #expect(after.state == .waiting)
    #expect(after.attempts == 0)
    #expect(after.started == nil)
    #expect(after.host == nil)
    #expect(throws: WaystoneError.self) { try ledger.release(store.id) }
    try ledger.end(hold)
  }

  @Test func `what a killed process had waits again, and its ledger is whole`() async throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    _ = try SampleLedger.make(path, count: 5000)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let killer = Thread {
        Thread.sleep(forTimeInterval: 0.2)
        kill(getpid(), SIGKILL)
      }
      let ledger = try BatchLedger(opening: path)
      let hold = try ledger.hold(joining: false)
      var rounds = 0
      while let stores = try? ledger.claim(3, holder: hold), !stores.isEmpty {
        for store in stores.dropFirst() {
          try ledger.record(
            SampleLedger.outcome(store.id.isMultiple(of: 2) ? .migrated : .failed),
            of: store.id
          )
        }
        rounds += 1
        if rounds == 3 { killer.start() }
      }
      // Whoever is through before it is killed waits for it.
      try await Task.sleep(for: .seconds(60))
    }
    let ledger = try BatchLedger(opening: path)
    let before = try ledger.totals()
    let ended = before.sum([.migrated, .failed]).stores
    #expect(ended > 0)
    #expect(before.sum([.running]).stores > 0)
    let hold = try ledger.hold(joining: false)
    let after = try ledger.totals()
    #expect(after.states[.running] == nil)
    #expect(after.sum([.migrated, .failed]).stores == ended)
    #expect(after.total.stores == 5000)
    for store in try SampleLedger.stores(ledger, where: LedgerSelection(states: [.migrated])) {
      #expect(try ledger.certificate(of: store.id) == SampleLedger.certificate)
    }
    let file = try SQLiteConnection(path: path, access: .readOnly)
    #expect(try file.text("PRAGMA integrity_check") == "ok")
    #expect(try file.integer("SELECT COUNT(*) FROM attempt") == Int64(ended))
    #expect(try file.integer("SELECT COUNT(*) FROM holder") == 1)
    try ledger.end(hold)
  }

  @Test func `a process whose ledger forgot it claims nothing`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    let ledger = try SampleLedger.make(path, count: 1)
    let hold = try ledger.hold(joining: false)
    try SQLiteConnection(path: path, access: .readWrite).execute("DELETE FROM holder")
    #expect(throws: WaystoneError.self) { _ = try ledger.claim(1, holder: hold) }
    #expect(try ledger.totals().states[.waiting]?.stores == 1)
  }
}
