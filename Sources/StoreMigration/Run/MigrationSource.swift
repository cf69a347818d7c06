import Files
import ObjectModel
import StoreAccess

/// The store that a run reads: held by a lock, or at rest.
protocol MigrationSource: ~Copyable {
  /// Lends the one connection through which the store may be read.
  borrowing func withConnection<Value>(
    _ body: (borrowing SQLiteConnection) throws -> Value
  ) throws -> Value

  /// Whether the store was in write-ahead-log mode when it was taken.
  var usesWriteAheadLog: Bool { get }

  /// Returns the identity by which the store is recognized.
  borrowing func identity() throws -> StoreFileIdentity

  /// Makes the file alone the store, so that it can be recognized and replaced.
  ///
  /// It writes to a store that is to be replaced: only once it is known that the run can be.
  borrowing func settle() throws

  /// Throws if the store is not the same any more, or was written to.
  borrowing func checkUnchanged() throws

  /// Gives the store, which keeps its place, the journal mode back that the run took from it.
  borrowing func returnToWriteAheadLogMode() throws

  /// The account of a damaged store's readable content; nil where the store is not damaged.
  var salvage: SalvageAccount? { get }

  /// Copies the store, with the content of its `-wal`, into a new file, which may have a `-wal`,
  /// too. It is for the caller to bring it to the disk.
  borrowing func copy(to path: String, shouldContinue: @escaping () -> Bool) throws
}

/// A store that is replaced by its result: locked, its `-wal` folded in and gone.
struct LockedSource: MigrationSource, ~Copyable {
  let lock: StoreLock
  let salvage: SalvageAccount? = nil
  let usesWriteAheadLog: Bool

  /// Takes the lock.
  init(path: String) throws {
    // Before the lock, which closing another descriptor would drop.
    let header = try DatabaseHeader(path: path)
    lock = try StoreLock(path: path)
    usesWriteAheadLog = header.isWriteAheadLogged
  }

  borrowing func withConnection<Value>(
    _ body: (borrowing SQLiteConnection) throws -> Value
  ) throws -> Value {
    try body(lock.connection)
  }

  borrowing func identity() throws -> StoreFileIdentity { try lock.identity() }

  /// Puts the store into rollback-journal mode: from here on its size, time and change counter identify
  /// it, and no other file is beside it at the swap.
  borrowing func settle() throws { try lock.leaveWriteAheadLogMode() }

  borrowing func checkUnchanged() throws { try lock.checkPlace() }

  borrowing func returnToWriteAheadLogMode() throws { try lock.returnToWriteAheadLogMode() }

  borrowing func copy(to path: String, shouldContinue: @escaping () -> Bool) throws {
    try lock.copyFile(to: path, shouldContinue: shouldContinue)
  }
}

/// A store that is not changed, and that no process has open.
struct RestingSource: MigrationSource, ~Copyable {
  let store: PersistentStore
  let salvage: SalvageAccount? = nil

  /// Opens the store; one of the XML kind is made into one of the SQLite kind first.
  ///
  /// - Parameters:
  ///   - model: The model that the store was written by.
  ///   - knowledge: The copy that planning made of a store of the XML kind, where it did.
  /// - Throws: ``MigrationError`` with `inUse` where another process has it open.
  init(
    path: String,
    model: ManagedObjectModel,
    knowledge: SourceCache,
    scratchFolder: String,
    cancellation: Cancellation
  ) throws {
    let store = try PersistentStore.open(
      path,
      by: model,
      reusing: knowledge.conversion,
      scratchFolder: scratchFolder,
      shouldContinue: { !cancellation.isRequested }
    )
    guard store.access != .shared else { throw Self.inUse(path) }
    self.store = store
  }

  /// Throws if another process has the store open, so that a run would not begin.
  ///
  /// Not while this process has it open, except as `quiescent`.
  ///
  /// - Throws: ``MigrationError`` with `inUse`, or ``StoreAccessError`` where it cannot be asked.
  static func checkResting(_ path: String) throws {
    guard try QuiescenceProbe.ask(path) == .free else { throw inUse(path) }
  }

  private static func inUse(_ path: String) -> MigrationError {
    MigrationError(
      .inUse,
      "\(path) is in use by another process.",
      recovery: "Close the app or tool that has the store open, then try again."
    )
  }

  borrowing func withConnection<Value>(
    _ body: (borrowing SQLiteConnection) throws -> Value
  ) throws -> Value {
    try body(store.connection)
  }

  var usesWriteAheadLog: Bool { store.header.isWriteAheadLogged }

  borrowing func identity() throws -> StoreFileIdentity { store.identity }

  borrowing func settle() {}

  borrowing func checkUnchanged() throws { try store.checkUnchanged() }

  borrowing func returnToWriteAheadLogMode() {}

  borrowing func copy(to path: String, shouldContinue: @escaping () -> Bool) throws {
    if store.access == .quiescent {
      let files = try StoreFiles(store: store.path)
      try Self.copyFile(files.store, to: path, shouldContinue: shouldContinue)
      // SQLite folds it in where the copy is opened next, which costs less than to read through it.
      let length = try files.writeAheadLogUsedSize
      if length > 32 {
        let log = try StoreFiles(store: path).writeAheadLog
        try Self.copyFile(
          files.writeAheadLog,
          to: log,
          length: length,
          shouldContinue: shouldContinue
        )
      }
    } else {
      let copy = try SQLiteConnection(path: path, access: .create)
      try copy.setJournalMode(.off)
      try copy.execute(script: "PRAGMA main.synchronous = OFF")
      try store.connection.backup(to: copy, pagesPerStep: 2048) { _ in shouldContinue() }
    }
    try store.checkUnchanged()
  }

  private static func copyFile(
    _ file: String,
    to path: String,
    length: Int64 = .max,
    shouldContinue: () -> Bool
  ) throws {
    var wasStopped = false
    do {
      _ = try OpenFile(reading: file).copy(toNewFile: path, length: length, isFlushed: false) {
        wasStopped = !shouldContinue()
        return !wasStopped
      }
    } catch {
      throw wasStopped ? Cancellation.interrupted : error
    }
  }
}
