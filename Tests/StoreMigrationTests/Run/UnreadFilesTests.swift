import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import Synchronization
import Testing

@testable import StoreMigration

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Logs and journals that hold what SQLite does not read, and deletes where it closes a store.
@Suite struct `Logs and journals that are not read` {
  /// A change to the files of a store with a log of two transactions.
  enum Damage: String, CaseIterable {
    case checksumOfTheHeader, saltOfTheHeader, magicOfTheHeader, checksumOfTheFirstFrame
    case checksumOfTheLastFrame, saltOfTheLastFrame, endInTheLastFrame, endInTheHeaderOfTheLastFrame

    func apply(to log: inout [UInt8]) {
      let page = log[8..<12].reduce(0) { $0 << 8 | Int($1) }
      let last = log.count - page - 24
      switch self {
      case .magicOfTheHeader: log[0] ^= 1
      case .saltOfTheHeader: log[16] ^= 1
      case .checksumOfTheHeader: log[24] ^= 1
      case .checksumOfTheFirstFrame: log[32 + 16] ^= 1
      case .checksumOfTheLastFrame: log[last + 16] ^= 1
      case .saltOfTheLastFrame: log[last + 8] ^= 1
      case .endInTheLastFrame: log.removeLast(100)
      case .endInTheHeaderOfTheLastFrame: log.removeLast(page + 7)
      }
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

  /// Makes a store with the journal of a writer that died once pages had reached the file.
  private func makeHot(_ store: String, mode: String = "DELETE") throws -> [UInt8] {
    let origin = store + ".origin"
    try Journey.makeStore(origin)
    let app = try AppDatabase(origin)
    try app.execute("PRAGMA journal_mode = \(mode); PRAGMA cache_size = 1; BEGIN IMMEDIATE")
    try app.execute("UPDATE ZTOPIC SET ZCOLOR = 424242; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
    try app.execute("CREATE TABLE SPILL (A); INSERT INTO SPILL VALUES (zeroblob(100000))")
    try FileSystem.copy(origin, toNewFile: store)
    let journal = try #require(TemporaryFolder.bytes(of: origin + "-journal"))
    try TemporaryFolder.write(journal, to: store + "-journal")
    return journal
  }

  @Test(arguments: ["a page", "a checksum", "the end", "no"], [nil, "output.sqlite"])
  func `a journal of which SQLite undoes a part is kept and told`(
    damage: String,
    output: String?
  ) throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    var journal = try makeHot(store)
    // A header of one sector, and records of a number, a page and a checksum.
    #expect(journal[8..<12] != [0, 0, 0, 0])
    switch damage {
    case "a page": journal[512 + 4 + 4096 - 200] ^= 1
    case "a checksum": journal[512 + 4 + 4096] ^= 1
    case "the end": journal.removeSubrange((512 + 2000)...)
    default: break
    }
    try TemporaryFolder.write(journal, to: store + "-journal")
    let isDamaged = damage != "no"
    let told = Mutex<[String]>([])
    let migrator = try Journey.migrator(output: output.map { folder.path + "/" + $0 }) { event in
      if case .noted(let note) = event { told.withLock { $0.append(note) } }
    }
    // What is half undone may be damaged, and refused.
    let outcome = try? migrator.migrate(store)
    let isTold = told.withLock { $0.contains { $0.contains("SQLite does not undo all") } }
    #expect(isTold == isDamaged)
    if let outcome { #expect(outcome.notes.contains { $0.contains("undo all") } == isDamaged) }
    let copies = try kept(store).map { TemporaryFolder.bytes(of: $0) }
    let isCopied = copies == (isDamaged && output == nil ? [journal] : [])
    #expect(isCopied)
  }

  @Test(arguments: ["PERSIST", "TRUNCATE", "unwritten"])
  func `a journal that has nothing to undo is not told`(mode: String) throws {
    let folder = try ScratchFolder()
    for output in [folder.path + "/output.sqlite", nil] {
      let store = folder.path + "/\(mode)-\(output == nil ? 1 : 2).sqlite"
      try Journey.makeStore(store)
      if mode == "unwritten" {
        // The pages of a writer that died before it changed the store; the mark is written after them.
        try AppDatabase.run(store, "PRAGMA journal_mode = DELETE")
        let app = try AppDatabase(store)
        try app.execute("BEGIN IMMEDIATE; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
        let journal = try #require(TemporaryFolder.bytes(of: store + "-journal"))
        try app.execute("ROLLBACK")
        try #require(journal.prefix(12).allSatisfy { $0 == 0 } && journal.contains { $0 != 0 })
        try TemporaryFolder.write(journal, to: store + "-journal")
      } else {
        try AppDatabase.run(
          store,
          "PRAGMA journal_mode = \(mode); UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1"
        )
      }
      let journal = try #require(TemporaryFolder.bytes(of: store + "-journal"))
      #expect(journal.isEmpty == (mode == "TRUNCATE"))
      let outcome = try Journey.migrator(output: output).migrate(store)
      #expect(!outcome.notes.contains { $0.contains("SQLite") }, "\(outcome.notes)")
      #expect(try kept(store) == [])
    }
  }

  @Test func `frames of a transaction that was never ended are not told`() throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    let origin = store + ".origin"
    try Journey.makeStore(origin)
    let app = try AppDatabase(origin)
    try app.execute("PRAGMA wal_autocheckpoint = 0; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
    let ended = try #require(TemporaryFolder.bytes(of: origin + "-wal")).count
    try app.execute("PRAGMA cache_size = 1; BEGIN; CREATE TABLE SPILL (A)")
    try app.execute("INSERT INTO SPILL VALUES (zeroblob(100000))")
    let log = try #require(TemporaryFolder.bytes(of: origin + "-wal"))
    try #require(log.count > ended)
    try FileSystem.copy(origin, toNewFile: store)
    for bytes in [log, Array(log.prefix(32))] {
      try TemporaryFolder.write(bytes, to: store + "-wal")
      let output = folder.path + "/output-\(bytes.count).sqlite"
      let outcome = try Journey.migrator(output: output).migrate(store)
      #expect(!outcome.notes.contains { $0.contains("SQLite") }, "\(outcome.notes)")
    }
  }

  @Test func `are told by the run that kept them, and by no later one`() throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    var log = try makeStore(store)
    log[24] ^= 1
    try TemporaryFolder.write(log, to: store + "-wal")
    let told = Mutex<[String]>([])
    let migrator = try Journey.migrator { event in
      if case .noted(let note) = event { told.withLock { $0.append(note) } }
    }
    #expect(try migrator.migrate(store).notes.count { $0.contains("does not read") } == 1)
    #expect(told.withLock { $0.count } == 1)
    _ = try StoreMigrator.rollback(store)
    #expect(try !migrator.migrate(store).notes.contains { $0.contains("does not read") })
    #expect(told.withLock { $0.count } == 1)
    #expect(try kept(store).count == 1)
  }

  @Test func `are told by the run that goes on where another died`() async throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    var log = try makeStore(store)
    log[24] ^= 1
    try TemporaryFolder.write(log, to: store + "-wal")
    await #expect(processExitsWith: .signal(SIGKILL)) { [store = store as String] in
      _ = try Journey.migrator { event in
        if case .recorded = event { KillPoint.die() }
      }.migrate(store)
    }
    #expect(try !FileSystem.exists(store + "-wal"))
    let outcome = try Journey.migrator().resume(store)
    #expect(outcome.notes.count { $0.contains("does not read") } == 1)
    #expect(try kept(store).map { TemporaryFolder.bytes(of: $0) } == [log])
  }

