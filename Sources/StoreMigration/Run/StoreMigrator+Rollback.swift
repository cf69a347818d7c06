import StoreAccess

extension StoreMigrator {
  /// Puts the original back that a finished run replaced.
  ///
  /// The store that the run made is kept beside the backup, under the backup's name with
  /// `.replaced`, so that nothing written since is lost.
  ///
  /// - Parameters:
  ///   - store: The store that was migrated in place.
  ///   - force: Whether to do it although the store changed since.
  /// - Returns: The path under which the replaced store is kept.
  /// - Throws: ``MigrationError``: `nothingToDo` where no finished run or no backup is there,
  ///   `mismatch` where the store changed since, `inUse` where somebody has it open.
  @discardableResult
  public static func rollback(_ store: String, force: Bool = false) throws -> String {
    let destination = resolvedDestination(store)
    let workspace = Workspace(destination: destination)
    guard FileSystem.exists(workspace.folder) else { throw nothingToRollBack(store) }
    return try Lease(workspace).whileHeld {
      var journal = try CheckpointJournal(path: workspace.journal)
      guard let run = journal.run, run.output == nil, let last = journal.last,
        last.event == .finished
      else { throw nothingToRollBack(store) }
      let backup = workspace.backup(run: run.run)
      guard FileSystem.exists(backup) else { throw nothingToRollBack(store) }
      let replaced = backup + ".replaced"
      do {
        let lock = try StoreLock(path: destination)
        let now = try lock.identity()
        let then = last.identity.flatMap { StoreFileIdentity($0) }
        let isUnchanged =
          now.store == then?.store && now.changeCounter == then?.changeCounter
          && now.writeAheadLog?.size ?? 0 == 0
        guard force || isUnchanged else {
          throw MigrationError(
            .mismatch,
            "\(store) changed since it was migrated.",
            recovery: "What was written since would be lost to the app: use --force to put the "
              + "original back all the same; the present store is then kept as \(replaced)."
          )
        }
        try lock.leaveWriteAheadLogMode()
        if !FileSystem.exists(replaced) {
          try FileSystem.link(destination, to: replaced)
          try FileSystem.synchronize(folder: workspace.backups)
        }
        try FileSystem.rename(backup, to: destination)
        try FileSystem.synchronize(folder: FileSystem.folder(of: destination))
        try FileSystem.synchronize(folder: workspace.backups)
      }
      if run.usesWriteAheadLog {
        let connection = try SQLiteConnection(path: destination, access: .readWrite)
        try connection.setJournalMode(.wal)
      }
      try journal.append(.rolledBack)
      return replaced
    }
  }

  private static func nothingToRollBack(_ store: String) -> MigrationError {
    MigrationError(
      .nothingToDo,
      "There is no finished run with a backup at \(store).",
      recovery: "Only a store that was migrated in place can be rolled back."
    )
  }
}
