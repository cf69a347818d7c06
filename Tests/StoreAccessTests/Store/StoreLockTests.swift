import Files
import MigrationTestSupport
import StoreAccess
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct `Store locks` {
  /// The state of a store for another process, as its exit code.
  static func visit(_ path: String) -> Int32 {
    do throws(StoreAccessError) {
      let isHeld = try QuiescenceProbe.ask(path) != .free
      do throws(StoreAccessError) {
        _ = try StoreLock(path: path)
        return isHeld ? 11 : 10
      } catch {
        guard error.code == .inUse else { return 20 }
        return isHeld ? 13 : 12
      }
    } catch {
      return 21
    }
  }

  /// No process holds it: free for the probe and for the lock.
  static let free: Int32 = 10
  /// Both the probe and the lock see that it is held.
  static let held: Int32 = 13

  @Test func `another process sees nobody in a closed store and takes the lock`() async throws {
    let folder = try StoreFolder()
    try StoreSketch.makeLogged(folder.store)
    try StoreSketch.make(folder.other)
    for path in [folder.store, folder.other] {
      await #expect(processExitsWith: .exitCode(Self.free)) { [path = path as String] in
        exit(`Store locks`.visit(path))
      }
    }
  }

  @Test func `another process sees an app that has a WAL store open`() async throws {
    let folder = try StoreFolder()
    try StoreSketch.makeLogged(folder.store)
    let app = try AppDatabase(folder.store)
    _ = try app.integer("SELECT COUNT(*) FROM ZNOTE")
    await #expect(processExitsWith: .exitCode(Self.held)) { [path = folder.store as String] in
      exit(`Store locks`.visit(path))
    }
    #expect(try app.integer("SELECT COUNT(*) FROM ZNOTE") == 3)
  }

  @Test func `another process sees an app that is in a transaction of a journalled store`()
    async throws
  {
    let folder = try StoreFolder()
    try StoreSketch.make(folder.store)
    let app = try AppDatabase(folder.store)
    try app.execute("BEGIN IMMEDIATE")
    await #expect(processExitsWith: .exitCode(Self.held)) { [path = folder.store as String] in
      exit(`Store locks`.visit(path))
    }
  }

  @Test func `another process reads a store that is open as one more reader`() async throws {
    let folder = try StoreFolder()
    try StoreSketch.makeLogged(folder.store)
    let app = try AppDatabase(folder.store)
    try app.execute("DELETE FROM ZNOTE WHERE Z_PK > 1")
    let before = try FileSystem.status(folder.store)
    let log = try FileSystem.status(folder.store + "-wal")
    await #expect(processExitsWith: .exitCode(31)) { [path = folder.store as String] in
      let store = try PersistentStore(reading: path)
      let notes = try store.connection.integer("SELECT COUNT(*) FROM ZNOTE") ?? 0
      exit(store.access == .shared ? 30 + Int32(notes) : 29)
    }
    #expect(try FileSystem.status(folder.store) == before)
    #expect(try FileSystem.status(folder.store + "-wal") == log)
  }

  @Test func `another process that only reads does not wait for a long transaction`() async throws {
    let folder = try StoreFolder()
    try StoreSketch.make(folder.store)
    let app = try AppDatabase(folder.store)
    try app.execute("BEGIN EXCLUSIVE")
    await #expect(processExitsWith: .exitCode(40)) { [path = folder.store as String] in
      do throws(StoreAccessError) {
        _ = try PersistentStore(reading: path)
        exit(41)
      } catch {
        exit(error.code == .inUse ? 40 : 42)
      }
    }
  }

  @Test(arguments: [false, true])
  func `the lock keeps others out through copy and change of mode`(isLogged: Bool) async throws {
    let folder = try StoreFolder()
    let path = folder.store
    try isLogged ? StoreSketch.makeLogged(path) : StoreSketch.make(path)
    if isLogged { try TemporaryFolder.leaveLog(of: path) }
    let lock = try StoreLock(path: path)
    let identity = try lock.identity()
    await Self.expectHeld(path)
    try lock.foldWriteAheadLog()
    #expect(try lock.connection.integer("SELECT COUNT(*) FROM ZNOTE") == (isLogged ? 1 : 3))
    #expect(try (lock.identity() == identity) == !isLogged)
    try lock.copyFile(to: folder.other)
    await Self.expectHeld(path)
    try lock.leaveWriteAheadLogMode()
    await Self.expectHeld(path)
    let names = try FileSystem.names(inFolder: folder.path)
    #expect(names == ["Notes.sqlite", "other.sqlite"])
    let copy = try AppDatabase(folder.other)
    #expect(try copy.text("PRAGMA quick_check") == "ok")
    #expect(try copy.integer("SELECT COUNT(*) FROM ZNOTE") == (isLogged ? 1 : 3))
  }

  @Test func `after returning to WAL mode the lock leaves no log to remove`() async throws {
    let folder = try StoreFolder()
    try StoreSketch.makeLogged(folder.store)
    let lock = try StoreLock(path: folder.store)
    try lock.leaveWriteAheadLogMode()
    try lock.returnToWriteAheadLogMode()
    #expect(try !FileSystem.exists(folder.store + "-wal"))
    await Self.expectHeld(folder.store)
    #expect(try DatabaseHeader(path: folder.store).isWriteAheadLogged)
  }

  @Test func `the lock needs no shared memory`() throws {
    let folder = try StoreFolder()
    try StoreSketch.makeLogged(folder.store)
    let lock = try StoreLock(path: folder.store)
    try lock.connection.execute("DELETE FROM ZNOTE")
    #expect(try FileSystem.exists(folder.store + "-wal"))
    #expect(try !FileSystem.exists(folder.store + "-shm"))
  }

  @Test func `the lock goes with its owner`() async throws {
    let folder = try StoreFolder()
    let path = folder.store
    try StoreSketch.makeLogged(path)
    func hold() async throws {
      let lock = try StoreLock(path: path)
      await Self.expectHeld(lock.path)
    }
    try await hold()
    await #expect(processExitsWith: .exitCode(Self.free)) { [path = path as String] in
      exit(`Store locks`.visit(path))
    }
  }

  @Test func `after leaving WAL mode closing the lock spares a newer store's log`() throws {
    let folder = try StoreFolder()
    let path = folder.store
    try StoreSketch.makeLogged(path)
    try StoreSketch.makeLogged(folder.other, rows: 9)
    let newer: SQLiteConnection
    do {
      let lock = try StoreLock(path: path)
      try lock.leaveWriteAheadLogMode()
      try FileSystem.rename(folder.other, to: path)
      newer = try SQLiteConnection(path: path, access: .readWrite)
      try newer.execute("DELETE FROM ZNOTE WHERE Z_PK = 1")
      #expect(try FileSystem.exists(path + "-wal"))
    }
    #expect(try FileSystem.exists(path + "-wal"))
    #expect(try newer.integer("SELECT COUNT(*) FROM ZNOTE") == 8)
  }

  @Test func `nothing is copied while the log holds anything or a transaction is open`() throws {
    let folder = try StoreFolder()
    try StoreSketch.makeLogged(folder.store)
    let lock = try StoreLock(path: folder.store)
    try lock.connection.execute("DELETE FROM ZNOTE")
    let logged = #expect(throws: StoreAccessError.self) { try lock.copyFile(to: folder.other) }
    #expect(logged?.code == .unsupported)
    try lock.foldWriteAheadLog()
    let stopped = #expect(throws: StoreAccessError.self) {
      try lock.copyFile(to: folder.other) { false }
    }
    // A file system that clones never asks.
    if let stopped { #expect(stopped.code == .interrupted) }
    #expect(try !FileSystem.exists(folder.other))
    try lock.connection.execute("BEGIN")
    #expect(throws: StoreAccessError.self) { try lock.copyFile(to: folder.other) }
  }

  static func expectHeld(_ path: String) async {
    await #expect(processExitsWith: .exitCode(held)) { [path = path as String] in
      exit(`Store locks`.visit(path))
    }
  }
}

/// A temporary folder for tests that wait, which closures cannot hold.
final class StoreFolder {
  let path: String
  var store: String { path + "/Notes.sqlite" }
  var other: String { path + "/other.sqlite" }

  init() throws {
    path = "/tmp/waystone-test-\(UInt64.random(in: 0 ... .max))"
    try FileSystem.createFolder(path)
  }

  deinit {
    for name in (try? FileSystem.names(inFolder: path)) ?? [] {
      _ = try? FileSystem.remove("\(path)/\(name)")
    }
    try? FileSystem.removeFolder(path)
  }
}

extension TemporaryFolder {
  /// Deletes all notes but one in a way that leaves the change in the store's `-wal`.
  static func leaveLog(of path: String) throws {
    let connection = try AppDatabase(path)
    connection.keepsLog()
    try connection.execute("DELETE FROM ZNOTE WHERE Z_PK > 1")
  }
}
