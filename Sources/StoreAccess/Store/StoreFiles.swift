import Files

/// The files and folders that make up one store.
package struct StoreFiles: Hashable, Sendable {
  /// The database itself, symbolic links followed.
  package let store: String

  /// The files of the store at a path.
  ///
  /// They lie beside the file itself, not beside a symbolic link to it: so does SQLite see it, and a
  /// link must not be replaced by a migrated store.
  ///
  /// - Throws: ``StoreAccessError`` where the links cannot be followed.
  package init(store: String) throws(StoreAccessError) {
    self.store = try asStoreAccess(files: { () throws(FileError) in
      try FileSystem.resolved(store)
    })
  }

  /// Transactions not yet moved into the database, in WAL mode.
  package var writeAheadLog: String { store + "-wal" }

  /// The index of the write-ahead log; holds nothing that SQLite could not make again.
  package var sharedMemory: String { store + "-shm" }

  /// What undoes an unfinished transaction, in rollback-journal mode.
  package var rollbackJournal: String { store + "-journal" }

  /// The folder Core Data keeps beside the store: `.Notes_SUPPORT` for `Notes.sqlite`.
  package var support: String {
    let name = FileSystem.name(of: store)
    let folder = store.dropLast(name.count)
    // A dot at the start hides a file and begins no extension.
    let stem = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? name[..<$0] : nil }
    return "\(folder).\(stem ?? name[...])_SUPPORT"
  }

  /// The folder of the blobs that Core Data stores as files of their own, named by UUIDs.
  package var externalData: String { support + "/_EXTERNAL_DATA" }

  /// Bytes in the write-ahead log; 0 where there is none.
  ///
  /// - Throws: ``StoreAccessError``; `damaged` where something else than a plain file has its name.
  package var writeAheadLogSize: Int64 {
    get throws(StoreAccessError) { try Self.size(of: writeAheadLog) }
  }

  /// Whether a rollback journal lies there that may have to be undone.
  ///
  /// One whose first byte is zero is finished (sqlite.org/fileformat2.html#the_rollback_journal).
  ///
  /// - Throws: ``StoreAccessError`` where that cannot be known; `damaged` where something else than a
  ///   plain file has its name.
  package var hasRollbackJournal: Bool {
    get throws(StoreAccessError) {
      guard try Self.size(of: rollbackJournal) > 0 else { return false }
      return try asStoreAccess(files: { () throws(FileError) in
        try OpenFile(plainFile: rollbackJournal).read(count: 1, at: 0) != [0]
      })
    }
  }

  /// Whether the index of a write-ahead log lies there without the log, as it does where a store
  /// was copied without its `-wal`.
  ///
  /// - Throws: ``StoreAccessError`` where that cannot be known.
  package var lacksWriteAheadLog: Bool {
    get throws(StoreAccessError) {
      try asStoreAccess(files: { () throws(FileError) in
        guard try !FileSystem.exists(writeAheadLog) else { return false }
        return try FileSystem.exists(sharedMemory)
      })
    }
  }

  /// Bytes of a plain file; 0 where there is none.
  private static func size(of path: String) throws(StoreAccessError) -> Int64 {
    try asStoreAccess(files: { () throws(FileError) in
      guard try FileSystem.exists(path) else { return 0 }
      return try OpenFile(plainFile: path).status().size
    })
  }
}
