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

/// Rollbacks over what is no store any more, and with backups that are none.
@Suite struct RollbackOverTests {
  private let folder: ScratchFolder
  private let store: String
  private let backup: String
  private let before: Journey.Content
  private let after: Journey.Content

  init() throws {
    folder = try ScratchFolder()
    store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    before = try Journey.content(store)
    backup = try #require(try Journey.migrator().migrate(store).backup)
    after = try Journey.content(store)
  }

  private func refusal() -> MigrationError? {
    #expect(throws: MigrationError.self) { try StoreMigrator.rollback(store) }
  }

  // M2
  @Test(arguments: [[], [1, 2, 3], Array("no database at all ".utf8)])
  func `a present file that is no store is put aside by force`(bytes: [UInt8]) throws {
    for suffix in ["-wal", "-journal"] {
      try TemporaryFolder.write([9, 9], to: store + suffix)
    }
    try TemporaryFolder.write(bytes, to: store)
    #expect(refusal()?.code == .mismatch)
    #expect(TemporaryFolder.bytes(of: store) == bytes)
    #expect(try StoreMigrator.rollback(store, force: true).replaced == backup + ".replaced")
    #expect(try Journey.content(store) == before)
    #expect(try Journey.isWriteAheadLogged(store))
    #expect(TemporaryFolder.bytes(of: backup + ".replaced") == bytes)
    #expect(TemporaryFolder.bytes(of: backup + ".replaced-wal") == [9, 9])
    #expect(TemporaryFolder.bytes(of: backup + ".replaced-journal") == [9, 9])
    #expect(TemporaryFolder.names(in: folder.path) == ["store.sqlite", "store.sqlite.waystone"])
  }

  // M2
  @Test func `a store that is gone comes back by force`() throws {
    try FileSystem.remove(store)
    try TemporaryFolder.write([9, 9], to: store + "-wal")
    #expect(refusal()?.code == .mismatch)
    #expect(try StoreMigrator.rollback(store, force: true).replaced == nil)
    #expect(try Journey.content(store) == before)
    #expect(TemporaryFolder.bytes(of: backup + ".replaced-wal") == [9, 9])
  }

  @Test func `a folder in the store's place stays`() throws {
    try FileSystem.remove(store)
    try FileSystem.createFolder(store)
    let error = #expect(throws: MigrationError.self) {
      try StoreMigrator.rollback(store, force: true)
    }
    #expect(error?.code == .cannotCreate)
    #expect(try FileSystem.status(store)?.kind == .folder)
    #expect(try Journey.content(backup) == before)
  }

  // M3
  @Test func `a backup that is a link is not followed`() throws {
    let victim = folder.path + "/victim.sqlite"
    try FileSystem.rename(backup, to: victim)
    let bytes = TemporaryFolder.bytes(of: victim)
    #expect(symlink(victim, backup) == 0)
    for force in [false, true] {
      let error = #expect(throws: StoreAccessError.self) {
        try StoreMigrator.rollback(store, force: force)
      }
      #expect(error?.message.contains("symbolic link") == true)
    }
    #expect(try Journey.content(store) == after)
    #expect(TemporaryFolder.bytes(of: victim) == bytes)
    #expect(try FileSystem.resolved(backup) == FileSystem.resolved(victim))
  }

  // M3
  @Test func `a backup is checked before anything is changed for it`() throws {
    let bytes = try #require(TemporaryFolder.bytes(of: backup))
    var other = bytes
    other[27] &+= 1
    // Another store, by its count of transactions.
    try TemporaryFolder.write(other, to: backup)
    #expect(refusal()?.code == .mismatch)
    // No store, or one that is cut off: not even by force.
    for damaged in [[], Array("no database".utf8), Array(bytes.dropLast(4096))] {
      try TemporaryFolder.write(damaged, to: backup)
      for force in [false, true] {
        #expect(throws: (any Error).self) { try StoreMigrator.rollback(store, force: force) }
        #expect(try Journey.content(store) == after)
        #expect(TemporaryFolder.bytes(of: backup) == damaged)
      }
    }
    // What somebody's connection left beside it is not lost.
    try TemporaryFolder.write(bytes, to: backup)
    try TemporaryFolder.write([1], to: backup + "-wal")
    #expect(refusal()?.code == .mismatch)
    try FileSystem.remove(backup + "-wal")
    // The right one, put back by hand, has another time: it is taken by force.
    #expect(refusal()?.code == .mismatch)
    try StoreMigrator.rollback(store, force: true)
    #expect(try Journey.content(store) == before)
  }

  // M3
  @Test func `damage inside a backup is found`() throws {
    var bytes = try #require(TemporaryFolder.bytes(of: backup))
    // The pages of tables and indexes, behind those of the schema.
    for index in bytes.indices.dropFirst(bytes.count / 2) { bytes[index] = 0xa5 }
    try TemporaryFolder.write(bytes, to: backup)
    let error = #expect(throws: StoreAccessError.self) {
      try StoreMigrator.rollback(store, force: true)
    }
    #expect(error?.code == .damaged)
    #expect(try Journey.content(store) == after)
  }
}
