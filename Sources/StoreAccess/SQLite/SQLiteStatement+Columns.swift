private import CSQLite

extension SQLiteStatement {
  /// The number of columns of a row, which count from 0.
  package var columnCount: Int { unsafe Int(sqlite3_column_count(handle)) }

  /// Returns the name of a column, as the statement or the table spells it.
  package func columnName(_ column: Int) -> String {
    unsafe sqlite3_column_name(handle, Int32(clamping: column)).map { unsafe String(cString: $0) }
      ?? ""
  }

  /// Returns the storage class of the current row's value; to be asked before the value is converted.
  package func storageClass(_ column: Int) -> SQLiteStorageClass {
    switch unsafe sqlite3_column_type(handle, Int32(clamping: column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Returns whether the value is NULL; also of a column that does not exist.
  package func isNull(_ column: Int) -> Bool { storageClass(column) == .null }

  /// Returns the value as an integer, converted as SQLite does; 0 for NULL.
  package func int64(_ column: Int) -> Int64 {
    unsafe sqlite3_column_int64(handle, Int32(clamping: column))
  }

  /// Returns the value as a floating-point number, converted as SQLite does; 0 for NULL.
  package func double(_ column: Int) -> Double {
    unsafe sqlite3_column_double(handle, Int32(clamping: column))
  }

  /// Returns the value as text, or nil for NULL.
  ///
  /// - Throws: ``SQLiteError``, `corrupt`, for bytes that are no UTF-8: they have no text.
  package func text(_ column: Int) throws(SQLiteError) -> String? {
    switch textValue(column) {
    case .text(let text): return text
    case .malformedText: throw .malformedText
    default: return nil
    }
  }

  /// Returns the value as text in its own bytes; NULL for NULL.
  private func textValue(_ column: Int) -> SQLiteValue {
    let column = Int32(clamping: column)
    // The pointer first: asking for it may convert, which changes the count.
    guard let start = unsafe sqlite3_column_text(handle, column) else { return .null }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe SQLiteValue(textOf: UnsafeBufferPointer(start: start, count: count))
  }

  /// Returns a copy of the bytes of a blob or text, or nil for NULL.
  package func blob(_ column: Int) -> [UInt8]? {
    isNull(column) ? nil : unsafe withBytes(column) { unsafe [UInt8]($0) }
  }

  /// Lends the bytes of a blob or text without copying; none for NULL.
  ///
  /// The buffer is valid inside the closure, which must not step or reset the statement.
  @unsafe package func withBytes<Value, Failure: Error>(
    _ column: Int,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try unsafe body(heldBytes(column))
  }

  /// Lends the bytes of a text as UTF-8 without copying, in any encoding of the database; none for NULL.
  ///
  /// The buffer is valid inside the closure, which must not step or reset the statement.
  @unsafe func withText<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
    unsafe body(heldText(column))
  }

  /// Returns the bytes of a blob or text where SQLite holds them, until the next step or reset; none for NULL.
  @unsafe package func heldBytes(_ column: Int) -> UnsafeRawBufferPointer {
    let column = Int32(clamping: column)
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    // An empty blob has no address.
    return unsafe UnsafeRawBufferPointer(start: start, count: unsafe start == nil ? 0 : count)
  }

  /// Returns the bytes of a text as UTF-8 where SQLite holds them, in any encoding of the database, until the next
  /// step or reset; none for NULL.
  @unsafe package func heldText(_ column: Int) -> UnsafeRawBufferPointer {
    let column = Int32(clamping: column)
    // The pointer first: asking for it may convert, which changes the count.
    let start = unsafe sqlite3_column_text(handle, column)
    let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    return unsafe UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Returns the value in its own storage class, copied.
  package func value(_ column: Int) -> SQLiteValue {
    switch storageClass(column) {
    case .null: .null
    case .integer: .integer(int64(column))
    case .real: .real(double(column))
    case .text: textValue(column)
    case .blob: .blob(blob(column) ?? [])
    }
  }

  /// Returns the values of some columns of the current row, copied, in the order of the columns given.
  package func values(of columns: [Int]) -> [SQLiteValue] { columns.map { value($0) } }

  /// All values of the current row, copied.
  package var values: [SQLiteValue] { (0..<columnCount).map { value($0) } }
}
