import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// A working copy that is not what the journal describes, as where a run died that made it again.
@Suite struct RecopiedStoreTests {
  @Test(arguments: ["half", "nothing", "text", "another", "changed"])
  func `is made again from the store`(_ state: String) throws {
    try TemporaryFolder.with { folder in
      let (store, whole) = (folder + "/store.sqlite", folder + "/whole.sqlite")
      try Journey.makeStore(store)
      _ = try Journey.migrator(output: whole).migrate(store)
      try StoppedRun.stop(store, at: .copied)
      let copy = Workspace(destination: store).checkpoint(0)
      switch state {
      case "half":
        let size = try #require(try FileSystem.size(of: copy))
        let bytes = try OpenFile(reading: copy).read(count: Int(size) / 2, at: 0)
        try FileSystem.remove(copy)
        try Data(bytes).write(to: URL(filePath: copy))
      case "nothing":
        try FileSystem.remove(copy)
        try Data([]).write(to: URL(filePath: copy))
      case "text":
        try FileSystem.remove(copy)
        try Data(Array("no database".utf8)).write(to: URL(filePath: copy))
      case "another":
        try FileSystem.remove(copy)
        try Journey.makeStore(copy, rows: 12, seed: 9)
      default: try AppDatabase(copy).execute("DELETE FROM ZTOPIC")
      }
      let outcome = try Journey.migrator().resume(store)
      #expect(outcome.verification.passed)
      #expect(try Journey.content(store) == Journey.content(whole))
    }
  }
}
