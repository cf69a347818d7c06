import Files
import StoreAccess

extension StoreMigrator {
  /// Restores an original that a finished run replaced.
  ///
  /// The replaced store is kept beside the backup, under the backup's name with `.replaced`, so that no
  /// change since then is lost. The next rollback completes one that died.
  ///
  /// - Parameters:
  ///   - store: The store that was migrated in place.
  ///   - run: The run before which the store shall be again, by its name or the beginning of it;
  ///     nil for the last one.
  ///   - force: Whether to do it although the store, or the backup, changed since, or the store is
  ///     missing or cannot be opened.
  ///   - onEvent: Called with the events of the rollback.
  /// - Throws: ``MigrationError``: `nothingToDo` where there is no such run or no backup, `mismatch`
  ///   where store or backup changed since, `inUse` where another process has the store open,
  ///   `unfinishedRun` where a later run blocks it; `StoreAccessError` where the backup is no sound
  ///   store.
  /// - Complexity: One reading of the backup.
  @discardableResult
  package static func rollback(
    _ store: String,
    to run: String? = nil,
    force: Bool = false,
    onEvent: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
  ) throws -> RollbackOutcome {
    try withWorkspace(of: store, for: "the rollback of") { files in
      guard let files else { throw nothingToRollBack(store) }
      let history = try RunHistory(files)
      guard var journal = history.journal else { throw nothingToRollBack(store) }
      guard journal.isFinished || journal.unfinishedRollback != nil else {
        throw unfinishedRun(store)
      }
      guard let backups = try files.existingBackups() else { throw nothingToRollBack(store) }
      let target = try target(run, in: history, store)
      if history.isPutAway { journal = try bringBack(journal, files, backups) }
      try WorkspaceFolder.checkOwner(of: backups, in: files.folder)
      var rollback = Rollback(
        store: store,
        files: files,
        backups: backups,
        run: target,
        journal: journal,
        isForced: force,
        onEvent: onEvent
      )
      return try rollback.perform()
    }
  }

  /// Returns the runs of a store that can be rolled back, oldest first.
  ///
  /// - Throws: ``MigrationError``; `inUse` where a run works on the store.
  package static func runs(of store: String) throws -> RunList {
    try withWorkspace(of: store, for: "the list of runs of") { files in
      guard let files else { return RunList() }
      let history = try RunHistory(files)
      let backups = try files.existingBackups()
      return RunList(
        runs: try history.runs.map { run in
          let name = files.workspace.backupName(run: run.description.run)
          let status = try backups?.status(of: name)
          return FinishedRun(
            description: run.description,
            isApplied: run.isApplied,
            backup: files.workspace.backup(run: run.description.run),
            backupSize: status?.kind == .file ? status?.size : nil
          )
        },
        unfinishedRollback: history.journal?.unfinishedRollback?.run,
        unreadable: history.unreadable
      )
    }
  }

  /// Runs a body with the workspace of a store, which is nil where there is none.
  ///
  /// - Parameter deed: The action, as errors name it: "the rollback of".
  static func withWorkspace<Value>(
    of store: String,
    for deed: String,
    _ body: (WorkspaceFolder?) throws -> Value
  ) throws -> Value {
    do {
      let workspace = try Workspace(destination: FileSystem.canonical(store))
      guard let files = try WorkspaceFolder.existing(workspace) else { return try body(nil) }
      return try files.whileHeld { files in
        defer { files.removeIfIdle() }
        return try body(files)
      }
    } catch let error as StoreAccessError where error.code != .inUse { throw error } catch {
      throw MigrationError(error, during: "\(deed) \(store)")
    }
  }

  /// Returns the run whose original is wanted.
  private static func target(
    _ name: String?,
    in history: RunHistory,
    _ store: String
  ) throws(MigrationError) -> RunDescription {
    if let begun = history.journal?.unfinishedRollback {
      let run = history.run(named: begun.run)
      guard let run, name.map({ run.description.run.hasPrefix($0) }) ?? true else {
        throw MigrationError(
          .unfinishedRun,
          "A rollback of \(store) to before run \(begun.run) was interrupted.",
          recovery: "Repeat that one first.",
          isResumable: true
        )
      }
      return run.description
    }
    if let name {
      if let run = history.run(named: name) { return run.description }
      let meant = history.runs.filter { $0.description.run.hasPrefix(name) }
      if meant.count > 1 {
        throw MigrationError(
          .nothingToDo,
          "\(meant.count) finished runs of \(store) have names that begin with \(name).",
          recovery: "Give more of the name: see rollback --list."
        )
      }
      throw MigrationError(
        .nothingToDo,
        "No finished run of \(store) is named \(name).",
        recovery: "See rollback --list for their names."
      )
    }
    guard let last = history.runs.last else { throw nothingToRollBack(store) }
    guard last.isApplied else {
      throw MigrationError(
        .nothingToDo,
        "The last run of \(store), \(last.description.run), is rolled back already.",
        recovery: "To go back further, see rollback --list and rollback --to RUN."
      )
    }
    return last.description
  }

  /// Restores the journal of the last finished run: a later run put it away, and left nothing.
  private static func bringBack(
    _ journal: CheckpointJournal,
    _ files: WorkspaceFolder,
    _ backups: Folder
  ) throws -> CheckpointJournal {
    // An empty or torn journal has no record, and may occupy the path.
    try backups.rename(
      FileSystem.name(of: journal.path),
      to: Workspace.journalName,
      in: files.folder
    )
    try files.folder.synchronize()
    try backups.synchronize()
    return try CheckpointJournal(Workspace.journalName, in: files.folder)
  }

  private static func unfinishedRun(_ store: String) -> MigrationError {
    MigrationError(
      .unfinishedRun,
      "An unfinished run stands at \(store).",
      recovery: "Go on with it by resume, or throw it away with migrate --restart.",
      isResumable: true
    )
  }

  static func nothingToRollBack(_ store: String) -> MigrationError {
    MigrationError(
      .nothingToDo,
      "There is no finished run with a backup at \(store).",
      recovery:
        "Only a store that was migrated in place can be rolled back, and only as long as its "
        + "backup is there: `waystone clean --yes` removes backups."
    )
  }

  static func backupIsGone(_ path: String) -> MigrationError {
    MigrationError(
      .nothingToDo,
      "The backup \(path) is not there any more.",
      recovery: "See rollback --list for the runs whose backups are."
    )
  }
}
