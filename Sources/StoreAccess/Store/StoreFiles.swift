/// The files and folders that make up one store.
package struct StoreFiles: Hashable, Sendable {
  /// The database itself, symbolic links followed.
  package let store: String

  /// The files of the store at a path.
  ///
  /// They lie beside the file itself, not beside a symbolic link to it: so does SQLite see it, and a
  /// link must not be replaced by a migrated store.
  package init(store: String) { self.store = FileSystem.resolved(store) }

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
  package var writeAheadLogSize: Int64 { FileSystem.size(of: writeAheadLog) ?? 0 }

  /// Whether a rollback journal lies there that may have to be undone.
  ///
  /// One whose first byte is zero is finished (sqlite.org/fileformat2.html#the_rollback_journal); one
  /// that cannot be read counts as unfinished.
  package var hasRollbackJournal: Bool {
    guard FileSystem.size(of: rollbackJournal) ?? 0 > 0 else { return false }
    let first = try? OpenFile(reading: rollbackJournal).read(count: 1, at: 0)
    return first != [0]
  }

  /// Whether the index of a write-ahead log lies there without the log, as it does where a store
  /// was copied without its `-wal`.
  package var lacksWriteAheadLog: Bool {
    FileSystem.exists(sharedMemory) && !FileSystem.exists(writeAheadLog)
  }
}
