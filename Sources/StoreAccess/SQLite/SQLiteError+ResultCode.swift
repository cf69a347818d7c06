private import CSQLite

extension SQLiteError.Code {
  /// The reason an extended result code stands for; its low byte is the primary code.
  init(resultCode: Int32) {
    switch resultCode & 0xff {
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
}

extension SQLiteError {
  /// The error a call on this connection has just returned.
  ///
  /// - Parameters:
  ///   - handle: The connection, or nil where there is none; it gives file and message.
  ///   - sql: The statement's text, of which only the first words are kept.
  ///   - path: The file, where the connection cannot tell it yet.
  init(_ resultCode: Int32, on handle: OpaquePointer?, sql: String? = nil, path: String? = nil) {
    let name = unsafe handle.flatMap { unsafe sqlite3_db_filename($0, "main") }
    let file = unsafe path ?? name.map { unsafe String(cString: $0) } ?? ""
    // The connection's own message says more ("no such column: …"), where it is of this failure.
    let own = unsafe handle.flatMap { handle -> String? in
      let isOfThisFailure = unsafe sqlite3_errcode(handle) & 0xff == resultCode & 0xff
      return isOfThisFailure
        ? unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } : nil
    }
    let reason = unsafe own ?? String(cString: sqlite3_errstr(resultCode))
    let place = file.isEmpty ? "an in-memory database" : file
    let message =
      if let sql {
        "SQLite could not run “\(SQL.firstWords(of: sql))” on \(place): \(reason)"
      } else {
        "SQLite could not use \(place): \(reason)"
      }
    self.init(code: Code(resultCode: resultCode), resultCode: resultCode, message: message)
  }
}

extension SQLiteCallbacks {
  /// The error for a result code that a call on the connection returned, with the cage's own reason.
  ///
  /// - Parameters:
  ///   - sql: The statement's text, of which only the first words are kept.
  ///   - path: The file, where the connection cannot tell it yet.
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
