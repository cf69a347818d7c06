import Files

extension StoreMigrator {
  /// Returns whether the result of a run may have taken its place at a destination.
  package static func mayBePlaced(at destination: String) throws -> Bool {
    let workspace = try Workspace(destination: FileSystem.canonical(destination))
    let journal = try CheckpointJournal(path: workspace.journal)
    return journal.records.contains { $0.event == .swapping || $0.event == .swapped }
  }

  /// Removes the files of a run to an output that was killed before its result was put into place.
  ///
  /// A run whose result may be in its place is kept, for `resume`; so is one that is not the caller's.
  ///
  /// - Parameter isOurs: Whether the caller began a run.
  /// - Returns: Whether nothing of a run is left.
  /// - Throws: ``MigrationError``, `inUse` where the run lives.
  @discardableResult
  package static func discardRun(
    at output: String,
    where isOurs: (RunDescription) -> Bool
  ) throws -> Bool {
    let workspace = try Workspace(destination: FileSystem.canonical(output))
    guard let held = try WorkspaceFolder.existing(workspace) else { return true }
    return try held.whileHeld { files in
      defer { files.removeIfIdle() }
      let journal = try CheckpointJournal(Workspace.journalName, in: files.folder)
      guard !journal.isFinished else { return true }
      guard journal.run.map({ $0.output != nil && isOurs($0) }) ?? true,
        !journal.records.contains(where: { $0.event == .swapping || $0.event == .swapped })
      else { return false }
      if try files.folder.status(of: Workspace.journalName) != nil { try files.removeJournal() }
      try files.removeCheckpoints()
      try files.removePrivateCopies()
      return true
    }
  }
}
