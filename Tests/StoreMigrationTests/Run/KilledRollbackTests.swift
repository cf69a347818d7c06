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

@Suite struct KilledRollbackTests {
  private let folder: ScratchFolder
  private let before: Journey.Content

  init() throws {
    folder = try ScratchFolder()
    let original = folder.path + "/original.sqlite"
    try Journey.makeStore(original)
    before = try Journey.content(original)
  }

  private func migrated(_ name: String) throws -> (store: String, backup: String) {
    let store = try folder.copy(folder.path + "/original.sqlite", as: name)
    let backup = try #require(try Journey.migrator().migrate(store).backup)
    return (store, backup)
  }

  /// The report of an uninterrupted rollback.
  private func events(isForced: Bool) throws -> [MigrationEvent] {
    let (store, _) = try migrated("rehearsal.sqlite")
    if isForced { try TemporaryFolder.write([1, 2, 3], to: store) }
    return try KillPoint.record {
      try StoreMigrator.rollback(store, force: isForced, onEvent: $0)
    }
  }

  // F2 M4
  @Test func `a rollback that is killed at any step is ended by the same command`() async throws {
    let events = try events(isForced: false)
    #expect(events.count >= 5)
    for (index, event) in events.enumerated() {
      let (store, backup) = try migrated("killed-\(index).sqlite")
      let after = try Journey.content(store)
      await #expect(processExitsWith: .signal(SIGKILL), "at \(event)") {
        [store = store as String, index = index as Int] in
        try StoreMigrator.rollback(store, onEvent: KillPoint.killer(at: index))
      }
      let content = try Journey.content(store)
      #expect(content == before || content == after, "at \(event)")
      if case .recorded(let record) = event, record.event == .rolledBack {
        let error = #expect(throws: MigrationError.self) { try StoreMigrator.rollback(store) }
        #expect(error?.code == .nothingToDo)
      } else {
        // Nothing else goes on beside it.
        let refusal = #expect(throws: MigrationError.self) { try Journey.migrator().migrate(store) }
        #expect(refusal?.code == .unfinishedRun, "at \(event)")
        let second = #expect(throws: MigrationError.self) { try Journey.migrator().resume(store) }
        #expect(second?.code == .unfinishedRun, "at \(event)")
        let kept = try StoreMigrator.rollback(store).replaced
        #expect(kept == backup + ".replaced", "at \(event)")
      }
      #expect(try Journey.content(store) == before, "again after \(event)")
      #expect(try Journey.isWriteAheadLogged(store))
      #expect(try Journey.content(backup + ".replaced") == after, "kept after \(event)")
      #expect(TemporaryFolder.bytes(of: backup) == nil)
    }
  }

  // F2 M2
  @Test func `so is a rollback over a file that is no store`() async throws {
    for (index, event) in try events(isForced: true).enumerated() {
      let (store, backup) = try migrated("killed-\(index).sqlite")
      try TemporaryFolder.write([1, 2, 3], to: store)
      await #expect(processExitsWith: .signal(SIGKILL), "at \(event)") {
        [store = store as String, index = index as Int] in
        try StoreMigrator.rollback(store, force: true, onEvent: KillPoint.killer(at: index))
      }
      if case .recorded(let record) = event, record.event == .rolledBack {
        #expect(throws: MigrationError.self) { try StoreMigrator.rollback(store) }
      } else {
        try StoreMigrator.rollback(store)
      }
      #expect(try Journey.content(store) == before, "again after \(event)")
      #expect(TemporaryFolder.bytes(of: backup + ".replaced") == [1, 2, 3], "after \(event)")
    }
  }

  // F2
  @Test func `what an app writes after a rollback was killed is not lost unasked`() async throws {
    for index in [0, 1] {
      let (store, backup) = try migrated("written-\(index).sqlite")
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [store = store as String, index = index as Int] in
        try StoreMigrator.rollback(store, onEvent: KillPoint.killer(at: index))
      }
      do {
        let app = try SQLiteConnection(path: store, access: .readWrite)
        try app.setJournalMode(.wal)
        try app.execute("UPDATE ZTOPIC SET ZCOLOR = 424242")
      }
      let written = try Journey.content(store)
      let error = #expect(throws: MigrationError.self) { try StoreMigrator.rollback(store) }
      #expect(error?.code == .mismatch)
      #expect(try Journey.content(store) == written)
      try StoreMigrator.rollback(store, force: true)
      #expect(try Journey.content(store) == before)
      #expect(try Journey.content(backup + ".replaced") == written)
    }
  }

  /// Under an exclusive lock SQLite clears the mark of a journal that it undid, and the file goes later.
  @Test func `a rollback killed in the midst of the write and again while that was undone goes on`()
    async throws
  {
    let first = try events(isForced: false).firstIndex { event in
      guard case .recorded(let record) = event else { return false }
      return record.event == .rollingBack && record.rollback?.isSettled == false
    }
    let (index, (store, backup)) = (try #require(first), try migrated("twice.sqlite"))
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [store = store as String, index = index as Int] in
      try StoreMigrator.rollback(store, onEvent: KillPoint.killer(at: index))
    }
    #expect(try Journey.isWriteAheadLogged(store))
    // The first page was written, and written back: only the time tells.
    try #require(utimes(store, nil) == 0)
    try TemporaryFolder.write([UInt8](repeating: 0, count: 512 + 4104), to: store + "-journal")
    try StoreMigrator.rollback(store)
    #expect(try Journey.content(store) == before)
    #expect(TemporaryFolder.bytes(of: backup) == nil)
  }
}
