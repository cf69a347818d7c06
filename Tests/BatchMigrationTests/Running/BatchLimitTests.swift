import BatchMigration
import Foundation
import MigrationTestSupport
import StoreMigration
import Testing

/// Limits of a batch's workers, with a program in the place of `waystone` that only says so.
@Suite struct BatchLimitTests {
  /// Answers each store at once, but never one whose name says that it hangs.
  private static let program = """
    #!/bin/sh
    read -r begin
    echo '{"ready":{}}'
    while read -r line; do
      case $line in *hang*)
        echo '{"identified":{"_0":{"model":"Notes","version":"v1"}}}'
        sleep 600 ;;
      esac
      sleep 0.02
      echo '{"ended":{"_0":{"outcome":{"state":"current","path":[],"started":0,"seconds":0.02},"losses":[]}}}'
    done
    """

  /// The path of that program.
  private func worker(in folder: ScratchFolder) throws -> String {
    let program = folder.path + "/worker"
    try TemporaryFolder.write(Array(Self.program.utf8), to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    return program
  }

  /// A store, the first of which hangs.
  private func found(_ number: Int) -> FoundStore {
    FoundStore(
      name: number == 0 ? "hang" : "quick\(number)",
      destination: "\(number).sqlite",
      place: .file("/old/\(number).sqlite"),
      bytes: Int64(1_000 - number),
      modified: nil,
      head: ""
    )
  }

  @Test func `a store that takes too long is ended while others go by`() throws {
    let folder = try ScratchFolder()
    let program = try worker(in: folder)
    let ledger = try BatchLedger(
      creating: folder.path + "/b.sqlite",
      BatchDescription(tool: "test", version: "v4", output: folder.path)
    )
    try ledger.add((0..<250).map(found))
    var limits = BatchLimits()
    limits.jobs = 2
    limits.timeout = 1
    var ended: [String] = []
    let run = try BatchRun(
      ledger,
      settings: BatchSettings(folder: folder.path),
      limits: limits,
      selection: LedgerSelection(order: .largestFirst),
      program: program,
      cancellation: Cancellation()
    ) { event in
      if case .ended(let name, _, let outcome) = event {
        ended.append(name)
        #expect((outcome.state == .timedOut) == (name == "hang"))
        // What a worker knew of a store outlives it, and is no other store's.
        #expect(outcome.version == (name == "hang" ? "v1" : nil))
      }
    }
    #expect(try run.run() == .completed)
    #expect(ended.count == 250)
    // The others take five seconds.
    #expect(try #require(ended.firstIndex(of: "hang")) < 200)
  }

  @Test(arguments: [false, true])
  func `a rollback that takes too much is to be repeated, and nothing is to be tried again`(
    _ isMemory: Bool
  ) throws {
    let folder = try ScratchFolder()
    let program = try worker(in: folder)
    let ledger = try BatchLedger(
      creating: folder.path + "/b.sqlite",
      BatchDescription(tool: "test", version: "v4", output: nil)
    )
    try ledger.add([found(0)])
    let hold = try ledger.hold(joining: false)
    try SampleLedger.end(ledger, hold, .migrated)
    try ledger.end(hold)
    var limits = BatchLimits()
    if isMemory { limits.memory = 500_000 } else { limits.timeout = 0.5 }
    let run = try BatchRun(
      ledger,
      settings: BatchSettings(folder: folder.path),
      limits: limits,
      selection: LedgerSelection(),
      program: program,
      cancellation: Cancellation()
    ) { _ in }
    let failures = try run.rollBack(LedgerSelection()).failures
    let failure = try #require(failures.first)
    let limit = isMemory ? "the limit is 0.5 MB." : "It took longer than 0.5 s."
    #expect(failure.message.hasSuffix(limit), "\(failure.message)")
    #expect(failure.recovery.hasSuffix(": repeat the command."), "\(failure.recovery)")
  }
}
