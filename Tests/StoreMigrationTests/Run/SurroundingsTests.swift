import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

/// Runs where the folder, the file system or the user makes things hard.
@Suite struct SurroundingsTests {
  private static let nobody: uid_t = 65534

  /// The end of a run by another user than the superuser: 0, or a number for the error.
  static func run(
    _ store: String,
    output: String?,
    onEvent: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
  ) throws -> Int32 {
    let migrator = try Journey.migrator(output: output, onEvent: onEvent)
    guard seteuid(nobody) == 0 else { return 99 }
    do {
      _ = try migrator.migrate(store)
      return 0
    } catch let error as MigrationError {
      return error.code == .cannotCreate ? 73 : error.code == .inputOutput ? 74 : 1
    } catch let error as StoreAccessError {
      return error.code == .unreadable ? 66 : error.code == .cannotCreate ? 73 : 2
    }
  }

  @Test(.enabled(if: getuid() == 0, "needs to become another user"))
  func `what may not be written or read is refused and left alone`() async throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let before = try Journey.content(store)
    let bytes = TemporaryFolder.bytes(of: store)
    for (mode, folderMode, output, code) in [
      (0o644, 0o755, nil, 73), (0o644, 0o777, nil, 73), (0o666, 0o755, nil, 73),
      (0o600, 0o777, nil, 66), (0o644, 0o755, "/output.sqlite", 73),
      (0o600, 0o777, "/output.sqlite", 66), (0o644, 0o777, "/none/output.sqlite", 73),
    ] as [(UInt32, UInt32, String?, Int32)] {
      try FileSystem.setPermissions(mode, of: store)
      try FileSystem.setPermissions(folderMode, of: folder.path)
      let path = output.map { folder.path + $0 }
      await #expect(processExitsWith: .exitCode(code), "\(mode) in \(folderMode)") {
        [store = store as String, path = path as String?] in
        exit(try SurroundingsTests.run(store, output: path))
      }
      #expect(TemporaryFolder.bytes(of: store) == bytes)
      #expect(try FileSystem.names(inFolder: folder.path) == ["store.sqlite"])
    }
    #expect(try Journey.content(store) == before)
  }

  @Test(.enabled(if: getuid() == 0, "needs to become another user"))
  func `the owner of a store rolls back what the superuser did`() async throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let before = try Journey.content(store)
    for path in [folder.path, store] { chown(path, Self.nobody, Self.nobody) }
    let outcome = try Journey.migrator(output: nil).migrate(store)
    #expect(!outcome.notes.contains { $0.contains("roll back") }, "\(outcome.notes)")
    await #expect(processExitsWith: .exitCode(0)) { [store = store as String] in
      setegid(SurroundingsTests.nobody)
      seteuid(SurroundingsTests.nobody)
      try StoreMigrator.rollback(store)
      exit(0)
    }
    #expect(try Journey.content(store) == before)
    // The owner, who has the workspace now, gives a file of the superuser's a second name in it.
    let secret = folder.path + "/secret"
    try AtomicFile.write("", to: secret)
    let backup = try Folder(store + ".waystone/backup")
    try Folder(folder.path).link("secret", to: "1-2-store.sqlite", in: backup)
    _ = try Journey.migrator(output: nil).migrate(store)
    #expect(try FileSystem.status(secret)?.owner == 0)
    // In another's folder nothing is given away: the superuser would not take such a workspace again.
    let other = folder.path + "/other/store.sqlite"
    try FileSystem.createFolder(folder.path + "/other")
    try Journey.makeStore(other)
    chown(other, Self.nobody, Self.nobody)
    let kept = try Journey.migrator(output: nil).migrate(other)
    #expect(kept.notes.contains { $0.contains("who alone can roll back") }, "\(kept.notes)")
  }

  /// Whether the system refuses to link another user's file.
  private static let protectsLinks =
    TemporaryFolder.bytes(of: "/proc/sys/fs/protected_hardlinks")?.first == UInt8(ascii: "1")

  @Test(
    .enabled(if: getuid() == 0, "needs to become another user"),
    .enabled(
      if: SurroundingsTests.protectsLinks,
      "needs a system that refuses to link others' files"
    )
  )
  func `where links fail, the original is copied`() async throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let before = try Journey.content(store)
    try FileSystem.setPermissions(0o777, of: folder.path)
    try FileSystem.setPermissions(0o666, of: store)
    await #expect(processExitsWith: .exitCode(0)) { [store = store as String] in
      let code = try SurroundingsTests.run(store, output: nil) { event in
        guard event == .began(.swapping) else { return }
        // Linux lets nobody link another user's file that changes the user who runs it.
        seteuid(0)
        chmod(store, 0o4666)
        seteuid(SurroundingsTests.nobody)
      }
      exit(code)
    }
    let backups = try FileSystem.names(inFolder: store + ".waystone/backup")
    let backup = try #require(backups.first { !$0.hasSuffix(".ndjson") })
    let status = try FileSystem.status("\(store).waystone/backup/\(backup)")
    #expect(status?.owner == Self.nobody && status?.linkCount == 1)
    #expect(try Journey.content("\(store).waystone/backup/\(backup)") == before)
    #expect(try Journey.content(store).version == "v5")
    try StoreMigrator.rollback(store)
    #expect(try Journey.content(store) == before)
  }

  @Test func `a run begun by relative paths is resumed from elsewhere`() async throws {
    let folder = try ScratchFolder()
    try FileSystem.createFolder(folder.path + "/below")
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    for output in [nil, "below/output.sqlite"] as [String?] {
      await #expect(processExitsWith: .exitCode(0)) {
        [path = folder.path as String, output = output as String?] in
        guard chdir(path) == 0 else { exit(1) }
        try StoppedRun.stop("store.sqlite", output: output, at: .hop)
        guard chdir(path + "/below") == 0 else { exit(2) }
        let outcome = try Journey.migrator().resume(
          output == nil ? "../store.sqlite" : "output.sqlite"
        )
        exit(outcome.resumedAfter == 1 ? 0 : 3)
      }
      let result = output.map { "\(folder.path)/\($0)" } ?? store
      #expect(try Journey.content(result).version == "v5")
      if output == nil { try StoreMigrator.rollback(store) }
    }
  }

  @Test func `an output is not given a name by which SQLite knows a part of the store`() throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    for suffix in ["-wal", "-shm", "-journal"] {
      let error = #expect(throws: MigrationError.self) {
        _ = try Journey.migrator(output: store + suffix).migrate(store)
      }
      #expect(error?.code == .cannotCreate)
    }
    #expect(try FileSystem.names(inFolder: folder.path) == ["store.sqlite"])
  }
}
