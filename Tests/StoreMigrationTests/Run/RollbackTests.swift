import Files
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct RollbackTests {
  private let folder: ScratchFolder
  private let store: String
  private let before: Journey.Content
  private let after: Journey.Content
  private let backup: String

  init() throws {
    folder = try ScratchFolder()
    store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    before = try Journey.content(store)
    let outcome = try Journey.migrator().migrate(store)
    backup = try #require(outcome.backup)
    after = try Journey.content(store)
  }

  private func write() throws {
    let app = try AppDatabase(store)
    try app.execute("UPDATE ZTOPIC SET ZCOLOR = 424242")
  }

  @Test func `the original comes back, once`() throws {
    #expect(try Journey.content(backup) == before)
    let kept = try #require(StoreMigrator.rollback(store).replaced)
    #expect(try Journey.content(store) == before)
    #expect(try Journey.isWriteAheadLogged(store))
    #expect(try Journey.content(kept) == after)
    let error = #expect(throws: MigrationError.self) { try StoreMigrator.rollback(store) }
    #expect(error?.code == .nothingToDo)
    // And forth again.
    #expect(try Journey.migrator().migrate(store).hops == Journey.hops)
    #expect(try Journey.content(store) == after)
    let second = try #require(StoreMigrator.rollback(store).replaced)
    #expect(second != kept)
    #expect(try Journey.content(kept) == after)
  }

  @Test func `what was written since is not lost unasked, nor when forced`() throws {
    try write()
    let written = try Journey.content(store)
    #expect(written != after)
    let error = #expect(throws: MigrationError.self) { try StoreMigrator.rollback(store) }
    #expect(error?.code == .mismatch)
    #expect(try Journey.content(store) == written)
    #expect(try Journey.isWriteAheadLogged(store))
    let kept = try #require(StoreMigrator.rollback(store, force: true).replaced)
    #expect(try Journey.content(store) == before)
    #expect(try Journey.content(kept) == written)
  }

  @Test func `what stands in the log alone counts as written`() throws {
    do {
      let app = try AppDatabase(store)
      app.keepsLog()
      try app.execute("UPDATE ZTOPIC SET ZCOLOR = 424242")
    }
    let written = try Journey.content(store)
    #expect(written != after)
    let error = #expect(throws: MigrationError.self) { try StoreMigrator.rollback(store) }
    #expect(error?.code == .mismatch)
    #expect(try Journey.content(store) == written)
    let kept = try #require(StoreMigrator.rollback(store, force: true).replaced)
    #expect(try Journey.content(store) == before)
    #expect(try Journey.content(kept) == written)
  }

  @Test func `a later run that is refused does not take the way back`() throws {
    // The store is of the last version now: the plan has nothing left to do.
    let error = #expect(throws: MigrationError.self) { try Journey.migrator().migrate(store) }
    #expect(error?.code == .nothingToDo)
    #expect(try Journey.isWriteAheadLogged(store))
    try StoreMigrator.rollback(store)
    #expect(try Journey.content(store) == before)
  }

  @Test func `a store that an app has open is not rolled back`() async throws {
    let app = try AppDatabase(store)
    _ = try app.integer("SELECT COUNT(*) FROM ZTOPIC")
    await #expect(processExitsWith: .exitCode(6)) { [store = store as String] in
      do {
        try StoreMigrator.rollback(store, force: true)
        exit(0)
      } catch let error as MigrationError {
        exit(error.code == .inUse ? 6 : 1)
      }
    }
    #expect(try app.integer("SELECT COUNT(*) FROM ZTOPIC") ?? 0 > 0)
  }

  @Test func `there is nothing to roll back without a run, or beside an unfinished one`() throws {
    let other = folder.path + "/other.sqlite"
    try Journey.makeStore(other)
    let error = #expect(throws: MigrationError.self) { try StoreMigrator.rollback(other) }
    #expect(error?.code == .nothingToDo)
    try StoppedRun.stop(other, at: .hop)
    let second = #expect(throws: MigrationError.self) { try StoreMigrator.rollback(other) }
    #expect(second?.code == .unfinishedRun)
    #expect(try Journey.content(other) == before)
  }

  @Test func `an app may open a result whose run died before it could say so`() async throws {
    let other = folder.path + "/other.sqlite"
    try Journey.makeStore(other)
    await #expect(processExitsWith: .signal(SIGKILL)) { [other = other as String] in
      let migrator = try Journey.migrator { if $0 == .passed(.resultPlaced) { KillPoint.die() } }
      _ = try migrator.migrate(other)
    }
    do {
      let app = try AppDatabase(other)
      try app.execute("UPDATE ZTOPIC SET ZCOLOR = 424242")
    }
    let written = try Journey.content(other)
    #expect(written.version == "v5" && written != after)
    let refusal = #expect(throws: MigrationError.self) {
      _ = try Journey.migrator(restart: true).migrate(other)
    }
    #expect(refusal?.code == .unfinishedRun)
    _ = try Journey.migrator().resume(other)
    #expect(try Journey.content(other) == written)
    let error = #expect(throws: MigrationError.self) { try StoreMigrator.rollback(other) }
    #expect(error?.code == .mismatch)
    try StoreMigrator.rollback(other, force: true)
    #expect(try Journey.content(other) == before)
  }
}
