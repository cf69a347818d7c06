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

/// Runs that died when their result had its place, and before they could say so.
@Suite struct PlacedResultTests {
  @Test func `a result that cannot be read now is not taken for none`() async throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let output = folder.path + "/output.sqlite"
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [store = store as String, output = output as String] in
      let migrator = try Journey.migrator(output: output) {
        if $0 == .passed(.resultPlaced) { KillPoint.die() }
      }
      _ = try migrator.migrate(store)
    }
    // As on a file system that makes up numbers of files anew: it is known by its contents only.
    let moved = folder.path + "/moved.sqlite"
    try FileSystem.rename(output, to: moved)
    try FileSystem.copy(moved, toNewFile: output)
    try FileSystem.remove(moved)
    do {
      let app = try AppDatabase(output)
      try app.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
      let error = #expect(throws: StoreAccessError.self) { try Journey.migrator().resume(output) }
      #expect(error?.code == .inUse)
    }
    _ = try Journey.migrator().resume(output)
    #expect(try Journey.content(output).version == "v5")
  }
}
