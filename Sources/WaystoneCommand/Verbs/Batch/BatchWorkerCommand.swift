internal import ArgumentParser
internal import Waystone

/// `waystone batch-worker`, which `batch` starts and nobody else.
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
