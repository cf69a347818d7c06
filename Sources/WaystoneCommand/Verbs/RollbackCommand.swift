internal import ArgumentParser
internal import Files
internal import MigrationReporting
internal import StoreAccess
internal import Waystone

/// The command `waystone rollback`.
struct RollbackCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Put back the original that a migration replaced.",
    discussion: """
      The backup is checked first. The store that it replaces is kept beside the backup, so that \
      nothing is lost. Where that store was written to since, is gone or cannot be opened, the answer \
      is no (status 1) unless --force is given. A rollback that was interrupted is ended by repeating \
      it.

      The files of large values are not backed up. If the app has removed some since, the original lacks \
      them; the report says so if the original contains its model.

      Without --to it undoes the last migration. --list shows all migrations of the store; --to RUN \
      goes back to the state before one of them.
      """
  )

  @Argument(help: "The store that was migrated in place.")
  var store: String

  @Flag(help: "Show the migrations of the store and their backups; change nothing.")
  var list = false

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "Go back to the state before this run, by its name or how that begins.",
      valueName: "run"
    )
  )
  var run: String?

  @Flag(help: "Do it although the store or the backup changed since, or the store is gone.")
  var force = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    if list, run != nil || force {
      throw ValidationError("--list goes with neither --to nor --force.")
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    let console = session.console
    let path = console.resolved(store)
    try session.checkIsThere(path, shownAs: store)
    do {
      if list {
        let runs = try StoreMigrator.runs(of: path)
        try session.print(
          RunListReport(store: store, list: runs, shortened: { console.shortened($0) }),
          as: format.format
        )
        return .success
      }
      let outcome = try StoreMigrator.rollback(path, to: run, force: force)
      try session.print(
        RollbackReport(
          store: store,
          outcome: outcome,
          replaced: outcome.replaced.map(console.shortened),
          findings: missingFiles(of: path)
        ),
        as: format.format,
        afterDoing: "\(store) is the original again."
          + (outcome.replaced.map {
            " What stood there is kept: \(console.shortened($0))."
          } ?? "")
      )
      return .success
    } catch let error as MigrationError where [.mismatch, .nothingToDo].contains(error.code) {
      throw WaystoneError(.refused, error.message, recovery: error.recovery)
    }
  }

  /// Returns findings on external files that the original lacks by now, as far as it carries its model.
  ///
  /// Its large values are in files that it shares with the replaced store, and an app may have removed
  /// them since.
  private func missingFiles(of path: String) -> [Finding] {
    let found = try? StoreInspection(of: store, at: path, versions: [], rows: .never)
    return found?.findings.filter { $0.code == .externalDataMissing } ?? []
  }
}

extension Session {
  /// Throws if a path has neither a store nor a run's files beside one.
  func checkIsThere(_ path: String, shownAs store: String) throws {
    guard try FileSystem.status(path) == nil,
      try FileSystem.status(Workspace(destination: path).folder) == nil
    else { return }
    throw WaystoneError(
      .missingFile,
      "There is no store at \(store).",
      recovery: "Name the store that was migrated in place, or the output of a run."
    )
  }
}
