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
