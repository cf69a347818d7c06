private import CSQLite
internal import Files

#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

extension SQLiteError.Code {
  /// Creates the reason that an extended result code means; its low byte is the primary code.
  ///
  /// - Parameter systemErrorNumber: The operating system's error number, or 0; it distinguishes a full
  ///   disk and a failing one from damage.
  package init(resultCode: Int32, systemErrorNumber: Int32) {
    switch resultCode & 0xff {
    case SQLITE_NOMEM: self = .noMemory
    // A page that could not be read is not damaged.
    case SQLITE_NOTADB where systemErrorNumber != 0, SQLITE_CORRUPT where systemErrorNumber != 0:
      self = .ioError
    case SQLITE_IOERR where systemErrorNumber == ENOMEM: self = .noMemory
    case SQLITE_IOERR
    where [ENOSPC, EDQUOT, EFBIG].contains(systemErrorNumber):
      self = .full
    case SQLITE_CANTOPEN where Self.isOfDisk(systemErrorNumber): self = .ioError
    case SQLITE_CANTOPEN where systemErrorNumber == ENOMEM: self = .noMemory
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self = .busy
    case SQLITE_NOTADB: self = .notADatabase
    case SQLITE_CORRUPT: self = .corrupt
    case SQLITE_CANTOPEN, SQLITE_PERM: self = .cantOpen
    case SQLITE_FULL: self = .full
    case SQLITE_IOERR: self = .ioError
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_CONSTRAINT: self = .constraint
    case SQLITE_INTERRUPT, SQLITE_ABORT: self = .interrupted
    case SQLITE_SCHEMA: self = .schema
    case SQLITE_ERROR: self = .statement
    case SQLITE_AUTH: self = .denied
    default: self = .other
    }
  }

  /// Returns whether a file cannot be opened for what is neither its name nor its permissions.
  private static func isOfDisk(_ number: Int32) -> Bool {
    [EIO, EMFILE, ENFILE, ENXIO, ENODEV].contains(number)
  }
}

extension SQLiteError {
  /// Returns whether SQLite misses what a schema names: it has no code of its own for that either.
  private static func isOfForeignSchema(_ reason: String) -> Bool {
    ["no such collation sequence", "unknown function", "no such module"]
      .contains(where: reason.hasPrefix)
  }

  /// The error a call on this connection has just returned.
  ///
  /// - Parameters:
  ///   - handle: The connection, or nil where there is none; it gives file and message.
  ///   - sql: The statement's text; only its first words are kept.
  ///   - path: The file, where the connection does not know it yet.
  init(_ resultCode: Int32, on handle: OpaquePointer?, sql: String? = nil, path: String? = nil) {
    let number = unsafe Self.systemErrorNumber(resultCode, handle)
    let files = unsafe path.map { [$0] } ?? Self.files(of: handle)
    // The connection's own message is more precise ("no such column: …"), where it is of this failure.
    let own = unsafe handle.flatMap { handle -> String? in
      let isOfThisFailure = unsafe sqlite3_errcode(handle) & 0xff == resultCode & 0xff
      return isOfThisFailure
        ? unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } : nil
    }
    var code = Code(resultCode: resultCode, systemErrorNumber: number)
    var reason = unsafe own.map(Self.withoutValues) ?? String(cString: sqlite3_errstr(resultCode))
    // A file of a later SQLite than any; SQLite has no code of its own for it.
    if code == .statement, reason == "unsupported file format" { code = .notADatabase }
    if code == .statement, Self.isOfForeignSchema(reason) { code = .foreignSchema }
    if number != 0, let text = unsafe strerror(number).map({ unsafe String(cString: $0) }) {
      // SQLite's message about a page that could not be read would name the wrong cause.
      reason = code == .ioError ? "the system reports “\(text)”" : "\(reason) (\(text))"
    }
    let place = files.isEmpty ? "an in-memory database" : files.joined(separator: " and ")
    let message =
      if let sql {
        "SQLite could not run “\(SQL.firstWords(of: sql))” on \(place): \(reason)"
      } else {
        "SQLite could not use \(place): \(reason)"
      }
    self.init(code: code, resultCode: resultCode, message: message)
    systemErrorNumber = number
    if isOfLimit { recovery = FileError.largerFiles }
    self.files = files
  }

  /// Returns the system's error number of a failure with this code, or 0 where it has none.
  private static func systemErrorNumber(_ resultCode: Int32, _ handle: OpaquePointer?) -> Int32 {
    let failedRead = SQLiteSystemCalls.takeFailedRead()
    switch resultCode & 0xff {
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      guard let handle = unsafe handle else { return 0 }
      let number = unsafe sqlite3_system_errno(handle)
      // A COMMIT that fails leaves the number with the file alone.
      return unsafe number == 0 && resultCode & 0xff == SQLITE_IOERR
        ? lastErrorNumber(ofFileOf: handle) : number
    case SQLITE_CORRUPT, SQLITE_NOTADB: return failedRead ?? 0
    default: return 0
    }
  }

  /// Returns the last error number of the operating system for a connection's own file, or 0.
  private static func lastErrorNumber(ofFileOf handle: OpaquePointer) -> Int32 {
    var number: Int32 = 0
    let result = unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &number)
    return result == SQLITE_OK ? number : 0
  }

  /// Returns the files of a connection: its own, then those that are attached.
  private static func files(of handle: OpaquePointer?) -> [String] {
    guard let handle = unsafe handle else { return [] }
    var files: [String] = []
    var index: Int32 = 0
    while let name = unsafe waystone_sqlite_database_name(handle, index) {
      if let file = unsafe sqlite3_db_filename(handle, name), unsafe file.pointee != 0 {
        files.append(unsafe String(cString: file))
      }
      index += 1
    }
    return files
  }
}

