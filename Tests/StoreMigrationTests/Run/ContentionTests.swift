import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

@Suite struct ContentionTests {
  /// The end of a run with another process in its way: 6 for `inUse`.
  static func run(_ store: String, output: String?) -> Int32 {
    do {
      _ = try Journey.migrator(output: output).migrate(store)
      return 0
    } catch let error as MigrationError {
      return error.code == .inUse ? 6 : 1
    } catch let error as StoreAccessError {
      return error.code == .inUse ? 7 : 2
    } catch {
      return 3
    }
  }

  /// Expects that a run in another process is refused, and leaves everything as it is.
  private func expectInUse(_ store: String, in folder: ScratchFolder) async throws {
    let files = ["", "-wal", "-journal"].map { store + $0 }
    // Not by their bytes: closing a file drops all locks that this process has on it.
    let before = try files.map { try FileSystem.status($0) }
    let names = try FileSystem.names(inFolder: folder.path)
    for output in [nil, folder.path + "/output.sqlite"] as [String?] {
      await #expect(processExitsWith: .exitCode(6), "to \(output ?? "the store itself")") {
        [store = store as String, output = output as String?] in
        exit(ContentionTests.run(store, output: output))
      }
    }
    #expect(try files.map { try FileSystem.status($0) } == before)
    #expect(try FileSystem.names(inFolder: folder.path) == names)
  }

  @Test func `a store that an app has open in WAL mode is left alone`() async throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let app = try AppDatabase(store)
    try app.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_SUPER = 0")
    try await expectInUse(store, in: folder)
    #expect(try app.text("PRAGMA quick_check") == "ok")
  }

  @Test(arguments: ["IMMEDIATE", "EXCLUSIVE"])
  func `a store in an app's transaction is left alone`(_ kind: String) async throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let app = try AppDatabase(store)
    try app.execute("PRAGMA journal_mode = DELETE")
    try app.execute("BEGIN \(kind)")
    try await expectInUse(store, in: folder)
    try app.execute("ROLLBACK")
  }

  @Test func `a store that another run holds is left alone`() async throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let lock = try StoreLock(path: store)
    try await expectInUse(store, in: folder)
    _ = try lock.status()
  }

  @Test func `a second run, resume or rollback at a destination waits its turn`() throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let codes = KillPoint.EventLog()
    let migrator = try Journey.migrator { event in
      guard case .recorded(let record) = event, record.event == .copied else { return }
      for deed in [
        { _ = try Journey.migrator(restart: true).migrate(store) },
        { _ = try Journey.migrator().resume(store) },
        { _ = try StoreMigrator.rollback(store) },
      ] as [() throws -> Void] {
        do { try deed() } catch {
          codes.append(.noted((error as? MigrationError)?.code.rawValue ?? "\(error)"))
        }
      }
    }
    #expect(try migrator.migrate(store).hops == Journey.hops)
    #expect(codes.events == [.noted("inUse"), .noted("inUse"), .noted("inUse")])
    #expect(try Journey.content(store).version == "v5")
  }

  @Test(arguments: [false, true])
  func `of many runs at once one succeeds, and the others say why not`(isInPlace: Bool) async throws
  {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let before = try Journey.content(store)
    let output = isInPlace ? nil : folder.path + "/output.sqlite"
    await withTaskGroup { group in
      for _ in 0..<6 {
        group.addTask {
          await #expect(processExitsWith: .exitCode(0)) {
            [store = store as String, output = output as String?] in
            do {
              _ = try Journey.migrator(output: output).migrate(store)
              try OpenFile(appending: store + ".done").write([1])
            } catch let error as MigrationError {
              // Too early, or too late.
              #expect(
                [.inUse, .mismatch, .cannotCreate, .nothingToDo].contains(error.code),
                "\(error)"
              )
            }
            exit(0)
          }
        }
      }
    }
    #expect(try FileSystem.size(of: store + ".done") == 1)
    #expect(try Journey.content(output ?? store).version == "v5")
    if !isInPlace { #expect(try Journey.content(store) == before) }
    #expect(try FileSystem.exists((output ?? store) + ".waystone") == isInPlace)
  }

  @Test func `a run that ends and takes its folder away is in the way of another`() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/store.sqlite.waystone"
    try FileSystem.createFolder(path)
    let held = try Folder(path)
    try FileSystem.removeFolder(path)
    let error = #expect(throws: MigrationError.self) {
      _ = try Lease(held, destination: folder.path + "/store.sqlite")
    }
    #expect(error?.code == .inUse)
  }

  @Test func `the lease of a killed process is free at once`() async throws {
    let folder = try ScratchFolder()
    let destination = folder.path + "/store.sqlite"
    let workspace = Workspace(destination: destination)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [destination = destination as String] in
      try WorkspaceFolder.make(Workspace(destination: destination)).whileHeld { _ in
        KillPoint.die()
      }
    }
    #expect(TemporaryFolder.bytes(of: workspace.lease)?.isEmpty == false)
    try WorkspaceFolder.make(workspace).whileHeld { _ in
      let error = #expect(throws: MigrationError.self) { _ = try WorkspaceFolder.make(workspace) }
      #expect(error?.code == .inUse)
      #expect(error?.message.contains("process \(getpid())") == true)
      // A run that ends removes its lease; a later one makes its own.
      _ = try? FileSystem.remove(workspace.lease)
      #expect(throws: Never.self) { _ = try WorkspaceFolder.make(workspace) }
    }
  }
}
