import Files
import StoreAccess

/// A rollback, under the lease.
///
/// 1. The backup is checked to be a sound store, and the one that the run kept. 2. The present store is
/// locked, and checked to be the one that the last run or rollback left. 3. The intent is written to the
/// journal: from here on a rollback that dies is ended by another. 4. The store leaves write-ahead-log
/// mode, so that its file alone is the store, and the journal gets its identity. 5. The store gets a
/// second name, under which it is kept. 6. One rename puts the backup over it. 7. The original gets its
/// journal mode back, and the journal the last record.
///
/// A present store that SQLite cannot open is kept as it is, with the files beside it.
struct Rollback {
  /// The store's path as the caller gave it, for messages.
  let store: String
  let files: WorkspaceFolder
  let backups: Folder
  /// The run whose original is put back.
  let run: RunDescription
  var journal: CheckpointJournal
  /// Whether the present store is put away even if it changed.
  var isForced: Bool
  /// Called with the events of the rollback.
  let onEvent: @Sendable (MigrationEvent) -> Void

  var backupName: String { files.workspace.backupName(run: run.run) }
  var backupPath: String { backups.path(of: backupName) }
  var destination: String { files.workspace.destination }

  /// The file in the store's place.
  enum Present: Hashable {
    case nothing
    /// A file that SQLite cannot open: empty, cut off, damaged, or no database.
    case unreadable
    case store
  }

  mutating func perform() throws -> RollbackOutcome {
    if let begun = journal.unfinishedRollback { return try goOn(begun) }
    try PlacePreflight(files: files).check(isInPlace: true)
    let rollback = RollbackDescription(
      run: run.run,
      kept: try freeName(),
      backup: try RollbackBackup(self).check(isForced: isForced).description,
      isForced: isForced
    )
    let kept = try putBack(rollback, isBegun: false)
    return try complete(rollback, kept: kept)
  }

  /// Ends a rollback that died.
  private mutating func goOn(_ begun: RollbackDescription) throws -> RollbackOutcome {
    isForced = isForced || begun.isForced
    let there = try files.place.status(of: files.destinationName)
    let backup = try backups.status(of: backupName)
    var kept: String?
    if try isPlaced(begun, there, backup) {
      if backup != nil { try backups.remove(backupName) }
      try files.place.synchronize()
      try backups.synchronize()
      kept = try backups.status(of: begun.kept).map { _ in backups.path(of: begun.kept) }
    } else {
      try PlacePreflight(files: files).check(isInPlace: true)
      _ = try RollbackBackup(self).check(isForced: isForced)
      kept = try putBack(begun, isBegun: true)
    }
    return try complete(begun, kept: kept)
  }

  /// Returns whether the backup has the store's place already.
  private func isPlaced(
    _ begun: RollbackDescription,
    _ there: FileStatus?,
    _ backup: FileStatus?
  ) throws -> Bool {
    if let there, let backup { return there.isSameFile(as: backup) }
    guard backup == nil else { return false }
    guard let there, let then = StoreFileIdentity(begun.backup),
      // The same file, or one of its size where a file system makes up its numbers anew.
      there.inode == then.store.inode && there.device == then.store.device
        || there.size == then.store.size
    else { throw StoreMigrator.backupIsGone(backupPath) }
    return true
  }

  // MARK: Putting back

  /// Keeps the file in the store's place, and puts the backup there.
  ///
  /// - Returns: The path under which the present store is kept; nil where there was none.
  private mutating func putBack(_ rollback: RollbackDescription, isBegun: Bool) throws -> String? {
    let there = try files.place.status(of: files.destinationName)
    if let there {
      try WorkspaceFolder.requirePlain(there, destination)
      // Before the lock, which undoes an unfinished transaction.
      let before = try RollbackTraces(StoreFiles(store: destination))
      if let lock = try lockIfStore() {
        try putBack(over: lock, rollback, isBegun: isBegun, before)
        return backups.path(of: rollback.kept)
      }
    }
    guard isForced else { throw refusal(there == nil ? .nothing : .unreadable) }
    if !isBegun { try record(.rollingBack, rollback) }
    if there != nil {
      let path = destination
      try keep(as: rollback.kept) { try FileSystem.copy(path, toNewFile: $0) }
    }
    try keepCompanions(of: rollback.kept)
    try place()
    return there.map { _ in backups.path(of: rollback.kept) }
  }

