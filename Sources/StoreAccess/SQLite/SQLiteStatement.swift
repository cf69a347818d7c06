private import CSQLite

/// A compiled statement with its bound values and its current row.
@safe package struct SQLiteStatement: ~Copyable {
  let handle: OpaquePointer
  /// Kept, because SQLite asks them whenever it compiles the statement anew.
  private let callbacks: SQLiteCallbacks

  init(_ handle: OpaquePointer, _ callbacks: SQLiteCallbacks) {
    unsafe self.handle = handle
    self.callbacks = callbacks
  }

  deinit { unsafe _ = sqlite3_finalize(handle) }

  /// Moves to the next row.
  ///
  /// - Returns: Whether there is one. After the last the statement starts over at the next call.
  /// - Throws: ``SQLiteError``.
  package func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      // Frees the read lock at once instead of when the statement goes.
      unsafe _ = sqlite3_reset(handle)
      return false
    case let result: throw error(result)
    }
  }

  /// Runs the statement to its end, ignoring rows, ready to be bound anew.
  package func run() throws(SQLiteError) { while try step() {} }

  /// Makes the statement start over; bound values stay.
  package func reset() { unsafe _ = sqlite3_reset(handle) }

  /// Whether the statement writes nothing by itself.
  package var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(handle) != 0 }

  private func error(_ result: Int32) -> SQLiteError {
    let sql = unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) }
    let error = callbacks.error(result, sql: sql)
    // A failed statement keeps its locks until it is reset.
    unsafe _ = sqlite3_reset(handle)
    return error
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    guard result == SQLITE_OK else { throw error(result) }
  }
}

extension SQLiteStatement {
  /// Binds an integer to the parameter of this index, which counts from 1.
  package func bind(_ value: Int64, at index: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_int64(handle, Int32(clamping: index), value))
  }

  /// Binds a floating-point number; SQLite stores "not a number" as NULL.
  package func bind(_ value: Double, at index: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_double(handle, Int32(clamping: index), value))
  }

  /// Binds text, which is copied.
  package func bind(_ value: String, at index: Int) throws(SQLiteError) {
    var value = value
    try check(value.withUTF8 { unsafe bind(text: $0, at: index) })
  }

  /// Binds text by its bytes, which are copied and need not be UTF-8.
  private func bind(text bytes: [UInt8], at index: Int) throws(SQLiteError) {
    try check(unsafe bytes.withUnsafeBufferPointer { unsafe bind(text: $0, at: index) })
  }

  /// Binds text by its bytes, which are copied.
  ///
  /// - Returns: SQLite's result code.
  private func bind(text bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int32 {
    let index = Int32(clamping: index)
    // A null pointer would bind NULL.
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      return unsafe sqlite3_bind_text(handle, index, "", 0, waystone_sqlite_transient())
    }
    return unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      unsafe sqlite3_bind_text64(
        handle,
        index,
        $0,
        UInt64(bytes.count),
        waystone_sqlite_transient(),
        UInt8(SQLITE_UTF8)
      )
    }
  }

  /// Binds a blob, which is copied; an empty one stays a blob and does not become NULL.
  package func bind(_ value: [UInt8], at index: Int) throws(SQLiteError) {
    guard !value.isEmpty else {
      return try check(unsafe sqlite3_bind_zeroblob(handle, Int32(clamping: index), 0))
    }
    let result = unsafe value.withUnsafeBytes {
      unsafe sqlite3_bind_blob64(
        handle,
        Int32(clamping: index),
        $0.baseAddress,
        UInt64($0.count),
        waystone_sqlite_transient()
      )
    }
    try check(result)
  }

  /// Binds text or a blob where it is: it must stay there until the parameter has another value.
  @unsafe func bind(
    inPlace bytes: UnsafeRawBufferPointer,
    as storageClass: SQLiteStorageClass,
    at index: Int
  ) throws(SQLiteError) {
    let index = Int32(clamping: index)
    let isText = storageClass == .text
    // A null pointer would bind NULL.
    guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
      return try check(
        unsafe isText
          ? sqlite3_bind_text(handle, index, "", 0, waystone_sqlite_transient())
          : sqlite3_bind_zeroblob(handle, index, 0)
      )
    }
    let count = UInt64(bytes.count)
    try check(
      unsafe isText
        ? sqlite3_bind_text64(
          handle,
          index,
          start.assumingMemoryBound(to: CChar.self),
          count,
          waystone_sqlite_static(),
          UInt8(SQLITE_UTF8)
        )
        : sqlite3_bind_blob64(handle, index, start, count, waystone_sqlite_static())
    )
  }

  /// Binds NULL.
  package func bindNull(at index: Int) throws(SQLiteError) {
    try check(unsafe sqlite3_bind_null(handle, Int32(clamping: index)))
  }

  /// Binds a value of any storage class.
  package func bind(_ value: SQLiteValue, at index: Int) throws(SQLiteError) {
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let value): try bind(value, at: index)
    case .real(let value): try bind(value, at: index)
    case .text(let value): try bind(value, at: index)
    case .malformedText(let bytes): try bind(text: bytes, at: index)
    case .blob(let value): try bind(value, at: index)
    }
  }

  /// Binds the values to the parameters in order, the first to index 1.
  ///
  /// - Throws: ``SQLiteError`` also where there are more values than parameters.
  package func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  /// Binds column `column` of another statement's current row without looking at it.
  package func bind(
    column: Int,
    of other: borrowing SQLiteStatement,
    at index: Int
  ) throws(SQLiteError) {
    let value = unsafe sqlite3_column_value(other.handle, Int32(clamping: column))
    try check(unsafe sqlite3_bind_value(handle, Int32(clamping: index), value))
  }
}
