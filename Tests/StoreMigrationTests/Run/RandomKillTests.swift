import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

@Suite struct RandomKillTests {
  /// Runs or resumes, and dies after so many microseconds, or at the end.
  static func run(_ store: String, output: String?, dyingAfter delay: UInt32) throws {
    Thread.detachNewThread {
      usleep(delay)
      KillPoint.die()
    }
    let destination = output ?? store
    if try CheckpointJournal(path: destination + ".waystone/journal.ndjson").run != nil {
      _ = try Journey.migrator().resume(destination)
    } else if try output.map({ try !FileSystem.exists($0) }) ?? true {
      _ = try Journey.migrator(output: output).migrate(store)
    }
    KillPoint.die()
  }

  @Test(arguments: [false, true])
  func `runs that are killed at random times come to the same end`(isInPlace: Bool) async throws {
    let folder = try ScratchFolder()
    let original = folder.path + "/original.sqlite"
    try Journey.makeStore(original, rows: 1200, seed: 11)
    let before = try Journey.content(original)
    let rehearsal = try folder.copy(original, as: "rehearsal.sqlite")
    let clock = ContinuousClock()
    let duration = try clock.measure { _ = try Journey.migrator().migrate(rehearsal) }
    let longest = UInt32(duration / .microseconds(1))
    let after = try Journey.content(rehearsal)

    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    var kills = 0
    for run in 0..<2 {
      let store = try folder.copy(original, as: "killed-\(run).sqlite")
      let output = isInPlace ? nil : "\(folder.path)/output-\(run).sqlite"
      let destination = output ?? store
      for _ in 0..<5 {
        let delay = UInt32.random(in: 0...longest, using: &generator)
        await #expect(processExitsWith: .signal(SIGKILL), "seed \(seed)") {
          [store = store as String, output = output as String?, delay = delay as UInt32] in
          try RandomKillTests.run(store, output: output, dyingAfter: delay)
        }
        kills += 1
        let content = try Journey.content(store)
        #expect(content == before || isInPlace && content == after, "seed \(seed)")
        if content == after { break }
        if let output, try FileSystem.exists(output) {
          #expect(try Journey.content(output) == after, "seed \(seed)")
        }
      }
      if try CheckpointJournal(path: destination + ".waystone/journal.ndjson").run == nil {
        if try Journey.content(store) == before,
          try output.map({ try !FileSystem.exists($0) }) ?? true
        {
          _ = try Journey.migrator(output: output).migrate(store)
        }
      } else if (try? StoreMigrator.unfinishedRun(at: destination)) != nil {
        _ = try Journey.migrator().resume(destination)
      }
      #expect(try Journey.content(destination) == after, "seed \(seed)")
    }
    print("\(kills) kills at random times, seed \(seed)")
  }
}