  /// Returns the lock on the present store, or nil where SQLite cannot open it.
  ///
  /// - Throws: `StoreAccessError`; `inUse` where another process has the store open.
  private func lockIfStore() throws -> StoreLock? {
    let path = destination
    var unread = try UnreadFiles(path, in: files)
    do {
      return try unread.kept(onEvent: onEvent) { try StoreLock(path: path) }
    } catch let error as StoreAccessError {
      switch error.code {
      case .notAStore, .damaged, .unsupported: return nil
      default: throw error
      }
    }
  }

  private mutating func putBack(
    over lock: borrowing StoreLock,
    _ rollback: RollbackDescription,
    isBegun: Bool,
    _ before: RollbackTraces
  ) throws {
    guard try isForced || isUnchanged(lock, since: journal.last, before) else {
      throw refusal(.store)
    }
    if !isBegun {
      let identity = try lock.identity().description
      try record(.rollingBack, rollback, identity: identity)
    }
    do { try lock.leaveWriteAheadLogMode() } catch {
      // SQLite undid its unfinished transaction, under the lock that excludes others: the store is
      // the same, with another time. If it could not, the next lock does, and the store then has
      // the identity recorded before.
      let isUndone = try? !StoreFiles(store: destination).hasRollbackJournal
      if isUndone == true, let identity = try? lock.identity().description {
        try? record(.rollingBack, rollback, identity: identity)
      }
      throw error
    }
    if journal.last?.rollback?.isSettled != true || isForced {
      try lock.synchronize()
      var rollback = rollback
      rollback.isSettled = true
      let identity = try lock.identity().description
      try record(.rollingBack, rollback, identity: identity)
    }
    do {
      try files.place.link(files.destinationName, to: rollback.kept, in: backups)
    } catch {
      try keepCopy(as: rollback.kept) { try lock.copyFile(to: $0) }
    }
    try backups.synchronize()
    onEvent(.passed(.presentKept))
    try lock.checkPlace()
    try place()
    // The lock lives until here.
    _ = try lock.status()
  }

  /// Returns whether the locked store is the one of a journal record, or was only changed by a rollback
  /// that died: by one transaction that took it out of write-ahead-log mode.
  private func isUnchanged(
    _ lock: borrowing StoreLock,
    since record: JournalRecord?,
    _ before: RollbackTraces
  ) throws -> Bool {
    guard let record, let then = record.identity.flatMap({ StoreFileIdentity($0) }),
      let counter = then.changeCounter
    else { return false }
    let now = try lock.identity()
    guard now.writeAheadLog?.size ?? 0 == 0 else { return false }
    if now.store == then.store, now.changeCounter == counter { return true }
    guard let rollback = record.rollback, record.event == .rollingBack, !rollback.isSettled else {
      return false
    }
    return now.store.inode == then.store.inode && now.store.device == then.store.device
      && now.store.size == then.store.size
      && (before.hasRollbackJournal || before.isWriteAheadLogged == false)
      && (now.changeCounter == counter || now.changeCounter == counter &+ 1)
  }

  /// Puts the backup into the store's place.
  private func place() throws {
    let there = try files.place.status(of: files.destinationName)
    if let there, let backup = try backups.status(of: backupName), there.isSameFile(as: backup) {
      // A rename of one name of a file over another does nothing.
      try backups.remove(backupName)
    } else {
      try backups.rename(backupName, to: files.destinationName, in: files.place)
    }
    try files.place.synchronize()
    try backups.synchronize()
    onEvent(.passed(.backupPlaced))
  }

  // MARK: Keeping

