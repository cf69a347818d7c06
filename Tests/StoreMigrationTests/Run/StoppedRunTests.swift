import Files
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct StoppedRunTests {
  private let folder: ScratchFolder
  private let store: String
  private let before: Journey.Content

  init() throws {
    folder = try ScratchFolder()
    store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    before = try Journey.content(store)
  }

  private func migrate(_ migrator: StoreMigrator) -> MigrationError? {
    #expect(throws: MigrationError.self) { _ = try migrator.migrate(store) }
  }

  private func resume() -> MigrationError? {
    #expect(throws: MigrationError.self) { _ = try Journey.migrator().resume(store) }
  }

  /// Expects that nothing is left of a run but the store, which is as it was.
  private func expectNothingLeft() throws {
    #expect(try Journey.content(store) == before)
    #expect(try Journey.isWriteAheadLogged(store))
    #expect(try FileSystem.names(inFolder: folder.path) == ["store.sqlite"])
  }

  @Test(arguments: [JournalRecord.Event.begun, .copied, .hop, .verified])
  func `a run stops when it is asked to, and goes on`(_ event: JournalRecord.Event) throws {
    try StoppedRun.stop(store, at: event)
    #expect(try Journey.content(store) == before)
    let outcome = try Journey.migrator().resume(store)
    #expect(outcome.hops == Journey.hops)
    #expect(outcome.resumedAfter == (event == .hop ? 1 : event == .verified ? 4 : 0))
    #expect(try Journey.content(store).version == "v5")
  }

  @Test func `a result that fails its verification is thrown away`() throws {
    let checkpoint = Workspace(destination: store).checkpoint(3)
    let migrator = try Journey.migrator { event in
      guard case .recorded(let record) = event, record.event == .hop, record.hop == 4 else {
        return
      }
      do {
        let connection = try AppDatabase(checkpoint)
        try connection.execute("DELETE FROM ZTOPIC WHERE Z_PK = 1")
      } catch { Issue.record(error) }
    }
    let error = migrate(migrator)
    #expect(error?.code == .verificationFailed)
    #expect(error?.isResumable == false)
    try expectNothingLeft()
  }

  @Test func `a store of another version than the plan's stays as it is`() throws {
    let plan = try Journey.plan()
    try FileSystem.remove(store)
    let model = try #require(Journey.versions().dropFirst().first).model
    try StoreGenerator(model: model, rows: 12, seed: 1).write(to: store)
    let error = #expect(throws: MigrationError.self) {
      _ = try StoreMigrator(plan: plan, options: MigrationOptions()).migrate(store)
    }
    // As where another process was faster.
    #expect(error?.code == .inUse)
    #expect(try Journey.content(store).version == "v2")
    #expect(try Journey.isWriteAheadLogged(store))
    #expect(try FileSystem.names(inFolder: folder.path) == ["store.sqlite"])
  }

  @Test func `what an app wrote after the run began is not lost`() throws {
    try StoppedRun.stop(store, at: .verified)
    do {
      let app = try AppDatabase(store)
      try app.execute("PRAGMA journal_mode = WAL")
      try app.execute("UPDATE ZTOPIC SET ZCOLOR = 424242")
    }
    let written = try Journey.content(store)
    #expect(written != before)
    #expect(resume()?.code == .mismatch)
    #expect(try Journey.content(store) == written)
    #expect(try Journey.isWriteAheadLogged(store))
    _ = try Journey.migrator(restart: true).migrate(store)
    let changed = try SQLiteConnection(path: store, access: .readOnly)
    #expect(try changed.integer("SELECT COUNT(*) FROM ZTOPIC WHERE ZCOLOR IS NOT 424242") == 0)
  }

  @Test func `a store that is restarted gets its journal mode back if that fails`() throws {
    try StoppedRun.stop(store, at: .hop)
    #expect(try !Journey.isWriteAheadLogged(store))
    let checkpoint = Workspace(destination: store).checkpoint(0)
    let migrator = try Journey.migrator(restart: true) { event in
      guard case .recorded(let record) = event, record.event == .copied else { return }
      do {
        let connection = try AppDatabase(checkpoint)
        try connection.execute("DROP TABLE ZTOPIC")
      } catch { Issue.record(error) }
    }
    #expect(migrate(migrator)?.code == .failed)
    try expectNothingLeft()
  }

  @Test func `a checkpoint that is not the journal's is not gone on with`() throws {
    try StoppedRun.stop(store, at: .hop)
    let checkpoint = Workspace(destination: store).checkpoint(0)
    let bytes = try #require(TemporaryFolder.bytes(of: checkpoint))
    var otherRows = bytes
    otherRows[27] &+= 1
    for damaged in [[], [1, 2, 3], Array(bytes.dropLast(4096)), otherRows] {
      try TemporaryFolder.write(damaged, to: checkpoint)
      #expect(resume()?.code == .mismatch)
      #expect(try Journey.content(store) == before)
    }
    try FileSystem.remove(checkpoint)
    #expect(resume()?.code == .mismatch)
    // Whoever puts the right one back may go on.
    try TemporaryFolder.write(bytes, to: checkpoint)
    #expect(try Journey.migrator().resume(store).resumedAfter == 1)
  }

  @Test func `a run is not resumed with another plan, or at another place`() throws {
    try StoppedRun.stop(store, at: .hop)
    let shorter = try Journey.plan(to: "v3")
    let error = #expect(throws: MigrationError.self) {
      _ = try StoreMigrator(plan: shorter, options: MigrationOptions()).resume(store)
    }
    #expect(error?.code == .mismatch)

    let moved = folder.path + "/moved.sqlite"
    try FileSystem.copy(store, toNewFile: moved)
    try FileSystem.rename(store + ".waystone", to: moved + ".waystone")
    let second = #expect(throws: MigrationError.self) {
      _ = try Journey.migrator().resume(moved)
    }
    #expect(second?.code == .mismatch)
    #expect(try Journey.content(moved) == before)
    try FileSystem.rename(moved + ".waystone", to: store + ".waystone")
    #expect(try Journey.migrator().resume(store).hops == Journey.hops)
  }

  @Test func `a file that takes the store's place meanwhile is not replaced`() throws {
    let other = folder.path + "/other.sqlite"
    try Journey.makeStore(other, seed: 8)
    let theirs = try Journey.content(other)
    let store = store
    let migrator = try Journey.migrator { event in
      guard case .recorded(let record) = event, record.event == .verified else { return }
      do { try FileSystem.rename(other, to: store) } catch { Issue.record(error) }
    }
    #expect(migrate(migrator)?.code == .inUse)
    #expect(try Journey.content(store) == theirs)
    #expect(resume()?.code == .mismatch)
    #expect(try Journey.content(store) == theirs)
  }

  @Test func `journals beside an output are in its way`() throws {
    let output = folder.path + "/output.sqlite"
    for suffix in ["", "-wal", "-journal", "-shm"] {
      try TemporaryFolder.write([1], to: output + suffix)
      #expect(migrate(try Journey.migrator(output: output))?.code == .cannotCreate)
      #expect(TemporaryFolder.bytes(of: output + suffix) == [1])
      try FileSystem.remove(output + suffix)
    }
    try expectNothingLeft()
  }

  @Test(arguments: [
    "with space.sqlite", "it's \"quoted\".sqlite", "Grüße 👩‍👩‍👧 été.sqlite", "a%20b?c#d&e=f.sqlite",
    ":memory:", "-dash", "semi;colon", String(repeating: "long", count: 50),
  ])
  func `a store may have any name`(_ name: String) throws {
    let named = try folder.copy(store, as: name)
    #expect(try Journey.migrator().migrate(named).hops == Journey.hops)
    let after = try Journey.content(named)
    #expect(after.version == "v5")
    try StoreMigrator.rollback(named)
    #expect(try Journey.content(named) == before)
    let output = "\(folder.path)/out \(name)"
    #expect(try Journey.migrator(output: output).migrate(named).store == output)
    #expect(try Journey.content(output) == after)
  }

  @Test func `links are followed, and stay links`() throws {
    try FileSystem.createFolder(folder.path + "/real")
    let real = folder.path + "/real/store.sqlite"
    try FileSystem.rename(store, to: real)
    #expect(symlink("real/store.sqlite", store) == 0)
    #expect(symlink("real", folder.path + "/linked") == 0)
    let after = try Journey.migrator().migrate(store).store
    #expect(try after == FileSystem.resolved(real))
    #expect(try Journey.content(real).version == "v5")
    #expect(try FileSystem.resolved(store) == FileSystem.resolved(real))
    try StoreMigrator.rollback(folder.path + "/linked/store.sqlite")
    #expect(try Journey.content(store) == before)
    try StoppedRun.stop(store, output: folder.path + "/linked/output.sqlite", at: .hop)
    _ = try Journey.migrator().resume(folder.path + "/real/output.sqlite")
    #expect(try Journey.content(folder.path + "/linked/output.sqlite").version == "v5")
  }
}
