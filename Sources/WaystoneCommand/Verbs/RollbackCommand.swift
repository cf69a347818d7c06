internal import ArgumentParser
internal import Files
internal import MigrationReporting
internal import StoreAccess
internal import StoreMigration

/// `waystone rollback`.
struct RollbackCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Put the original back that a migration replaced.",
    discussion: """
      The migrated store is kept beside the backup, so that nothing is lost. Where the store was \
      written to since, the answer is no (status 1) unless --force is given.
      """
  )

  @Argument(help: "The store that was migrated in place.")
  var store: String

  @Flag(help: "Do it although the store changed since.")
  var force = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let path = session.console.resolved(store)
    guard try FileSystem.exists(path) else {
      throw CommandError(
        .missingFile,
        "There is no store at \(store).",
        recovery: "Name the store that was migrated in place."
      )
    }
    do {
      let replaced = try StoreMigrator.rollback(path, force: force)
      try session.print(
        RollbackReport(store: store, replaced: session.console.shortened(replaced)),
        as: format.format
      )
      return .success
    } catch let error as MigrationError where [.mismatch, .nothingToDo].contains(error.code) {
      throw CommandError(.refused, error.message, recovery: error.recovery)
    }
  }
}
