import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

/// Logs and journals that hold what SQLite does not read, and deletes where it closes a store.
@Suite struct `Logs and journals that are not read` {
  /// A change to the files of a store with a log of two transactions.
  enum Damage: String, CaseIterable {
    case checksumOfTheHeader, saltOfTheHeader, magicOfTheHeader, checksumOfTheFirstFrame
    case checksumOfTheLastFrame

    var offsetFromStart: Int? {
      switch self {
      case .magicOfTheHeader: 0
      case .saltOfTheHeader: 16
      case .checksumOfTheHeader: 24
      case .checksumOfTheFirstFrame: 32 + 16
      case .checksumOfTheLastFrame: nil
      }
    }

    func apply(to log: inout [UInt8]) {
      let page = log[8..<12].reduce(0) { $0 << 8 | Int($1) }
      log[offsetFromStart ?? log.count - page - 8] ^= 1
    }
  }

  /// Makes a store with a log, as an app that was killed leaves them.
  private func makeStore(_ store: String, transactions: Int = 2) throws -> [UInt8] {
    let origin = store + ".origin"
    try Journey.makeStore(origin)
    let app = try SQLiteConnection(path: origin, access: .readWrite)
    try app.setJournalMode(.wal)
    try app.execute(script: "PRAGMA wal_autocheckpoint = 0")
    for _ in 0..<transactions {
      try app.execute(script: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
    }
    try FileSystem.copy(origin, toNewFile: store)
    let log = try #require(TemporaryFolder.bytes(of: origin + "-wal"))
    try TemporaryFolder.write(log, to: store + "-wal")
    return log
  }

  private func kept(_ store: String) throws -> [String] {
    let folder = "\(store).waystone/backup"
    guard try FileSystem.exists(folder) else { return [] }
    return try FileSystem.names(inFolder: folder).filter { $0.hasPrefix("unread-") }
      .map { "\(folder)/\($0)" }
  }

  @Test(arguments: Damage.allCases)
  func `are kept with the backup of a store that is replaced, and rolling back leaves them`(
    _ damage: Damage
  ) throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    var log = try makeStore(store)
    damage.apply(to: &log)
    try TemporaryFolder.write(log, to: store + "-wal")
    let outcome = try Journey.migrator().migrate(store)
    let copies = try kept(store)
    #expect(copies.map { TemporaryFolder.bytes(of: $0) } == [log])
    #expect(outcome.notes.contains { note in copies.contains { note.contains($0) } })
    _ = try StoreMigrator.rollback(store)
    #expect(try kept(store).map { TemporaryFolder.bytes(of: $0) } == [log])
  }

  @Test(arguments: Damage.allCases)
  func `stay beside a source that is not replaced, and the report says so`(
    _ damage: Damage
  ) throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    var log = try makeStore(store)
    damage.apply(to: &log)
    try TemporaryFolder.write(log, to: store + "-wal")
    let outcome = try Journey.migrator(output: folder.path + "/output.sqlite").migrate(store)
    #expect(outcome.notes.contains { $0.contains("\(store)-wal holds changes") })
    #expect(TemporaryFolder.bytes(of: store + "-wal") == log)
  }

  @Test func `a journal that begins with a zero is kept`() throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    do {
      let app = try SQLiteConnection(path: store, access: .readWrite)
      try app.setJournalMode(.delete)
    }
    let journal = [0] + [UInt8](repeating: 7, count: 2000)
    try TemporaryFolder.write(journal, to: store + "-journal")
    _ = try Journey.migrator().migrate(store)
    #expect(try kept(store).map { TemporaryFolder.bytes(of: $0) } == [journal])
  }

  @Test func `a log of which all is read is not kept, nor frames of an earlier log behind it`()
    throws
  {
    let folder = try ScratchFolder()
    let (long, store) = (folder.path + "/long.sqlite", folder.path + "/store.sqlite")
    let rest = try makeStore(long, transactions: 6)
    var log = try makeStore(store)
    log += rest[log.count...]
    try TemporaryFolder.write(log, to: store + "-wal")
    let outcome = try Journey.migrator().migrate(store)
    #expect(try kept(store) == [])
    #expect(!outcome.notes.contains { $0.contains("does not read") })
  }

  @Test func `a giant log of zeros is not copied`() throws {
    let folder = try ScratchFolder()
    for output in [folder.path + "/output.sqlite", nil] {
      let store = folder.path + "/\(output == nil ? 1 : 2).sqlite"
      try Journey.makeStore(store)
      try OpenFile(creating: store + "-wal").truncate(to: 3 << 30)
      let start = ContinuousClock.now
      _ = try Journey.migrator(output: output).migrate(store)
      #expect(ContinuousClock.now - start < .seconds(5))
      #expect(try kept(store) == [])
    }
  }

  @Test(arguments: [".waystone", "-wal", "-shm", "-journal", ".waystone/a.sqlite"])
  func `an output with a name of the source's own files is refused`(_ suffix: String) throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    try FileSystem.createFolder(folder.path + "/x")
    let before = try FileSystem.names(inFolder: folder.path)
    if suffix.contains("/") { try FileSystem.createFolder(store + ".waystone") }
    let error = #expect(throws: MigrationError.self) {
      _ = try Journey.migrator(output: store + suffix).migrate(store)
    }
    #expect(error?.code == .cannotCreate)
    if !suffix.contains("/") { #expect(try FileSystem.names(inFolder: folder.path) == before) }
  }
}
