import Files
import StoreAccess

/// The store that a run reads: held by a lock, or at rest.
protocol MigrationSource: ~Copyable {
  /// Lends the one connection through which the store may be read.
  borrowing func withConnection<Value>(
    _ body: (borrowing SQLiteConnection) throws -> Value
  ) throws -> Value

  /// Whether the store was in write-ahead-log mode when it was taken.
  var usesWriteAheadLog: Bool { get }

  /// By what the store is known again.
  borrowing func identity() throws -> StoreFileIdentity

  /// Makes the file alone the store, by which it is known again and which can be replaced.
  ///
  /// It writes to a store that is to be replaced: only once it is known that the run can be.
  borrowing func settle() throws

  /// Makes sure that the store is still the one that was taken, and that nobody wrote to it.
  borrowing func checkUnchanged() throws

  /// Gives the store, which keeps its place, the journal mode back that the run took from it.
  borrowing func returnToWriteAheadLogMode() throws

  /// What could be read of the store, where its file is damaged; nil where all can.
  var salvage: SalvageAccount? { get }

  /// Copies the store, with what its `-wal` holds, into a new file, which may have a `-wal`, too. It is for the
  /// caller to bring it to the disk.
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

  /// From here on the store is in rollback-journal mode: it is known again by its size, time and
  /// change counter, and nothing stands beside it at the swap.
  borrowing func settle() throws { try lock.leaveWriteAheadLogMode() }

  borrowing func checkUnchanged() throws { try lock.checkPlace() }

  borrowing func returnToWriteAheadLogMode() throws { try lock.returnToWriteAheadLogMode() }

  borrowing func copy(to path: String, shouldContinue: @escaping () -> Bool) throws {
    try lock.copyFile(to: path, shouldContinue: shouldContinue)
  }
}

/// A store that stays as it is: nobody has it open, and not a byte of it changes.
struct RestingSource: MigrationSource, ~Copyable {
  let store: PersistentStore
  let salvage: SalvageAccount? = nil

  /// Opens the store.
  ///
  /// - Throws: ``MigrationError`` with `inUse` where somebody has it open.
  init(path: String, scratchFolder: String) throws {
    let store = try PersistentStore(reading: path, scratchFolder: scratchFolder)
    guard store.access != .shared else {
      throw MigrationError(
        .inUse,
        "\(path) is in use by another process.",
        recovery: "Close the app or tool that has the store open, then try again."
      )
    }
    self.store = store
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
