internal import ArgumentParser
internal import BatchMigration
private import Foundation

/// The options that limit a batch's use of the machine.
struct BatchLimitOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Workers that run at once. (default: one a processor)", valueName: "n")
  )
  var jobs: Int?

  @Option(help: ArgumentHelp("Begin at most so many stores.", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Begin no more stores once so many failed, timed out or were damaged.",
      valueName: "n"
    )
  )
  var maxFailures: Int?

  @Option(
    help: ArgumentHelp("The time for one store, such as 90s, 5m or 1h.", valueName: "time")
  )
  var timeout: Seconds?

  @Option(
    help: ArgumentHelp(
      "The memory of one worker, such as 512MB; Linux alone tells how much one has.",
      valueName: "bytes"
    )
  )
  var memory: ByteCount?

  @Option(help: ArgumentHelp("The greatest file that a worker may write.", valueName: "bytes"))
  var fileSize: ByteCount?

  @Option(
    help: ArgumentHelp(
      "The room for stores that are taken out of archives at once. (default: 4GB)",
      valueName: "bytes"
    )
  )
  var temporary: ByteCount?

  @Option(
    help: ArgumentHelp(
      "How often to try a store that is in use, or cannot be read or written for the moment.",
      valueName: "n"
    )
  )
  var tries = 4

  mutating func validate() throws {
    for (name, value) in [("--jobs", jobs), ("--limit", limit), ("--max-failures", maxFailures)] {
      if let value, value < 1 { throw ValidationError("\(name) must be 1 or more.") }
    }
    guard tries > 0 else { throw ValidationError("--tries must be 1 or more.") }
  }

  /// The limits of a run.
  var limits: BatchLimits {
    var limits = BatchLimits()
    limits.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
    limits.timeout = timeout?.seconds
    limits.memory = memory?.bytes
    limits.temporary = temporary?.bytes
    limits.stores = limit
    limits.failures = maxFailures
    limits.tries = tries
    return limits
  }
}
