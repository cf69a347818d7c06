import Files
import StoreAccess

/// One rollback, under the lease.
///
/// 1. The present store is locked, and found to be what the run left.
/// 2. It gets a second name, under which it is kept.
/// 3. It leaves write-ahead-log mode, so that nothing but its file is the store.
/// 4. One rename puts the backup over it.
/// 5. The original gets its journal mode back, and the journal the last record.
struct Rollback {
  let store: String
  let workspace: Workspace
  let run: RunDescription
  var journal: CheckpointJournal

  private var backup: String { workspace.backup(run: run.run) }

  mutating func perform(force: Bool) throws -> String {
    let replaced = try FileSystem.exists(backup) ? putBack(force: force) : alreadyPutBack()
    if run.usesWriteAheadLog {
      let connection = try SQLiteConnection(path: workspace.destination, access: .readWrite)
      try connection.setJournalMode(.wal)
    }
    try journal.append(.rolledBack)
    return replaced
  }

  /// What an earlier rollback kept that died before its last record.
  private func alreadyPutBack() throws -> String {
    let kept = try keptName(isTaken: true)
    guard try FileSystem.exists(kept), try FileSystem.exists(workspace.destination) else {
      throw StoreMigrator.nothingToRollBack(store)
    }
    return kept
  }

  private func putBack(force: Bool) throws -> String {
    let destination = workspace.destination
    let hasWriteAheadLog = try DatabaseHeader(path: destination).isWriteAheadLogged
    let lock = try StoreLock(path: destination)
    let replaced = try keptName(isTaken: false)
    guard try force || isUnchanged(lock, replaced, isWriteAheadLogged: hasWriteAheadLog) else {
      // SQLite may have made a `-wal` for the lock; closing it takes that away again.
      throw MigrationError(
        .mismatch,
        "\(store) changed since it was migrated.",
        recovery: "What was written since would be lost to the app: use --force to put the "
          + "original back all the same; the present store is then kept as \(replaced)."
      )
    }
    try lock.foldWriteAheadLog()
    if try !FileSystem.exists(replaced) { try keep(destination, as: replaced, lock) }
    try FileSystem.synchronize(folder: workspace.backups)
    try lock.leaveWriteAheadLogMode()
    try lock.checkPlace()
    try FileSystem.rename(backup, to: destination)
    try FileSystem.synchronize(folder: FileSystem.folder(of: destination))
    try FileSystem.synchronize(folder: workspace.backups)
    // The lock lives until here.
    _ = try lock.status()
    return replaced
  }

  /// The name under which the present store is kept: one that is free, or that is its already.
  private func keptName(isTaken: Bool) throws -> String {
    let present = try FileSystem.status(workspace.destination)
    var name = backup + ".replaced"
    guard !isTaken else { return name }
    var number = 2
    while let there = try FileSystem.status(name), there.inode != present?.inode {
      name = "\(backup).replaced-\(number)"
      number += 1
    }
    return name
  }

  private func keep(
    _ destination: String,
    as name: String,
    _ lock: borrowing StoreLock
  ) throws {
    do {
      try FileSystem.link(destination, to: name)
    } catch {
      let partial = name + ".partial"
      try FileSystem.remove(partial)
      try lock.copyFile(to: partial)
      try FileSystem.rename(partial, to: name)
    }
  }

  /// Whether the locked store is what the run left, or what a rollback that died made of that: it
  /// has its second name then, and one transaction more took it out of write-ahead-log mode.
  private func isUnchanged(
    _ lock: borrowing StoreLock,
    _ replaced: String,
    isWriteAheadLogged: Bool
  ) throws -> Bool {
    guard let then = journal.last?.identity.flatMap({ StoreFileIdentity($0) }),
      let counter = then.changeCounter
    else { return false }
    let now = try lock.identity()
    guard now.writeAheadLog?.size ?? 0 == 0 else { return false }
    if now.store == then.store, now.changeCounter == counter { return true }
    let there = try FileSystem.status(replaced)
    return there?.inode == now.store.inode && there?.device == now.store.device
      && !isWriteAheadLogged && now.store.size == then.store.size
      && now.changeCounter == counter &+ 1
  }
}