  @Test func `are copied as they are under the lock`() throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    var log = try makeStore(store)
    log[24] ^= 1
    var later = log
    later[100] ^= 1
    for change in [later, nil, log] {
      try TemporaryFolder.write(log, to: store + "-wal")
      try WorkspaceFolder.make(Workspace(destination: store)).whileHeld { files in
        var unread = try UnreadFiles(store, in: files)
        #expect(unread.names.count == 1)
        try unread.kept(onEvent: { _ in }) {
          // A writer between the look and the lock.
          if let change {
            try TemporaryFolder.write(change, to: store + "-wal")
          } else {
            try FileSystem.remove(store + "-wal")
          }
        }
        #expect(try kept(store).map { TemporaryFolder.bytes(of: $0) } == change.map { [$0] } ?? [])
        for copy in try kept(store) { try FileSystem.remove(copy) }
      }
    }
  }

  @Test func `are left where they are where the lock is refused`() throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    var log = try makeStore(store)
    log[24] ^= 1
    try TemporaryFolder.write(log, to: store + "-wal")
    struct Refusal: Error {}
    try WorkspaceFolder.make(Workspace(destination: store)).whileHeld { files in
      var unread = try UnreadFiles(store, in: files)
      var told = 0
      #expect(throws: Refusal.self) {
        try unread.kept(onEvent: { _ in told += 1 }) { throw Refusal() }
      }
      #expect(try told == 0 && kept(store) == [])
    }
    #expect(TemporaryFolder.bytes(of: store + "-wal") == log)
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
