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

@Suite struct KilledRunTests {
  @Test func `a store that is replaced survives a kill at every step`() async throws {
    let folder = try ScratchFolder()
    let original = folder.path + "/original.sqlite"
    try Journey.makeStore(original)
    try folder.leaveLog(of: original)
    let before = try Journey.content(original)
    let rehearsal = try folder.copy(original, as: "rehearsal.sqlite")
    let points = try KillPoint.points(output: nil, store: rehearsal)
    let after = try Journey.content(rehearsal)
    #expect(before.version == "v1" && after.version == "v5")

    var replaced = 0
    for (index, event) in points {
      let store = try folder.copy(original, as: "killed-\(index).sqlite")
      await #expect(processExitsWith: .signal(SIGKILL), "at \(event)") {
        [store = store as String, index = index as Int] in
        _ = try Journey.migrator(onEvent: KillPoint.killer(at: index)).migrate(store)
      }
      let content = try Journey.content(store)
      #expect(content == before || content == after, "at \(event)")
      if content == after { replaced += 1 }
      if case .recorded(let record) = event, record.event == .finished {
        let error = #expect(throws: MigrationError.self) { try Journey.migrator().resume(store) }
        #expect(error?.code == .nothingToDo)
      } else if try CheckpointJournal(path: store + ".waystone/journal.ndjson").run == nil {
        // It died before its first record: there is nothing to go on with.
        _ = try Journey.migrator().migrate(store)
      } else {
        let refusal = #expect(throws: MigrationError.self) { try Journey.migrator().migrate(store) }
        #expect(refusal?.code == .unfinishedRun)
        _ = try Journey.migrator().resume(store)
      }
      #expect(try Journey.content(store) == after, "resumed after \(event)")
      #expect(try FileSystem.exists(store + "-wal") == false)
      let backups = try FileSystem.names(inFolder: store + ".waystone/backup")
      #expect(backups.count == 1, "at \(event): \(backups)")
      for backup in backups {
        #expect(try Journey.content("\(store).waystone/backup/\(backup)") == before)
      }
      try StoreMigrator.rollback(store)
      #expect(try Journey.content(store) == before, "rolled back after \(event)")
      #expect(try Journey.isWriteAheadLogged(store))
    }
    // At the placing, its record, the removal of checkpoints and the end.
    #expect(replaced == 4)
    print("killed in place at \(points.count) steps of \(Journey.hops) hops")
  }

  @Test func `an output comes about although its run is killed at every step`() async throws {
    let folder = try ScratchFolder()
    let store = folder.path + "/store.sqlite"
    try Journey.makeStore(store)
    try folder.leaveLog(of: store)
    let files = try StoreFiles(store: store)
    try FileSystem.createFolder(files.support)
    try FileSystem.createFolder(files.externalData)
    let external = "/6BE9F0C8-2E1D-4C57-9E5B-7B1C0F6A2D11"
    try TemporaryFolder.write([1, 2, 3], to: files.externalData + external)
    let bytes = ["", "-wal"].map { TemporaryFolder.bytes(of: store + $0) }
    #expect(bytes[1]?.isEmpty == false)
    let points = try KillPoint.points(output: folder.path + "/whole.sqlite", store: store)
    let after = try Journey.content(folder.path + "/whole.sqlite")
    #expect(after.version == "v5")

    for (index, event) in points {
      let output = "\(folder.path)/output-\(index).sqlite"
      await #expect(processExitsWith: .signal(SIGKILL), "at \(event)") {
        [store = store as String, output = output as String, index = index as Int] in
        _ = try Journey.migrator(output: output, onEvent: KillPoint.killer(at: index))
          .migrate(store)
      }
      if try FileSystem.exists(output) {
        #expect(try Journey.content(output) == after, "at \(event)")
      }
      if try CheckpointJournal(path: output + ".waystone/journal.ndjson").run == nil {
        if try !FileSystem.exists(output) {
          _ = try Journey.migrator(output: output).migrate(store)
        }
      } else {
        _ = try Journey.migrator().resume(output)
      }
      #expect(try Journey.content(output) == after, "resumed after \(event)")
      #expect(try !FileSystem.exists(output + ".waystone"), "at \(event)")
      let copied = try StoreFiles(store: output).externalData + external
      #expect(TemporaryFolder.bytes(of: copied) == [1, 2, 3], "at \(event)")
      #expect(["", "-wal"].map { TemporaryFolder.bytes(of: store + $0) } == bytes, "at \(event)")
    }
    print("killed beside an output at \(points.count) steps of \(Journey.hops) hops")
  }
}
