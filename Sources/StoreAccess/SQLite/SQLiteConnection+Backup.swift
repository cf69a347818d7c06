private import CSQLite

/// The progress of a backup.
package struct SQLiteBackupProgress: Hashable, Sendable {
  /// Pages of the source.
  package var pageCount: Int
  /// Pages still to copy.
  package var remainingPages: Int
}

extension SQLiteConnection {
  /// Copies the database page by page through SQLite's backup interface, the `-wal` included.
  ///
  /// - Parameters:
  ///   - destination: A connection that may write; all it holds is replaced, in one transaction.
  ///   - pagesPerStep: Pages between two calls of `onProgress`.
  ///   - onProgress: Called after each step; false stops.
  /// - Throws: ``SQLiteError``; `interrupted` where the caller stopped it, `busy` where another
  ///   connection holds a lock. The destination is then as it was.
  package func backup(
    to destination: borrowing SQLiteConnection,
    pagesPerStep: Int = 2048,
    onProgress: (SQLiteBackupProgress) -> Bool = { _ in true }
  ) throws(SQLiteError) {
    guard let backup = unsafe sqlite3_backup_init(destination.handle, "main", handle, "main") else {
      throw destination.error(unsafe sqlite3_extended_errcode(destination.handle))
    }
    var result = SQLITE_OK
    var isCancelled = false
    while result == SQLITE_OK && !isCancelled {
      result = unsafe sqlite3_backup_step(backup, Int32(clamping: max(1, pagesPerStep)))
      let progress = unsafe SQLiteBackupProgress(
        pageCount: Int(sqlite3_backup_pagecount(backup)),
        remainingPages: Int(sqlite3_backup_remaining(backup))
      )
      if result == SQLITE_OK || result == SQLITE_DONE { isCancelled = !onProgress(progress) }
    }
    let isComplete = result == SQLITE_DONE
    let finished = unsafe sqlite3_backup_finish(backup)
    if isComplete && finished == SQLITE_OK { return }
    if isCancelled {
      throw SQLiteError(
        code: .interrupted,
        resultCode: SQLITE_INTERRUPT,
        message: "The copy of \(path) was stopped"
      )
    }
    throw destination.error(finished == SQLITE_OK ? result : finished)
  }
}
