import Files
package import ObjectModel

/// A Core Data store opened for reading, which leaves its files as they are.
package struct PersistentStore: ~Copyable {
  /// The mode of reading a store without changing it.
  package enum Access: Hashable, Sendable {
    /// The store is open in no other process: it is read in place, without locks and without a trace.
    case quiescent
    /// Another process has it open: it is read in place under SQLite's locks, as one more reader. The store
    /// and its `-wal` stay as they are; the `-shm`, which is in use anyhow, notes the reader.
    case shared
    /// A killed writer left a rollback journal, which only a writer can undo: it is undone in a
    /// private copy, which is read. A store of the XML kind is read from a copy of the SQLite kind, too.
    case privateCopy
  }

  /// The store's own path, also where a copy is read; symbolic links followed.
  package let path: String
  /// The open database, which cannot write.
  package let connection: SQLiteConnection
  /// The mode in which the store is read.
  package let access: Access
  /// The header of the file, as of the last checkpoint.
  package let header: DatabaseHeader
  /// The metadata that Core Data keeps beside the rows.
  package let contents: StoreContents
  /// The state of the files before they were opened.
  package let identity: StoreFileIdentity
  /// The copy of the SQLite kind in which a store of the XML kind is read; nil for any other store.
  package let conversion: XMLStoreCopy?
  private let copy: PrivateCopy?

  /// Opens a store and reads what Core Data keeps beside the rows.
  ///
  /// - Parameter scratchFolder: The folder for a private copy.
  /// - Throws: ``StoreAccessError``: `missing`, `unreadable`, `notAStore`, `damaged`, `nullMetadata`,
  ///   and `inUse` where a writer of a store in rollback-journal mode is at work.
  package init(reading path: String, scratchFolder: String = FileSystem.temporaryFolder)
    throws(StoreAccessError)
  {
    let header = try DatabaseHeader(path: path)
    let files = try StoreFiles(store: path)
    let path = files.store
    // Before anything is asked of them: a pipe would be waited for.
    try asStoreAccess { () throws(SQLiteError) in try DatabaseCompanions.check(path) }
    try Self.checkSize(of: files, header)
    let access: Access =
      if try QuiescenceProbe.ask(path) != .free {
        .shared
      } else if try files.hasRollbackJournal {
        .privateCopy
      } else {
        .quiescent
      }
    let identity = try StoreFileIdentity(path: path)
    let copy = access == .privateCopy ? try PrivateCopy(of: files, in: scratchFolder) : nil
    let connection = try asStoreAccess { () throws(SQLiteError) in
      switch access {
      case .quiescent: try SQLiteConnection(path: path, access: .quiescent)
      case .shared: try SQLiteConnection(path: path, access: .readOnly, busyTimeout: 500)
      case .privateCopy: try Self.undoing(copy?.store ?? path)
      }
    }
    let contents = try StoreContents(snapshotOf: connection, files: files)
    self.path = path
    self.connection = connection
    self.access = access
    self.header = header
    self.contents = contents
    self.identity = identity
    self.copy = copy
    conversion = nil
  }

  /// Opens a store of a version that is known: one of the SQLite kind as ``init(reading:scratchFolder:)``
  /// does, and one of the XML kind through a private copy of the SQLite kind, which is made of it.
  ///
  /// - Parameters:
  ///   - model: The model that the store was written by.
  ///   - known: A copy that was made before; another is made where this is none of the store as it is.
  ///   - scratchFolder: The folder for a private copy.
  ///   - shouldContinue: Asked now and then while a copy is made.
  /// - Throws: ``StoreAccessError``; for a store of the XML kind as ``XMLStoreCopy`` does.
  package static func open(
    _ path: String,
    by model: ManagedObjectModel,
    reusing known: XMLStoreCopy? = nil,
    scratchFolder: String = FileSystem.temporaryFolder,
    shouldContinue: @escaping () -> Bool = { true }
  ) throws(StoreAccessError) -> PersistentStore {
    guard try OtherStoreKind(ofFileAt: path) == .xml else {
      return try PersistentStore(reading: path, scratchFolder: scratchFolder)
    }
    if let known, try known.isCurrent(of: path, by: model) {
      return try PersistentStore(reading: known)
    }
    return try PersistentStore(
      reading: XMLStoreCopy(
        of: path,
        by: model,
        in: scratchFolder,
        shouldContinue: shouldContinue
      )
    )
  }

  /// Opens a store of the XML kind through the copy that was made of it.
  private init(reading made: XMLStoreCopy) throws(StoreAccessError) {
    let header = try DatabaseHeader(path: made.store)
    let connection = try asStoreAccess { () throws(SQLiteError) in
      try SQLiteConnection(path: made.store, access: .quiescent)
    }
    let contents = try StoreContents(snapshotOf: connection, files: StoreFiles(store: made.store))
    path = made.original
    self.connection = connection
    access = .privateCopy
    self.header = header
    self.contents = contents
    identity = made.identity
    copy = nil
    conversion = made
  }

  /// The version hashes and the rest of `Z_METADATA`.
  package var metadata: StoreMetadata { contents.metadata }

  /// Entity numbers and highest keys.
  package var primaryKeys: PrimaryKeyTable { contents.primaryKeys }

  /// Tables, indexes and triggers, in the order they were made.
  package var schemaObjects: [SchemaObject] { contents.schemaObjects }

  /// The deflated archive of the store's model, see ``StoreContents/modelCache``.
  package var modelCache: [UInt8]? { contents.modelCache }

  /// Whether the store's `-wal` seems to have been left behind when the store was copied.
  ///
  /// Its `-shm` is then there without it, and contents of the `-wal` alone are missing.
  ///
  /// - Throws: ``StoreAccessError`` where that cannot be known.
  package var mayLackWriteAheadLog: Bool {
    get throws(StoreAccessError) {
      guard header.isWriteAheadLogged else { return false }
      return try StoreFiles(store: path).lacksWriteAheadLog
    }
  }

  /// Throws if the store was written since it was opened; checks nothing where it is shared, since SQLite's
  /// locks then protect the read.
  ///
  /// - Throws: ``StoreAccessError``, `inUse` where the files are not what they were.
  package borrowing func checkUnchanged() throws(StoreAccessError) { try opening.checkUnchanged() }

  /// The state of the files at the opening, which outlives the connection's owner.
  package var opening: StoreOpening {
    StoreOpening(
      path: path,
      access: access,
      identity: identity,
      copy: copy,
      conversion: conversion
    )
  }

  /// Hands the connection over, for a reader of objects; the ``opening`` is asked for before.
  package consuming func intoConnection() -> SQLiteConnection { connection }

  /// Throws if a file is shorter than its header states.
  private static func checkSize(
    of files: StoreFiles,
    _ header: DatabaseHeader
  ) throws(StoreAccessError) {
    let status = try asStoreAccess(files: { () throws(FileError) in
      try FileSystem.status(files.store)
    })
    guard let size = status?.size, let expected = header.expectedFileSize, size < expected,
      // A killed checkpoint writes the header first, and is completed from the log or journal.
      try files.writeAheadLogSize == 0, try !files.hasRollbackJournal
    else { return }
    throw StoreAccessError(
      code: .damaged,
      message: "\(files.store) is cut off: \(size) of \(expected) bytes are there"
    )
  }

  /// Opens a private copy, which undoes its unfinished transaction, and forbids to write it.
  private static func undoing(_ path: String) throws(SQLiteError) -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, access: .readWrite)
    try connection.execute(script: "PRAGMA main.schema_version; PRAGMA query_only = ON")
    try DatabaseCompanions.checkUndone(path)
    return connection
  }
}

/// A store as it was when it was opened.
package struct StoreOpening {
  /// The store's own path.
  package let path: String
  fileprivate let access: PersistentStore.Access
  fileprivate let identity: StoreFileIdentity
  /// The copy that is read in place of the store, removed with the last owner.
  fileprivate let copy: PrivateCopy?
  fileprivate let conversion: XMLStoreCopy?

  /// Returns what a body reads; where it fails and the store was written meanwhile, that is the error.
  ///
  /// - Throws: ``StoreAccessError`` with `inUse`; the errors of the body.
  package func reading<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      try checkUnchanged()
      throw error
    }
  }

  /// Throws if the store was written since, as ``PersistentStore/checkUnchanged()`` does.
  package func checkUnchanged() throws(StoreAccessError) {
    // Opening and closing the file would drop the locks of a shared connection.
    guard access != .shared else { return }
    guard try StoreFileIdentity(path: path) == identity else {
      throw StoreAccessError(code: .inUse, message: "\(path) was changed while it was read")
    }
  }
}
