private import CSQLite

/// The arguments of a call of an SQL function; valid during the call only.
@safe package struct SQLiteArguments: ~Copyable {
  private let values: UnsafeMutablePointer<OpaquePointer?>?
  /// The number of arguments, which count from 0.
  package let count: Int

  init(count: Int32, values: UnsafeMutablePointer<OpaquePointer?>?) {
    self.count = unsafe values == nil ? 0 : Int(max(0, count))
    unsafe self.values = values
  }

  private func pointer(_ index: Int) -> OpaquePointer? {
    precondition(index >= 0 && index < count, "an SQL function has no argument \(index)")
    return unsafe values?[index]
  }

  /// Returns the storage class of an argument; to be asked before it is converted.
  package func storageClass(_ index: Int) -> SQLiteStorageClass {
    switch unsafe sqlite3_value_type(pointer(index)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Returns whether the argument is NULL.
  package func isNull(_ index: Int) -> Bool { storageClass(index) == .null }

  /// Returns the argument as an integer, converted as SQLite does; 0 for NULL.
  package func int64(_ index: Int) -> Int64 { unsafe sqlite3_value_int64(pointer(index)) }

  /// Returns the argument as a floating-point number, converted as SQLite does; 0 for NULL.
  package func double(_ index: Int) -> Double { unsafe sqlite3_value_double(pointer(index)) }

  /// Returns the argument as text, or nil for NULL.
  ///
  /// - Throws: ``SQLiteError``, `corrupt`, for bytes that are no UTF-8: they have no text.
  package func text(_ index: Int) throws(SQLiteError) -> String? {
    switch textValue(index) {
    case .text(let text): return text
    case .malformedText: throw .malformedText
    default: return nil
    }
  }

  /// Returns the argument as text in its own bytes; NULL for NULL.
  private func textValue(_ index: Int) -> SQLiteValue {
    let value = unsafe pointer(index)
    guard let start = unsafe sqlite3_value_text(value) else { return .null }
    let count = unsafe Int(sqlite3_value_bytes(value))
    return unsafe SQLiteValue(textOf: UnsafeBufferPointer(start: start, count: count))
  }

  /// Returns a copy of the bytes of a blob or text, or nil for NULL.
  package func blob(_ index: Int) -> [UInt8]? {
    guard !isNull(index) else { return nil }
    let value = unsafe pointer(index)
    let start = unsafe sqlite3_value_blob(value)
    let count = unsafe start == nil ? 0 : Int(sqlite3_value_bytes(value))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Returns the argument in its own storage class, copied.
  package func value(_ index: Int) -> SQLiteValue {
    switch storageClass(index) {
    case .null: .null
    case .integer: .integer(int64(index))
    case .real: .real(double(index))
    case .text: textValue(index)
    case .blob: .blob(blob(index) ?? [])
    }
  }
}
