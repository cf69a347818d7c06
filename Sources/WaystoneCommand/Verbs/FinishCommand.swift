internal import ArgumentParser
internal import MigrationReporting
internal import StoreAccess
internal import Waystone

/// The command `waystone finish`.
struct FinishCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Remove what a deferred migration left in a store.",
    discussion: """
      Columns, tables and indexes that `waystone migrate --defer-cleanup`, or Core Data itself, left \
      behind go, and with them the mark in the store's metadata. It is done on a copy that takes \
      the store's place by one rename once it is verified; the original is kept, and \
      `waystone rollback` puts it back. After a crash `waystone resume` goes on. The model is the \
      archived version that the store's hashes name; where there is none, the one that the store \
      carries. Where nothing is left to remove, nothing is done, and the status is 0. A column that \
      no migration is known to have left stays, and is named: Core Data does not say which it left.
      """
  )

  @Argument(help: "The store.")
  var store: String

  @Flag(help: "Throw an unfinished run away first.")
  var restart = false

  @OptionGroup var run: RunOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  var takesPolicies: Bool { true }

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.projectIfAny()
    let path = session.console.resolved(store)
    guard let plan = try StorePlan(finishing: path, shownAs: store, in: project.archive) else {
      try session.print(NothingToFinishReport(store: store), as: format.format)
      return .success
    }
    var options = MigrationOptions()
    options.discardsUnfinishedRun = restart
    let migration = RunRequest(
      plan: plan.plan,
      names: project.names,
      session: session,
      format: format.format,
      display: run.display(session)
    )
    return try migration.perform(store: store, options: options) { try plan.run($0) }
  }
}
