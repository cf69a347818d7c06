private import CSQLite

extension SQLiteConnection {
  /// Makes a Swift closure callable from statements under a name.
  ///
  /// Where the closure throws, the statement fails with `statement`; ``takeFunctionError()`` gives
  /// what it threw.
  ///
  /// - Parameters:
  ///   - argumentCount: The number of arguments, or -1 for any.
  ///   - isDeterministic: Whether equal arguments give equal results.
  ///   - isInnocuous: Whether triggers, views and indexes of any schema may call it.
  package func createFunction(
    _ name: String,
    argumentCount: Int,
    isDeterministic: Bool = true,
    isInnocuous: Bool = false,
    _ body: @escaping (borrowing SQLiteArguments) throws -> SQLiteValue
  ) throws(SQLiteError) {
    let function = SQLiteFunction(name: name, callbacks: callbacks, body: body)
    let flags =
      SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
      | (isInnocuous ? SQLITE_INNOCUOUS : 0)
    // SQLite releases it, also where this call fails.
    let context = unsafe Unmanaged.passRetained(function).toOpaque()
    let result = unsafe sqlite3_create_function_v2(
      handle,
      name,
      Int32(clamping: argumentCount),
      flags,
      context,
      { context, count, values in unsafe SQLiteFunction.call(context, count, values) },
      nil,
      nil,
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<SQLiteFunction>.fromOpaque(context).release()
      }
    )
    guard result == SQLITE_OK else { throw error(result) }
    callbacks.functions.insert(name.lowercased())
  }

  /// Returns the error of the last failing Swift function, once.
  package func takeFunctionError() -> (any Error)? {
    defer { callbacks.functionError = nil }
    return callbacks.functionError
  }
}

extension SQLiteFunction {
  /// Runs the closure for SQLite, and hands the result back to it.
  fileprivate static func call(
    _ context: OpaquePointer?,
    _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let data = unsafe sqlite3_user_data(context) else { return }
    let function = unsafe Unmanaged<SQLiteFunction>.fromOpaque(data).takeUnretainedValue()
    let value: SQLiteValue
    do {
      value = try unsafe function.body(SQLiteArguments(count: count, values: values))
    } catch {
      function.callbacks?.functionError = error
      // Never the error's own words: they might quote a row.
      return unsafe sqlite3_result_error(context, "the function \(function.name) failed", -1)
    }
    switch value {
    case .null: unsafe sqlite3_result_null(context)
    case .integer(let value): unsafe sqlite3_result_int64(context, value)
    case .real(let value): unsafe sqlite3_result_double(context, value)
    case .text(let value): unsafe result(value, context)
    case .malformedText(let bytes): unsafe result(text: bytes, context)
    case .blob(let value) where value.isEmpty: unsafe sqlite3_result_zeroblob(context, 0)
    case .blob(let value):
      unsafe value.withUnsafeBytes {
        unsafe sqlite3_result_blob64(
          context,
          $0.baseAddress,
          UInt64($0.count),
          waystone_sqlite_transient()
        )
      }
    }
  }

  private static func result(_ value: String, _ context: OpaquePointer?) {
    var value = value
    value.withUTF8 { unsafe result(text: $0, context) }
  }

  private static func result(text bytes: [UInt8], _ context: OpaquePointer?) {
    unsafe bytes.withUnsafeBufferPointer { unsafe result(text: $0, context) }
  }

  private static func result(text buffer: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer?) {
    guard let base = buffer.baseAddress, !buffer.isEmpty else {
      return unsafe sqlite3_result_text(context, "", 0, waystone_sqlite_transient())
    }
    unsafe base.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
      unsafe sqlite3_result_text64(
        context,
        $0,
        UInt64(buffer.count),
        waystone_sqlite_transient(),
        UInt8(SQLITE_UTF8)
      )
    }
  }
}
