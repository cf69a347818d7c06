import Files
import MigrationTestSupport
import StoreMigration
import Testing

/// Runs whose last record says that the result is in its place, where it is no more.
@Suite struct ReplacedResultTests {
  private let folder: ScratchFolder
  private let store: String
  private let original: [UInt8]

  init() throws {
    folder = try ScratchFolder()
    store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    let backup = try #require(try Journey.migrator().migrate(store).backup)
    original = try #require(TemporaryFolder.bytes(of: backup))
    // As after a kill between the record that the result is in its place and that of the end.
    let journal = store + ".waystone/journal.ndjson"
    let bytes = try #require(TemporaryFolder.bytes(of: journal))
    let lines = bytes.split(separator: 0x0a)
    let last = try #require(lines.last)
    try #require(String(decoding: last, as: UTF8.self).contains("finished"))
    try TemporaryFolder.write(
      Array(lines.dropLast().joined(separator: [0x0a])) + [0x0a],
      to: journal
    )
  }

  private func expectRefusal() throws {
    let migrator = try Journey.migrator()
    let error = #expect(throws: MigrationError.self) { _ = try migrator.resume(store) }
    #expect(error?.code == .mismatch)
    #expect(
      error?.message.contains("no longer at \(store)") == true,
      "\(String(describing: error))"
    )
    let backups = TemporaryFolder.names(in: store + ".waystone/backup")
    let backup = try #require(backups.first)
    #expect(error?.message.contains(backup) == true)
    #expect(TemporaryFolder.bytes(of: "\(store).waystone/backup/\(backup)") == original)
  }

  @Test func `that is there ends the run`() throws {
    let outcome = try Journey.migrator().resume(store)
    #expect(outcome.store == store)
  }

  @Test func `that was deleted is not taken for one that is there`() throws {
    try FileSystem.remove(store)
    try expectRefusal()
  }

  @Test func `that the original replaces is refused, and migrated anew by a restart`() throws {
    try FileSystem.remove(store)
    try TemporaryFolder.write(original, to: store)
    try expectRefusal()
    let outcome = try Journey.migrator(restart: true).migrate(store)
    #expect(outcome.hops == Journey.hops)
  }
}
