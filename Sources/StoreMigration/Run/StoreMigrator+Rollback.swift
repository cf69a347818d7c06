import Files
import StoreAccess

extension StoreMigrator {
  /// Puts the original back that a finished run replaced.
  ///
  /// The store that the run made is kept beside the backup, under the backup's name with
  /// `.replaced`, so that nothing written since is lost. A rollback that dies can be done again.
  ///
  /// - Parameters:
  ///   - store: The store that was migrated in place.
  ///   - force: Whether to do it although the store changed since.
  /// - Returns: The path under which the replaced store is kept.
  /// - Throws: ``MigrationError``: `nothingToDo` where no finished run or no backup is there,
  ///   `mismatch` where the store changed since, `inUse` where somebody has it open,
  ///   `unfinishedRun` where a later run stands in the way.
  @discardableResult
  public static func rollback(_ store: String, force: Bool = false) throws -> String {
    let workspace = try Workspace(destination: FileSystem.canonical(store))
    guard try FileSystem.exists(workspace.folder) else { throw nothingToRollBack(store) }
    do {
      return try Lease(workspace).whileHeld {
        let journal = try finishedJournal(workspace, store)
        guard let run = journal.run, run.output == nil else { throw nothingToRollBack(store) }
        var rollback = Rollback(store: store, workspace: workspace, run: run, journal: journal)
        return try rollback.perform(force: force)
      }
    } catch {
      throw MigrationError(error, during: "the rollback of \(store)")
    }
  }

  /// The journal of the last run that was finished: present, or put away for one that was refused.
  private static func finishedJournal(
    _ workspace: Workspace,
    _ store: String
  ) throws -> CheckpointJournal {
    let journal = try CheckpointJournal(path: workspace.journal)
    if journal.last?.event == .finished { return journal }
    guard journal.run == nil, let path = try workspace.latestFinishedJournal() else {
      if journal.run == nil || journal.isFinished { throw nothingToRollBack(store) }
      throw MigrationError(
        .unfinishedRun,
        "An unfinished run stands at \(store).",
        recovery: "Go on with it by resume, or throw it away with migrate --restart.",
        isResumable: true
      )
    }
    let earlier = try CheckpointJournal(path: path)
    guard earlier.last?.event == .finished else { throw nothingToRollBack(store) }
    return earlier
  }

  static func nothingToRollBack(_ store: String) -> MigrationError {
    MigrationError(
      .nothingToDo,
      "There is no finished run with a backup at \(store).",
      recovery: "Only a store that was migrated in place can be rolled back."
    )
  }
}
