import Files
import StoreAccess

extension Rollback {
  /// Returns the error that the present store is not put away without `force`.
  func refusal(_ present: Present) -> MigrationError {
    let kept = "use --force to put the original back all the same"
    switch present {
    case .nothing:
      return MigrationError(
        .mismatch,
        "There is no store at \(store) any more.",
        recovery: "If it was not moved on purpose, \(kept)."
      )
    case .unreadable:
      return MigrationError(
        .mismatch,
        "\(store) is no store that SQLite can open.",
        recovery: "Look at it, or \(kept); the present file is then kept beside the backup."
      )
    case .store:
      return MigrationError(
        .mismatch,
        "\(store) is not as the migration left it: it was written to, or replaced, since.",
        recovery:
          "The app would lose what was written since: \(kept); the present store is then kept "
          + "beside the backup."
      )
    }
  }
}

/// The check of a backup before anything is changed for it.
struct RollbackBackup {
  private let rollback: Rollback

  /// The check of a rollback's backup.
  init(_ rollback: Rollback) { self.rollback = rollback }

  /// Checks that the backup is a sound store, and the one that the run kept.
  ///
  /// - Parameter isForced: Whether a sound store may be another one.
  /// - Returns: Its identity.
  /// - Throws: ``MigrationError``: `nothingToDo` where it is missing, `mismatch` where it is another
  ///   store; `StoreAccessError` where it is no sound store.
  /// - Complexity: One reading of the file.
  func check(isForced: Bool) throws -> StoreFileIdentity {
    let path = rollback.backupPath
    guard let status = try rollback.backups.status(of: rollback.backupName) else {
      throw StoreMigrator.backupIsGone(path)
    }
    guard status.kind == .file else {
      throw StoreAccessError(
        FileError(notPlain: status.kind, wanted: "the plain file that the run kept", path: path)
      )
    }
    for suffix in StoreFiles.companionSuffixes {
      let name = rollback.backupName + suffix
      guard let there = try rollback.backups.status(of: name), there.kind != .file || there.size > 0
      else { continue }
      throw MigrationError(
        .mismatch,
        "\(rollback.backups.path(of: name)) lies beside the backup: somebody opened it.",
        recovery: "Close what has the backup open; then look at both files, and move that one away."
      )
    }
    let identity = try StoreFileIdentity(path: path)
    try checkIdentity(identity, isForced: isForced)
    let store = try PersistentStore(reading: path)
    guard try store.connection.faults().isEmpty else {
      throw StoreAccessError(
        code: .damaged,
        message: "The backup \(path) is damaged",
        recovery: "Choose an earlier one (rollback --list, rollback --to RUN)."
      )
    }
    return identity
  }

  /// Throws if the file is not the one that the run kept.
  ///
  /// A file with an inode of its own is recognized by its time, too; a copy, where links failed, is not.
  private func checkIdentity(_ now: StoreFileIdentity, isForced: Bool) throws {
    guard !isForced else { return }
    let then = StoreFileIdentity(rollback.run.sourceIdentity)
    let isSameFile = now.store.inode == then?.store.inode && now.store.device == then?.store.device
    guard let then, now.store.size == then.store.size, now.changeCounter == then.changeCounter,
      !isSameFile || now.store.modified == then.store.modified
    else {
      throw MigrationError(
        .mismatch,
        "The backup \(rollback.backupPath) is not as the run kept it: it was written to since.",
        recovery: "Look at it; --force takes it all the same, if it is a sound store."
      )
    }
  }
}
