import StoreAccess

/// The store that a run reads: held by a lock, or at rest.
protocol MigrationSource: ~Copyable {
  /// Lends the one connection through which the store may be read.
  borrowing func withConnection<Value>(
    _ body: (borrowing SQLiteConnection) throws -> Value
  ) throws -> Value

  /// By what the store is known again.
  borrowing func identity() throws -> StoreFileIdentity

  /// Copies the store, with what its `-wal` holds, into a new file.
  borrowing func copy(to path: String, shouldContinue: @escaping () -> Bool) throws
}

/// A store that is replaced by its result: locked, its `-wal` folded in and gone.
struct LockedSource: MigrationSource, ~Copyable {
  let lock: StoreLock

  /// Takes the lock.
  ///
  /// From here on the store is in rollback-journal mode, so that its file alone is the store: it is
  /// known again by its size, time and change counter, and nothing stands beside it at the swap.
  init(path: String) throws {
    let lock = try StoreLock(path: path)
    try lock.leaveWriteAheadLogMode()
    self.lock = lock
  }

  borrowing func withConnection<Value>(
    _ body: (borrowing SQLiteConnection) throws -> Value
  ) throws -> Value {
    try body(lock.connection)
  }

  borrowing func identity() throws -> StoreFileIdentity { try lock.identity() }

  borrowing func copy(to path: String, shouldContinue: @escaping () -> Bool) throws {
    try lock.copyFile(to: path, shouldContinue: shouldContinue)
  }
}

/// A store that stays as it is: nobody has it open, and not a byte of it changes.
struct RestingSource: MigrationSource, ~Copyable {
  let store: PersistentStore

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

  borrowing func identity() throws -> StoreFileIdentity { store.identity }

  borrowing func copy(to path: String, shouldContinue: @escaping () -> Bool) throws {
    let files = StoreFiles(store: store.path)
    if store.access == .quiescent, files.writeAheadLogSize == 0 {
      try FileSystem.copy(store.path, toNewFile: path)
    } else {
      let copy = try SQLiteConnection(path: path, access: .create)
      try copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      try store.connection.backup(to: copy, pagesPerStep: 2048) { _ in shouldContinue() }
    }
    try store.checkUnchanged()
  }
}
