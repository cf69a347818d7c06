private import CSQLite
import Files

/// An open database, closed when its owner lets go of it.
///
/// It is the one place where a database is opened, and it is confined to the operations that
/// ``SQLiteCage`` lists from its first statement on. It belongs to one thread at a time. Statements
/// that outlive it keep the file open until the last is gone (`sqlite3_close_v2`).
@safe package struct SQLiteConnection: ~Copyable {
  let handle: OpaquePointer
  /// Closures that SQLite calls while statements run.
  let callbacks: SQLiteCallbacks
  /// The mode in which the main file was opened.
  package let access: SQLiteAccess
  /// The path it was opened with, or an empty string for a database without a file.
  package let path: String

  /// Opens a database.
  ///
  /// Reading begins with the first statement: a file that is no database is refused there.
  ///
  /// - Parameters:
  ///   - path: The file's path; a relative one is resolved by SQLite. Ignored for `inMemory`.
  ///   - access: The operations that the connection may do, see ``SQLiteAccess``.
  ///   - busyTimeout: Milliseconds to wait for another connection's lock; 0 fails at once.
  ///   - superJournals: The journals of transactions over several databases that may be undone.
  /// - Throws: ``SQLiteError``; `cantOpen` for a missing file or a directory, `exists` for `create`,
  ///   and what ``DatabaseCompanions/check(_:superJournals:)`` refuses.
  package init(
    path: String,
    access: SQLiteAccess,
    busyTimeout: Int32 = 0,
    superJournals: DatabaseCompanions.SuperJournals = .refused
  ) throws(SQLiteError) {
    if access.opensExistingFile {
      try DatabaseCompanions.check(path, superJournals: superJournals)
    }
    self = try Self.open(path: path, access: access, busyTimeout: busyTimeout)
  }

  private init(_ handle: OpaquePointer, access: SQLiteAccess, path: String) {
    unsafe self.handle = handle
    callbacks = unsafe SQLiteCallbacks(handle)
    self.access = access
    self.path = path
  }

  deinit {
    // A statement that outlives the connection must not call a closure that is gone.
    unsafe sqlite3_progress_handler(handle, 0, nil, nil)
    unsafe _ = sqlite3_close_v2(handle)
  }

  private static func open(
    path: String,
    access: SQLiteAccess,
    busyTimeout: Int32
  ) throws(SQLiteError) -> SQLiteConnection {
    SQLiteLibrary.start
    let uri = try access.uri(path: path)
    if access == .create { try createFile(path: path) }
    let mode =
      switch access {
      case .readOnly, .quiescent: SQLITE_OPEN_READONLY
      case .readWrite, .create: SQLITE_OPEN_READWRITE
      case .inMemory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    let flags = mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = unsafe sqlite3_open_v2(uri, &opened, flags, nil)
    guard result == SQLITE_OK, let handle = unsafe opened else {
      defer { unsafe _ = sqlite3_close_v2(opened) }
      throw unsafe SQLiteError(result, on: opened, path: path)
    }
    let connection = unsafe SQLiteConnection(
      handle,
      access: access,
      path: access == .inMemory ? "" : path
    )
    try connection.configure(busyTimeout: busyTimeout)
    return connection
  }

  private func configure(busyTimeout: Int32) throws(SQLiteError) {
    unsafe _ = sqlite3_busy_timeout(handle, busyTimeout)
    SQLiteCage.close(around: callbacks)
    if !path.isEmpty { callbacks.work.paths.append(path) }
    removeProgress()
    // Check cells as pages are read, and read through the page cache.
    try execute(script: "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
    if access == .quiescent || access == .readOnly {
      // The last to close a database removes its -wal, even one that is none of this database's.
      var isKept: CInt = 1
      unsafe _ = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }
    switch access {
    case .quiescent: try execute(script: "PRAGMA main.locking_mode = EXCLUSIVE")
    case .readWrite:
      // SQLite falls back to reading where it may not write.
      guard unsafe sqlite3_db_readonly(handle, "main") == 0 else {
        throw SQLiteError(
          code: .readOnly,
          resultCode: SQLITE_READONLY,
          message: "\(path) cannot be written to"
        )
      }
    case .readOnly, .create, .inMemory: break
    }
  }

  /// Makes the empty file, so that of two that want to create it one fails.
  static func createFile(path: String) throws(SQLiteError) {
    var inTheWay: String?
    do throws(FileError) {
      for suffix in ["-wal", "-shm", "-journal"] where try FileSystem.exists(path + suffix) {
        inTheWay = suffix
      }
      if inTheWay == nil { _ = try OpenFile(creating: path, permissions: 0o600) }
    } catch {
      throw SQLiteError(error)
    }
    guard let inTheWay else { return }
    throw SQLiteError(code: .exists, message: "\(path)\(inTheWay) is in the way of a new database")
  }

  /// Returns the error for a result code that a call on this connection returned.
  func error(_ result: Int32, sql: String? = nil) -> SQLiteError {
    callbacks.error(result, sql: sql, path: path.isEmpty ? nil : path)
  }
}

extension SQLiteConnection {
  /// Rows that the last INSERT, UPDATE or DELETE changed, triggers excluded.
  package var changes: Int64 { unsafe sqlite3_changes64(handle) }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Returns whether the database of this name (`main` or one attached) can only be read.
  package func isReadOnly(_ schema: String = "main") -> Bool {
    unsafe sqlite3_db_readonly(handle, schema) == 1
  }
}
