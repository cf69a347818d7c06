internal import ArgumentParser
internal import BatchMigration

/// The verb `batch-worker`, which only `batch` starts.
struct BatchWorkerCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "batch-worker",
    abstract: "Do what a batch says on standard input.",
    shouldDisplay: false
  )

  @OptionGroup var common: CommonOptions

  func perform(in session: Session) throws -> CommandStatus {
    BatchWorker(session.registry).run()
    return .success
  }
}