extension SQLiteError {
  /// Whether the process may not make so large a file, which the same process cannot ever.
  package var isOfLimit: Bool { systemErrorNumber == EFBIG }

  /// Whether a signal interrupted a call of the operating system that SQLite did not make again.
  package var isInterruptedCall: Bool { systemErrorNumber == EINTR }
}

extension SQLiteConnection {
  /// Throws if the system refused a read since the last error that this thread received.
  ///
  /// For checks of a file, which SQLite reports as rows and not as an error: a page that could not be read
  /// is there reported as damaged.
  ///
  /// - Throws: ``SQLiteError`` with `ioError`.
  package func checkReads() throws(SQLiteError) {
    guard let number = SQLiteSystemCalls.takeFailedRead() else { return }
    let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    var error = SQLiteError(
      code: .ioError,
      resultCode: SQLITE_IOERR,
      message: "SQLite could not read \(path): the system reports “\(reason)”"
    )
    error.systemErrorNumber = number
    error.files = [path]
    throw error
  }
}

extension SQLiteError {
  /// Returns SQLite's own words, where they cannot repeat a value: of all its functions only JSON paths
  /// put one in an error, and a path may come from a row.
  private static func withoutValues(_ reason: String) -> String {
    let repeatsPath = ["JSON path error near", "bad JSON path"].contains { reason.hasPrefix($0) }
    return repeatsPath ? "a JSON path is malformed" : reason
  }
}

extension SQLiteCallbacks {
  /// Returns the error for a result code that a call on the connection returned, with the cage's own reason.
  ///
  /// - Parameters:
  ///   - sql: The statement's text; only its first words are kept.
  ///   - path: The file, where the connection does not know it yet.
  func error(_ resultCode: Int32, sql: String? = nil, path: String? = nil) -> SQLiteError {
    var error = unsafe SQLiteError(resultCode, on: handle, sql: sql, path: path)
    let place = path ?? work.paths.first ?? "an in-memory database"
    if error.code == .denied, let refusal {
      let words = sql.map { " in “\(SQL.firstWords(of: $0))”" } ?? ""
      error.message = "\(refusal) is not allowed\(words) on \(place)"
    } else if error.code == .interrupted, work.isExceeded {
      error.code = .tooMuchWork
      error.recovery = error.code.recovery
      let words = sql.map { "“\(SQL.firstWords(of: $0))”" } ?? "a statement"
      error.message = "\(place) makes \(words) do more work than its size explains"
    }
    refusal = nil
    work.isExceeded = false
    return error
  }
}
