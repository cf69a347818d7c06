private import CSQLite

extension SQLiteConnection {
  /// Lets the closure write rows of the schema of `main`, in the transaction that is open.
  ///
  /// That is done as sqlite.org/pragma.html describes for `writable_schema`. Cached parts of the schema are
  /// dropped.
  func editingSchema(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    setDefensive(false)
    defer { setDefensive(true) }
    try permitting(.editingSchema) { () throws(SQLiteError) in
      try execute("PRAGMA writable_schema = ON")
    }
    var failure: SQLiteError?
    do throws(SQLiteError) { try body() } catch { failure = error }
    let version = try integer("PRAGMA main.schema_version") ?? 0
    try permitting(.editingSchema) { () throws(SQLiteError) in
      // Connections that have read the schema read it again.
      try execute("PRAGMA main.schema_version = \(version &+ 1)")
      try execute("PRAGMA writable_schema = RESET")
    }
    if let failure { throw failure }
  }

  /// Returns whether tables of `main` are made by statements that ALTER changes as it should.
  ///
  /// A uniqueness constraint within the statement (as iOS 9 wrote it) would stay for ever.
  package func areAlterable(_ tables: [String]) throws(SQLiteError) -> Bool {
    for table in tables {
      // Sequence, name, uniqueness, origin; that of a primary key is `pk`.
      let indexes = try rows("PRAGMA main.index_list(\(SQL.literal(.text(table))))")
      guard !indexes.contains(where: { $0[3].text == "u" }) else { return false }
      if let text = try createText(of: table), !text.isPlain { return false }
    }
    return true
  }

  /// Returns whether ``retype(_:of:)`` understands what makes a table of `main`, as far as these columns go.
  ///
  /// - Parameter columns: Their names and the types that they must have.
  package func canRetype(
    _ columns: [(name: String, type: String)],
    of table: String
  ) throws(SQLiteError) -> Bool {
    guard !columns.isEmpty else { return true }
    guard let text = try createText(of: table) else { return false }
    return columns.allSatisfy { text.place(of: $0.name, declaredAs: $0.type) != nil }
  }

  /// Gives columns of a table of `main` other declared types; no row is written.
  ///
  /// It is for types that store the same values alike. The rest of the statement that makes the table
  /// stays as it is, and so does all that SQLite reports about its columns.
  ///
  /// - Throws: ``SQLiteError``; `other` where ``canRetype(_:of:)`` is false, or something else would change.
  ///   The transaction must not be committed then.
  package func retype(
    _ columns: [(name: String, type: String)],
    of table: String
  ) throws(SQLiteError) {
    var expected = try declaredColumns(of: table)
    guard var text = try createText(of: table) else { throw Self.unknown(table) }
    for column in columns {
      let name = column.name.lowercased()
      guard let index = expected.firstIndex(where: { $0[0].text?.lowercased() == name }),
        let old = expected[index][1].text, let place = text.place(of: column.name, declaredAs: old)
      else { throw Self.unknown(table) }
      text.replace(place, with: column.type)
      expected[index][1] = .text(column.type)
    }
    try editingSchema { () throws(SQLiteError) in
      try execute(
        "UPDATE main.sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
        [.text(text.sql), .text(table)]
      )
    }
    guard try declaredColumns(of: table) == expected else { throw Self.unknown(table) }
  }

  private func createText(of table: String) throws(SQLiteError) -> CreateTableText? {
    try text(
      "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?",
      [.text(table)]
    ).map { CreateTableText($0) }
  }

  /// Returns all that SQLite reports about the columns of a table, with their names and declared types first.
  private func declaredColumns(of table: String) throws(SQLiteError) -> [[SQLiteValue]] {
    try rows(
      "SELECT name, type, cid, \"notnull\", dflt_value, pk, hidden "
        + "FROM pragma_table_xinfo(?, 'main') ORDER BY cid",
      [.text(table)]
    )
  }

  private static func unknown(_ table: String) -> SQLiteError {
    SQLiteError(
      code: .other,
      message:
        "The statement that makes the table \(table) is of a form in which no type is changed"
    )
  }
}
