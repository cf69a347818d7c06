package import Files

/// The exclusive lock on a store that is migrated in place, held until its owner lets go of it.
///
/// While it is held, nothing else in the process may open the store's file and close it again, not even
/// as an attached `quiescent` database: POSIX would drop the lock. Code that needs the file's bytes calls
/// ``copyFile(to:shouldContinue:)``, whose descriptor is closed after the connection.
package struct StoreLock: ~Copyable {
  /// The store's path, symbolic links followed.
  package let path: String
  /// The connection that holds the lock, open for writing.
  package let connection: SQLiteConnection
  private let held: HeldFile

  /// Takes the lock at once, or fails.
  ///
  /// A hot journal is rolled back and a `-wal` recovered, as by any connection that writes.
  ///
  /// - Throws: ``StoreAccessError``: `inUse` where another process has the store open in WAL mode, or
  ///   in a transaction; `missing`, `notAStore`, `cannotCreate` where it may not be written.
  package init(path: String) throws(StoreAccessError) {
    _ = try DatabaseHeader(path: path)
    let path = try StoreFiles(store: path).store
    let file = try asStoreAccess(files: { () throws(FileError) in try OpenFile(reading: path) })
    let held = HeldFile(file)
    self.init(path: path, held: held, connection: try Self.connection(path: path, held))
  }

  private init(path: String, held: HeldFile, connection: consuming SQLiteConnection) {
    self.path = path
    self.connection = connection
    self.held = held
  }

  private static func connection(
    path: String,
    _ held: HeldFile
  ) throws(StoreAccessError) -> SQLiteConnection {
    do throws(SQLiteError) {
      let connection = try SQLiteConnection(path: path, access: .readWrite)
      connection.callbacks.heldFiles.append(held)
      // The pragma names the database: without the name, files attached later would be locked too. It
      // comes before the first read: then SQLite keeps the index of the `-wal` in memory and takes the
      // lock on the file itself, which every other connection's lock prevents.
      try connection.execute(
        script: "PRAGMA main.locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT"
      )
      try DatabaseCompanions.checkUndone(path)
      return connection
    } catch {
      guard error.code == .busy else { throw StoreAccessError(error) }
      throw StoreAccessError(
        code: .inUse,
        message: "\(path) is in use by another process",
        cause: .sqlite(error)
      )
    }
  }

  /// Moves the frames of the `-wal` into the store, proves the `-wal` empty, and checks the store's
  /// header.
  ///
  /// - Throws: ``StoreAccessError``.
  package borrowing func foldWriteAheadLog() throws(StoreAccessError) {
    let framesInLog = try asStoreAccess { () throws(SQLiteError) in
      try connection.checkpointTruncating()
    }
    guard framesInLog <= 0, try StoreFiles(store: path).writeAheadLogSize == 0 else {
      throw StoreAccessError(
        code: .inUse,
        message: "The “-wal” file of \(path) could not be moved into the store"
      )
    }
    let header = try asStoreAccess(files: { () throws(FileError) in
      try held.file.read(count: 100, at: 0)
    })
    _ = try DatabaseHeader(header, path: path)
  }

  /// Takes the store out of WAL mode, proves that its file alone is the store, and brings it to the
  /// disk with its times, by which it is known again.
  ///
  /// Before another file is renamed over the store: from then on closing this connection removes
  /// neither a `-wal` nor a `-journal` that a connection to the new store made. The connection writes
  /// no more.
  ///
  /// - Throws: ``StoreAccessError``; `inUse` where a journal or log that holds something is left.
  package borrowing func leaveWriteAheadLogMode() throws(StoreAccessError) {
    try foldWriteAheadLog()
    let files = try StoreFiles(store: path)
    try asStoreAccess { () throws(SQLiteError) in
      try connection.setJournalMode(.delete)
      // In exclusive mode SQLite keeps a journal with nothing in it, and when it closes it removes the file
      // of that name: by then another process may have the new store open, and own that file. Without a
      // journal it releases the name at once.
      try connection.setJournalMode(.off)
      try connection.execute(script: "PRAGMA query_only = ON")
    }
    let journal = try asStoreAccess { () throws(SQLiteError) in
      try DatabaseCompanions.rollbackJournal(of: files.store)
    }
    // An empty log that SQLite did not make, and so did not remove, is nothing.
    guard try files.writeAheadLogSize == 0, journal?.isHot != true else {
      throw StoreAccessError(
        code: .inUse,
        message: "A journal of somebody's lies beside \(path)"
      )
    }
    // Others open these two after a lock on the store, which is ours.
    try asStoreAccess(files: { () throws(FileError) in
      try FileSystem.remove(files.sharedMemory)
      try FileSystem.remove(files.rollbackJournal)
      try held.file.synchronize()
      try FileSystem.synchronize(folder: FileSystem.folder(of: path))
    })
  }

  /// Puts the store back into WAL mode, under the lock, so that closing leaves no `-wal`.
  ///
  /// Only while the store is still at its path: SQLite names the `-wal` by it.
  ///
  /// - Throws: ``StoreAccessError``.
  package borrowing func returnToWriteAheadLogMode() throws(StoreAccessError) {
    try asStoreAccess { () throws(SQLiteError) in
      try connection.execute(script: "PRAGMA query_only = OFF")
      // The change of the mode is a transaction too, and needs a journal.
      try connection.setJournalMode(.delete)
      try connection.setJournalMode(.wal)
    }
    // SQLite removes it when it closes the store, and does not report where that fails.
    let files = try StoreFiles(store: path)
    // One that holds something is not of this connection, which wrote nothing.
    guard try files.writeAheadLogSize == 0 else { return }
    try asStoreAccess(files: { () throws(FileError) in
      _ = try FileSystem.remove(files.writeAheadLog)
    })
  }

  /// Throws if the path no longer names the locked file, or other files may change the store's contents.
  ///
  /// - Throws: ``StoreAccessError``, `inUse` where another file was put there, or there is another
  ///   process's journal beside it.
  package borrowing func checkPlace() throws(StoreAccessError) {
    let own = try status()
    let there = try asStoreAccess(files: { () throws(FileError) in try FileSystem.status(path) })
    let files = try StoreFiles(store: path)
    let journal = try asStoreAccess(files: { () throws(FileError) in
      try FileSystem.status(files.rollbackJournal, followsLinks: false)
    })
    guard there?.isSameFile(as: own) == true, try files.writeAheadLogSize == 0,
      journal?.size ?? 0 == 0
    else {
      throw StoreAccessError(
        code: .inUse,
        message: "\(path) was replaced or written to by another process"
      )
    }
  }

  /// Copies the store's file into a new one, cloned where the file system can, and flushes it.
  ///
  /// - Parameter shouldContinue: Asked every 8 MiB; false stops.
  /// - Throws: ``StoreAccessError``; `unsupported` while the `-wal` is not folded or a transaction is
  ///   open, `interrupted` where the caller stopped it.
  @discardableResult
  package borrowing func copyFile(
    to newPath: String,
    shouldContinue: () -> Bool = { true }
  ) throws(StoreAccessError) -> CopyMethod {
    guard try StoreFiles(store: path).writeAheadLogSize == 0, !connection.isInTransaction else {
      throw StoreAccessError(
        code: .unsupported,
        message: "\(path) cannot be copied while its “-wal” holds anything"
      )
    }
    var wasStopped = false
    do throws(FileError) {
      return try held.file.copy(toNewFile: newPath) {
        wasStopped = !shouldContinue()
        return !wasStopped
      }
    } catch {
      var failure = StoreAccessError(error)
      if wasStopped { failure.code = .interrupted }
      throw failure
    }
  }

  /// Synchronizes the store's contents and its time, by which it is recognized, to the disk.
  package borrowing func synchronize() throws(StoreAccessError) {
    try asStoreAccess(files: { () throws(FileError) in try held.file.synchronize() })
  }

  /// Returns the present state of the store's files, without opening them anew.
  package borrowing func identity() throws(StoreAccessError) -> StoreFileIdentity {
    try StoreFileIdentity(held.file)
  }

  /// Returns the status of the locked file, independent of its path.
  package borrowing func status() throws(StoreAccessError) -> FileStatus {
    try asStoreAccess(files: { () throws(FileError) in try held.file.status() })
  }
}
