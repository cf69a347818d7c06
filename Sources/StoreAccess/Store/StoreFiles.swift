import Files

/// The files and folders that make up one store.
package struct StoreFiles: Hashable, Sendable {
  /// The database itself, symbolic links followed.
  package let store: String

  /// Finds the files of the store at a path.
  ///
  /// They are beside the file itself, not beside a symbolic link to it: SQLite looks for them there, and a
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

  /// The file that undoes an unfinished transaction, in rollback-journal mode.
  package var rollbackJournal: String { store + "-journal" }

  /// The suffixes that SQLite adds to a store's name for the files that it keeps beside it.
  package static let companionSuffixes = ["-journal", "-wal", "-shm"]

  /// Returns whether SQLite would take a file of this name for one that it keeps beside a store, and remove
  /// it.
  package static func isCompanion(_ path: String) -> Bool {
    companionSuffixes.contains { path.hasSuffix($0) }
  }

  /// The suffix of the folder's name that Core Data keeps beside a store.
  private static let supportSuffix = "_SUPPORT"

  /// Returns whether a folder of this name is one that Core Data keeps beside a store.
  package static func isSupportFolder(_ name: some StringProtocol) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(supportSuffix)
  }

  /// Returns whether a file has the name of a store: one that is none, such as a pointer to a file that
  /// was never fetched, is reported rather than passed over.
  package static func isNamedStore(_ name: String) -> Bool {
    ["sqlite", "sqlite3", "db", "store", "storedata"].contains {
      name.lowercased().hasSuffix(".\($0)")
    }
  }

  /// The mark of the ledgers of batches (`WSLG`), the `application_id` of databases that are no stores.
  package static let ledgerMark: Int32 = 0x5753_4C47

  /// Returns whether a file that begins with these bytes is the ledger of a batch.
  package static func isLedger(_ head: [UInt8]) -> Bool {
    // The format's own number (sqlite.org/fileformat2.html#the_database_header).
    let number = head.dropFirst(68).prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    return DatabaseHeader.begins(head) && Int32(bitPattern: number) == ledgerMark
  }

  /// Returns whether a file that begins with these bytes is a database and no ledger, or a store of the XML
  /// kind.
  package static func mayBeStore(_ head: [UInt8]) -> Bool {
    DatabaseHeader.begins(head) ? !isLedger(head) : OtherStoreKind(head) == .xml
  }

  /// The folder Core Data keeps beside the store: `.Notes_SUPPORT` for `Notes.sqlite`.
  package var support: String {
    let name = FileSystem.name(of: store)
    return store.dropLast(name.count) + Self.supportName(of: name)
  }

  /// Returns the name of the folder that Core Data keeps beside a store of a name.
  package static func supportName(of name: String) -> String {
    // A dot at the start hides a file and begins no extension.
    let stem = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? name[..<$0] : nil }
    return ".\(stem ?? name[...])\(supportSuffix)"
  }

  /// The folder of the blobs that Core Data stores as files of their own, named by UUIDs.
  package var externalData: String { support + "/_EXTERNAL_DATA" }

  /// Bytes in the write-ahead log; 0 where there is none.
  ///
  /// - Throws: ``StoreAccessError``; `notAStore` where something else than a plain file has its name.
  package var writeAheadLogSize: Int64 {
    get throws(StoreAccessError) {
      try asStoreAccess(files: { () throws(FileError) in
        guard let status = try FileSystem.status(writeAheadLog, followsLinks: false) else {
          return 0
        }
        try FileError.requirePlain(status.kind, writeAheadLog)
        return status.size
      })
    }
  }

  /// Bytes of the write-ahead log that SQLite reads.
  ///
  /// These are as many frames as follow its header and bear the header's numbers
  /// (sqlite.org/fileformat2.html#the_write_ahead_log). The rest is of an earlier log, or a hole.
  ///
  /// - Throws: ``StoreAccessError``, as ``writeAheadLogSize``.
  /// - Complexity: 16 bytes are read of each frame.
  package var writeAheadLogUsedSize: Int64 {
    get throws(StoreAccessError) {
      let size = try writeAheadLogSize
      guard size > 0 else { return 0 }
      return try asStoreAccess(files: { () throws(FileError) in
        let file = try OpenFile(plainFile: writeAheadLog)
        // Behind any other header SQLite reads nothing.
        guard let header = try LogHeader(of: file), header.isSound else { return min(size, 32) }
        let pageSize = Int64(header.pageSize)
        var end: Int64 = 32
        while end + 24 + pageSize <= size {
          let frame = try file.read(count: 16, at: end)
          // No page has the number 0.
          guard frame.count == 16, frame[8...].elementsEqual(header.salts),
            frame[..<4] != [0, 0, 0, 0]
          else {
            break
          }
          end += 24 + pageSize
        }
        return end
      })
    }
  }

  /// Whether there is a rollback journal that may have to be undone.
  ///
  /// One whose first byte is zero is finished (sqlite.org/fileformat2.html#the_rollback_journal).
  ///
  /// - Throws: ``StoreAccessError`` where that cannot be known; `damaged` where it is no journal,
  ///   `notAStore` where something else than a plain file has its name.
  package var hasRollbackJournal: Bool {
    get throws(StoreAccessError) {
      try asStoreAccess { () throws(SQLiteError) in
        try DatabaseCompanions.rollbackJournal(of: store)?.isHot ?? false
      }
    }
  }

  /// Whether the index of a write-ahead log is there without the log, as where a store was copied without
  /// its `-wal`.
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
}