  /// Returns a name beside the backup that nothing has, nor anything that SQLite would keep beside it.
  private func freeName() throws -> String {
    let names = Set(try backups.names())
    func isFree(_ name: String) -> Bool {
      !(["", ".partial"] + StoreFiles.companionSuffixes).contains { names.contains(name + $0) }
    }
    let first = backupName + ".replaced"
    if isFree(first) { return first }
    let number = (2...).first { isFree("\(first)-\($0)") } ?? 2
    return "\(first)-\(number)"
  }

  /// Gives the file in the store's place a second name, or a copy where links fail.
  private func keep(as name: String, copy: (String) throws -> Void) throws {
    do {
      try files.place.link(files.destinationName, to: name, in: backups)
    } catch {
      try keepCopy(as: name, copy)
    }
    try backups.synchronize()
  }

  private func keepCopy(as name: String, _ copy: (String) throws -> Void) throws {
    if let there = try backups.status(of: name),
      let present = try files.place.status(of: files.destinationName), there.isSameFile(as: present)
    {
      return
    }
    let partial = name + ".partial"
    try backups.remove(partial)
    try copy(backups.path(of: partial))
    try backups.rename(partial, to: name)
  }

  /// Moves files beside a missing or unreadable store: SQLite would read them into the original.
  private func keepCompanions(of name: String) throws {
    for suffix in StoreFiles.companionSuffixes {
      let companion = files.destinationName + suffix
      guard try files.place.status(of: companion) != nil else { continue }
      let kept = name + suffix
      guard try backups.status(of: kept) == nil else {
        throw MigrationError(
          .cannotCreate,
          "\(backups.path(of: kept)) is in the way of \(files.place.path(of: companion)).",
          recovery: "Move one of them away, then repeat the rollback."
        )
      }
      try files.place.rename(companion, to: kept, in: backups)
    }
    try backups.synchronize()
  }

  // MARK: Ending

  private mutating func record(
    _ event: JournalRecord.Event,
    _ rollback: RollbackDescription,
    identity: String? = nil
  ) throws {
    try journal.append(event, identity: identity, rollback: rollback)
    if let last = journal.last { onEvent(.recorded(last)) }
  }

  private mutating func complete(
    _ rollback: RollbackDescription,
    kept: String?
  ) throws -> RollbackOutcome {
    if run.usesWriteAheadLog {
      do {
        try StoreLock(path: destination).returnToWriteAheadLogMode()
      } catch {
        // A process that opened it already chooses the mode.
        guard error.code == .inUse else { throw error }
      }
    }
    try FileSystem.synchronize(destination)
    let identity = try StoreFileIdentity(path: destination).description
    try record(.rolledBack, rollback, identity: identity)
    return RollbackOutcome(run: run, replaced: kept)
  }
}

/// The state of a store's files before its lock was taken, which undoes an unfinished transaction.
struct RollbackTraces {
  /// Whether the header marks write-ahead-log mode; nil where there is none.
  let isWriteAheadLogged: Bool?
  /// Whether a rollback journal with bytes in it is there.
  ///
  /// It may be one that SQLite undid already: under an exclusive lock SQLite only clears the mark of
  /// the journal, and a process that dies there leaves the file.
  let hasRollbackJournal: Bool

  init(_ files: StoreFiles) throws {
    isWriteAheadLogged = try Self.ifReadable {
      try DatabaseHeader(path: files.store).isWriteAheadLogged
    }
    // No lock is taken on a store with a pipe or a link in the journal's place.
    let isHot = try Self.ifReadable { try files.hasRollbackJournal } ?? false
    let size = try FileSystem.status(files.rollbackJournal, followsLinks: false)?.size ?? 0
    hasRollbackJournal = isHot || size > 0
  }

  /// Returns the body's result, or nil where SQLite cannot open the store.
  private static func ifReadable<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch let error as StoreAccessError where [.notAStore, .damaged].contains(error.code) {
      return nil
    }
  }
}
