import Files
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

/// Runs of stores whose files are not what they mostly are.
@Suite struct `Odd files of stores` {
  @Test func `a store with other names is not replaced, and can be read`() throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    let other = folder.path + "/other.sqlite"
    try Journey.makeStore(store)
    let before = try Journey.content(store)
    try FileSystem.link(store, to: other)
    let migrator = try Journey.migrator()
    for run in [migrator.check, { _ = try migrator.migrate($0) }] {
      let error = #expect(throws: MigrationError.self) { try run(store) }
      #expect(error?.code == .refused)
      #expect(error?.message.contains("2 names (hard links)") == true)
    }
    _ = try Journey.migrator(output: folder.path + "/output.sqlite").migrate(store)
    #expect(try Journey.content(other) == before)
    // As the error advises.
    _ = try FileSystem.remove(store)
    try TemporaryFolder.write(#require(TemporaryFolder.bytes(of: other)), to: store)
    _ = try Journey.migrator().migrate(store)
    #expect(try Journey.content(store).version == "v5")
    #expect(try Journey.content(other) == before)
  }

  @Test func `a file in the place of the workspace is told before a run`() throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    try TemporaryFolder.write([1], to: store + ".waystone")
    let error = #expect(throws: MigrationError.self) { try Journey.migrator().check(store) }
    #expect(error?.code == .cannotCreate)
    #expect(TemporaryFolder.bytes(of: store + ".waystone") == [1])
  }

  @Test(arguments: [true, false], [(18, 200), (47, 9)])  // M15
  func `a format that SQLite does not know leaves no run behind`(
    isInPlace: Bool,
    change: (offset: Int, value: UInt8)
  ) throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    var bytes = try #require(TemporaryFolder.bytes(of: store))
    bytes[change.offset] = change.value
    try TemporaryFolder.write(bytes, to: store)
    let output = isInPlace ? nil : folder.path + "/output.sqlite"
    let error = #expect(throws: StoreAccessError.self) {
      _ = try Journey.migrator(output: output).migrate(store)
    }
    #expect(error?.code == .unsupported)
    #expect(TemporaryFolder.bytes(of: store) == bytes)
    #expect(try FileSystem.names(inFolder: folder.path) == ["store.sqlite"])
  }

  @Test(arguments: [true, false])  // F3
  func `an empty stray log does not stop a run`(isInPlace: Bool) throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    do {
      let app = try SQLiteConnection(path: store, access: .readWrite)
      try app.setJournalMode(.delete)
    }
    try TemporaryFolder.write([], to: store + "-wal")
    let output = isInPlace ? nil : folder.path + "/output.sqlite"
    let outcome = try Journey.migrator(output: output).migrate(store)
    #expect(outcome.hops > 0)
    #expect(try Journey.content(output ?? store).version == "v5")
  }

  @Test(arguments: [true, false])  // C1
  func `a run of a store whose journal names another file deletes nothing`(isInPlace: Bool) throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    let victim = folder.path + "/victim.txt"
    try Journey.makeStore(store)
    do {
      let app = try SQLiteConnection(path: store, access: .readWrite)
      try app.setJournalMode(.delete)
    }
    try TemporaryFolder.write([7, 8, 9], to: victim)
    let name = Array(victim.utf8)
    func number(_ value: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
    }
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    let pages = UInt32(try #require(TemporaryFolder.bytes(of: store)).count / 4096)
    var journal = magic + [0, 1, pages, 512, 4096].flatMap(number)
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    journal += number(262_145) + name + number(UInt32(name.count))
    journal += number(name.reduce(0) { $0 + UInt32($1) }) + magic
    try TemporaryFolder.write(journal, to: store + "-journal")
    let before = TemporaryFolder.bytes(of: store)
    let output = isInPlace ? nil : folder.path + "/output.sqlite"
    let error = #expect(throws: StoreAccessError.self) {
      _ = try Journey.migrator(output: output).migrate(store)
    }
    #expect(error?.code == .damaged)
    #expect(TemporaryFolder.bytes(of: victim) == [7, 8, 9])
    #expect(TemporaryFolder.bytes(of: store) == before)
    #expect(TemporaryFolder.bytes(of: store + "-journal") == journal)
  }
}
