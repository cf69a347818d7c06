import Files

/// The files that SQLite takes, by their names, for parts of a database: `-journal`, `-wal` and `-shm`.
///
/// Such a file controls SQLite: it waits for a pipe, reads through a link, and deletes the file that a
/// journal names. So they are checked before SQLite sees them, without following links, each time that a
/// file is opened.
package enum DatabaseCompanions {
  /// The journals of transactions over several databases that SQLite may undo.
  package enum SuperJournals: Hashable, Sendable {
    /// None.
    case refused
    /// Journals whose common file SQLite would have made in the database's own folder, as for databases of a
    /// run that are written together.
    case ofFolder
  }

  /// Throws if a file beside a database has a companion's name but is none of it.
  ///
  /// - Throws: ``SQLiteError``: `corrupt` for a journal that cannot be undone, or names a file that
  ///   SQLite would delete; `notADatabase` for a link, a folder, a pipe or a device; `ioError` and
  ///   others where that cannot be known.
  package static func check(
    _ path: String,
    superJournals: SuperJournals = .refused
  ) throws(SQLiteError) {
    let store: String
    do throws(FileError) {
      store = try FileSystem.resolved(path)
      // Not opened: closing it would drop the locks that this process holds on the index.
      for suffix in ["-wal", "-shm"] {
        guard let status = try FileSystem.status(store + suffix, followsLinks: false) else {
          continue
        }
        try FileError.requirePlain(status.kind, store + suffix)
      }
    } catch {
      throw SQLiteError(error)
    }
    guard let journal = try rollbackJournal(of: store), let name = journal.superJournal else {
      return
    }
    guard superJournals == .ofFolder, isOwn(name, FileSystem.folder(of: store)) else {
      throw SQLiteError(
        code: .corrupt,
        message: "\(store)-journal names another file, which SQLite would delete",
        recovery: "If it is of a store that an app wrote together with another database, open the "
          + "store once with that app. Otherwise move the journal away, and distrust the store."
      )
    }
  }

  /// Returns the rollback journal beside a database, or nil where there is none.
  ///
  /// - Parameter store: The database, symbolic links followed.
  /// - Throws: ``SQLiteError``, `corrupt` where it is no journal, and as ``check(_:superJournals:)``.
  static func rollbackJournal(of store: String) throws(SQLiteError) -> RollbackJournal? {
    let path = store + "-journal"
    do {
      guard try FileSystem.exists(path) else { return nil }
      return try RollbackJournal(reading: OpenFile(plainFile: path))
    } catch let error as FileError {
      throw SQLiteError(error)
    } catch {
      throw SQLiteError(
        code: .corrupt,
        message: error as? RollbackJournal.Flaw == .notAJournal
          ? "\(path) is not a rollback journal" : "\(path) is damaged: it contradicts itself",
        recovery: "Take the store, with its “-journal” file, from a backup."
      )
    }
  }

  /// Makes sure that SQLite has undone what a journal is for, once a writer has read the database.
  ///
  /// SQLite takes every error of the question whether there is a journal for “no” (`unixAccess` in
  /// `os_unix.c`), and would then read half a transaction.
  ///
  /// - Parameter store: The database, symbolic links followed.
  /// - Throws: ``SQLiteError``, `ioError` where a journal still waits to be undone.
  static func checkUndone(_ store: String) throws(SQLiteError) {
    guard try rollbackJournal(of: store)?.isHot == true else { return }
    throw SQLiteError(
      code: .ioError,
      message: "SQLite did not find \(store)-journal, which is there and has to be undone first"
    )
  }

  /// Returns whether SQLite makes files of this name for databases of a folder: the first one's path
  /// with `-mj` and nine digits, the seventh a 9 (`vdbeCommit` in `vdbeaux.c`).
  private static func isOwn(_ name: [UInt8], _ folder: String) -> Bool {
    guard let path = String(validating: name, as: UTF8.self), FileSystem.folder(of: path) == folder
    else { return false }
    let suffix = Array(path.utf8.suffix(12))
    guard suffix.count == 12, suffix.starts(with: "-mj".utf8), suffix[9] == UInt8(ascii: "9") else {
      return false
    }
    return suffix[3...].allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
    }
  }
}
