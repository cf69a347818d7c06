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

/// Places where a result could not be put after all hops.
@Suite struct PlacePreflightTests {
  private let folder: ScratchFolder
  private let store: String
  private let before: Journey.Content

  init() throws {
    folder = try ScratchFolder()
    store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    before = try Journey.content(store)
  }

  /// Expects a refusal before anything is copied, which leaves all as it was.
  private func expectRefusal(_ message: String) throws {
    let status = try FileSystem.status(store)
    let told = KillPoint.EventLog()
    let error = #expect(throws: MigrationError.self) {
      _ = try Journey.migrator { told.append($0) }.migrate(store)
    }
    #expect(error?.code == .cannotCreate, "\(error?.message ?? "")")
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    #expect(told.events.isEmpty)
    #expect(try FileSystem.status(store) == status)
    #expect(try Journey.content(store) == before)
  }

  // M14
  @Test(
    .enabled(if: TemporaryDisk.isPossible, "needs to mount a file system"),
    arguments: ["", "/backup"]
  )
  func `a workspace on another file system is found before anything is copied`(
    _ name: String
  ) throws {
    let place = store + ".waystone"
    try FileSystem.createFolder(place)
    if !name.isEmpty { try FileSystem.createFolder(place + name) }
    let disk = try #require(try TemporaryDisk(at: place + name, megabytes: 12))
    defer { disk.unmount() }
    try FileSystem.setPermissions(0o700, of: place + name)
    try expectRefusal("does not lie on the file system")
  }

  // M14
  @Test(.enabled(if: TemporaryDisk.isPossible, "needs to mount a folder at another place"))
  func `so is a folder of the same file system that is mounted there`() throws {
    let (place, other) = (store + ".waystone", folder.path + "/other")
    try FileSystem.createFolder(place)
    try FileSystem.createFolder(other)
    let mount = try #require(try TemporaryDisk(binding: other, at: place))
    defer { mount.unmount() }
    try expectRefusal("does not lie on the file system")
    #expect(TemporaryFolder.names(in: other) == [])
  }

  /// The end of a run of a user who is not the superuser.
  static func run(_ store: String, output: String?) -> Int32 {
    do {
      // Before the models cannot be read any more.
      let migrator = try Journey.migrator(output: output)
      guard setgid(65534) == 0, setuid(65534) == 0 else { return 1 }
      _ = try migrator.migrate(store)
      return 0
    } catch let error as MigrationError {
      return error.code == .cannotCreate ? 73 : 2
    } catch {
      return 3
    }
  }

  // M18
  @Test(.enabled(if: getuid() == 0, "needs to become another user"))
  func `a store that its folder lets only its owner replace is left alone`() async throws {
    try FileSystem.setPermissions(0o1777, of: folder.path)
    try FileSystem.setPermissions(0o666, of: store)
    let names = TemporaryFolder.names(in: folder.path)
    await #expect(processExitsWith: .exitCode(73)) { [store = store as String] in
      exit(PlacePreflightTests.run(store, output: nil))
    }
    #expect(TemporaryFolder.names(in: folder.path) == names)
    #expect(try Journey.content(store) == before)
    #expect(try Journey.isWriteAheadLogged(store))
    // Without the bit, it can be.
    try FileSystem.setPermissions(0o777, of: folder.path)
    await #expect(processExitsWith: .exitCode(0)) { [store = store as String] in
      exit(PlacePreflightTests.run(store, output: nil))
    }
    #expect(try Journey.content(store).version == "v5")
  }

  // M18
  @Test(.enabled(if: getuid() == 0, "needs to become another user"))
  func `a folder that may not be written to is refused`() async throws {
    try FileSystem.setPermissions(0o666, of: store)
    try FileSystem.setPermissions(0o755, of: folder.path)
    await #expect(processExitsWith: .exitCode(73)) { [store = store as String] in
      exit(PlacePreflightTests.run(store, output: nil))
    }
    #expect(TemporaryFolder.names(in: folder.path) == ["store.sqlite"])
    // Where another user owns the folder that is there.
    try FileSystem.createFolder(store + ".waystone")
    #expect(chown(store + ".waystone", 1234, 1234) == 0)
    try expectRefusal("belongs to another user")
  }
}
