import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

@Suite struct FullDiskTests {
  /// Runs where no file may grow beyond a limit (`RLIMIT_FSIZE`), and reports how that ended.
  static func run(_ store: String, greatestFileSize: UInt64) throws -> Int32 {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(greatestFileSize), rlim_max: rlim_t(greatestFileSize))
    #if canImport(Darwin)
      setrlimit(RLIMIT_FSIZE, &limit)
    #else
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
    do {
      _ = try Journey.migrator().migrate(store)
      return 0
    } catch let error as MigrationError {
      guard error.code == .inputOutput, error.isOfLimit else { return 1 }
      return error.isResumable ? 74 : 73
    }
  }

  @Test func `a file that cannot grow stops a run, which goes on when it can`() async throws {
    let folder = try ScratchFolder()
    let original = folder.path + "/original.sqlite"
    try Journey.makeStore(original, rows: 200)
    let before = try Journey.content(original)
    let size = UInt64(try FileSystem.size(of: original) ?? 0)
    // Too small for the copy; for what the hops add to it.
    for limit in [size / 2, size + 8192] {
      let store = try folder.copy(original, as: "store-\(limit).sqlite")
      await #expect(processExitsWith: .exitCode(74), "\(limit) of \(size)") {
        [store = store as String, limit = limit as UInt64] in
        exit(try FullDiskTests.run(store, greatestFileSize: limit))
      }
      #expect(try Journey.content(store) == before)
      #expect(try Journey.migrator().resume(store).hops == Journey.hops)
      #expect(try Journey.content(store).version == "v5")
    }
  }

  @Test(.enabled(if: TemporaryDisk.isPossible, "needs to mount a file system"))
  func `a full disk stops a run, which goes on when there is room`() throws {
    let folder = try ScratchFolder()
    let disk = folder.path + "/disk"
    try FileSystem.createFolder(disk)
    let mount = try #require(try TemporaryDisk(at: disk, megabytes: 12))
    defer { mount.unmount() }
    let store = disk + "/store.sqlite"
    try Journey.makeStore(store, rows: 200)
    let before = try Journey.content(store)
    let ballast = disk + "/ballast"
    for event in [JournalRecord.Event.copied, .hop] {
      let error = #expect(throws: MigrationError.self, "\(event)") {
        let migrator = try Journey.migrator(restart: true) { told in
          guard case .recorded(let record) = told, record.event == event else { return }
          try? mount.fill(ballast)
        }
        _ = try migrator.migrate(store)
      }
      #expect(error?.code == .inputOutput, "\(event): \(error?.message ?? "")")
      #expect(error?.isResumable == true)
      #expect(try Journey.content(store) == before)
      // Still full.
      let again = #expect(throws: MigrationError.self) { try Journey.migrator().resume(store) }
      #expect(again?.code == .inputOutput, "\(again?.message ?? "")")
      #expect(try Journey.content(store) == before)
      try FileSystem.remove(ballast)
    }
    #expect(try Journey.migrator().resume(store).hops == Journey.hops)
    #expect(try Journey.content(store).version == "v5")
  }
}

/// A file system in memory, which only the superuser of Linux can mount.
struct TemporaryDisk: Sendable {
  private let folder: String

  /// Whether file systems can be mounted here, and folders at other places.
  static let isPossible: Bool = {
    guard let folder = try? ScratchFolder(),
      let disk = try? TemporaryDisk(at: folder.path, megabytes: 1)
    else { return false }
    disk.unmount()
    guard let other = try? ScratchFolder(),
      let mount = try? TemporaryDisk(binding: other.path, at: folder.path)
    else { return false }
    mount.unmount()
    return true
  }()

  init?(at folder: String, megabytes: Int) throws {
    guard getuid() == 0, try FileSystem.exists("/bin/mount"),
      try Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", folder])
    else { return nil }
    self.folder = folder
  }

  /// A folder that is seen at the place of another too.
  init?(binding other: String, at folder: String) throws {
    guard getuid() == 0, try FileSystem.status("/bin/mount") != nil,
      try Self.run("/bin/mount", ["--bind", other, folder])
    else { return nil }
    self.folder = folder
  }

  /// Writes a file until there is no room for another byte.
  func fill(_ path: String) throws {
    let file = try OpenFile(appending: path)
    var size = 1 << 20
    while size > 0 {
      do { try file.write([UInt8](repeating: 0, count: size)) } catch { size /= 2 }
    }
  }

  func unmount() { _ = try? Self.run("/bin/umount", ["-l", folder]) }

  private static func run(_ tool: String, _ arguments: [String]) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
