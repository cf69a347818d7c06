private import CSQLite

extension SQLiteConnection {
  /// Compiles one statement.
  ///
  /// - Throws: ``SQLiteError``; `statement` also where the text holds none or more than one, `denied`
  ///   where it would do what ``SQLiteCage`` does not list.
  package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var text = sql
    var offset = 0
    guard let first = try compile(&text, &offset) else {
      throw SQLiteError(code: .statement, message: "There is no statement in the text given")
    }
    // A second statement is not even compiled.
    guard SQL.isEmpty(text.utf8.dropFirst(offset)) else {
      throw SQLiteError(
        code: .statement,
        message: "More than one statement in “\(SQL.firstWords(of: sql))”"
      )
    }
    return first
  }

  /// Runs one statement with values for its parameters, in order, ignoring rows.
  ///
  /// - Throws: As ``prepare(_:)`` does, and what the statement fails with.
  package func execute(
    _ sql: String,
    _ values: [SQLiteValue] = []
  ) throws(SQLiteError) {
    let statement = try prepare(sql)
    try statement.bind(values)
    try statement.run()
  }

  /// Lets up to 32 MB of the database's pages stay in memory, for a reader that looks up rows in any
  /// order.
  ///
  /// With SQLite's own 2 MB, each page of a store of 20 MB is read some sixty times while its links are
  /// digested and counted. The database has been read before: a pragma of its cache reads its schema.
  package func enlargeCache() throws(SQLiteError) {
    try execute(script: "PRAGMA main.cache_size = -32000")
  }

  /// Lets SQLite's own 2 MB of pages stay in memory again.
  package func shrinkCache() throws(SQLiteError) {
    try execute(script: "PRAGMA main.cache_size = -2000")
  }

  /// Runs all statements of a constant of our own code, one after the other, ignoring rows.
  ///
  /// Only such a text may be more than one statement, or set pragmas: no part of it comes from a
  /// file.
  package func execute(script: StaticString) throws(SQLiteError) {
    try permitting(.settings) { () throws(SQLiteError) in
      var text = script.description
      var offset = 0
      while let statement = try compile(&text, &offset) { try statement.run() }
    }
  }

  /// Runs the closure with another permission for what it compiles and runs.
  func permitting<Value>(
    _ permission: SQLitePermission,
    _ body: () throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    let before = callbacks.permission
    callbacks.permission = permission
    defer { callbacks.permission = before }
    return try body()
  }

  /// Returns the first column of the first row, or nil where there is no row or it is NULL.
  package func integer(
    _ sql: String,
    _ values: [SQLiteValue] = []
  ) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() && !statement.isNull(0) ? statement.int64(0) : nil
  }

  /// Returns the first column of the first row as text, or nil where there is no row or it is NULL.
  package func text(
    _ sql: String,
    _ values: [SQLiteValue] = []
  ) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    try statement.bind(values)
    return try statement.step() ? try statement.text(0) : nil
  }

  /// Returns all rows, copied; for small results.
  package func rows(
    _ sql: String,
    _ values: [SQLiteValue] = []
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    let statement = try prepare(sql)
    try statement.bind(values)
    var rows: [[SQLiteValue]] = []
    while try statement.step() { rows.append(statement.values) }
    return rows
  }

  /// Compiles the first statement at or after an offset in the text, skipping empty ones.
  ///
  /// - Parameter offset: Moved behind the statement.
  /// - Returns: The statement, or nil where only space and comments are left.
  func compile(
    _ text: inout String,
    _ offset: inout Int
  ) throws(SQLiteError) -> SQLiteStatement? {
    while true {
      var compiled: OpaquePointer?
      var result = SQLITE_OK
      var next = offset
      text.withUTF8 { buffer in
        guard offset < buffer.count, let base = buffer.baseAddress else { return }
        unsafe base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { base in
          var tail: UnsafePointer<CChar>?
          let length = Int32(clamping: buffer.count - offset)
          result = unsafe sqlite3_prepare_v3(handle, base + offset, length, 0, &compiled, &tail)
          next = unsafe tail.map { unsafe $0 - base } ?? buffer.count
        }
      }
      guard result == SQLITE_OK else {
        throw error(result, sql: String(decoding: text.utf8.dropFirst(offset), as: UTF8.self))
      }
      let isAtEnd = next == offset
      offset = next
      if let compiled = unsafe compiled { return unsafe SQLiteStatement(compiled, callbacks) }
      // Else it was an empty statement, such as the space after a semicolon.
      if isAtEnd { return nil }
    }
  }
}
