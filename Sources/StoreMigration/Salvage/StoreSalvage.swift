import StoreAccess

/// A reader of all readable rows of a damaged store: to report them, or into a file of its own.
struct StoreSalvage {
  /// The lines of SQLite's check of the store.
  let faults: [String]
  let cancellation: Cancellation

  /// Reports the rows that can be read, writing nothing.
  ///
  /// - Throws: ``SQLiteError`` and ``StoreAccessError``; `damaged` where the schema itself cannot
  ///   be read.
  /// - Complexity: One reading of the store.
  func survey(_ connection: borrowing SQLiteConnection) throws -> SalvageAccount {
    var account = SalvageAccount(faults: faults)
    let names = Self.entityNames(connection)
    for object in try tables(of: connection) {
      account.tables.append(try read(object, connection, names) { _ in true })
    }
    note(FaultyPages(faults, connection), in: &account)
    return account
  }

  /// Copies all readable rows into a new file, with indexes made anew.
  ///
  /// - Parameter path: The path of the new file. It is thrown away as a whole if this fails.
  func copy(_ connection: borrowing SQLiteConnection, to path: String) throws -> SalvageAccount {
    let output = PreparedDatabase(try SQLiteConnection(path: path, access: .create))
    try SchemaWriter.prepareNewFile(output.connection)
    try output.connection.setJournalMode(.off)
    try output.connection.execute(script: "PRAGMA main.synchronous = OFF")
    var account = SalvageAccount(faults: faults)
    let names = Self.entityNames(connection)
    let objects = try SchemaObject.all(in: connection)
    try output.connection.execute("BEGIN")
    for object in try tables(of: connection) {
      try output.connection.create(object)
      let writer = try writer(of: object, connection, output)
      account.tables.append(try read(object, connection, names) { try writer.write($0) })
    }
    for object in objects where object.kind != .table {
      guard object.sql != nil else { continue }
      do throws(SQLiteError) { try output.connection.create(object) } catch {
        guard [.constraint, .statement, .denied, .foreignSchema].contains(error.code) else {
          throw error
        }
        account.leftOut.append(object.name)
      }
    }
    try copySequences(objects, connection, output)
    let numbers = try ["user_version", "application_id"].map { pragma in
      Int32(clamping: try connection.integer("PRAGMA main.\(pragma)") ?? 0)
    }
    try output.connection.setUserVersion(numbers[0])
    try output.connection.setApplicationID(numbers[1])
    try output.connection.execute("COMMIT")
    note(FaultyPages(faults, connection), in: &account)
    return account
  }

  private func note(_ pages: FaultyPages, in account: inout SalvageAccount) {
    account.hasStrayPages = pages.areStray
    for place in account.tables.indices where pages.tables.contains(account.tables[place].name) {
      account.tables[place].hasDamagedPages = true
    }
  }

  /// Copies the counters by which AUTOINCREMENT never gives a number twice, as far as they can be
  /// read; a table without one goes on from its greatest key.
  private func copySequences(
    _ objects: [SchemaObject],
    _ connection: borrowing SQLiteConnection,
    _ output: PreparedDatabase
  ) throws {
    let isThere = try output.connection.integer(
      "SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'"
    )
    guard let object = objects.first(where: { $0.name == "sqlite_sequence" }), isThere != nil
    else { return }
    try output.connection.execute("DELETE FROM main.sqlite_sequence")
    let writer = try writer(of: object, connection, output)
    _ = try read(object, connection, [:]) { try writer.write($0) }
  }

  /// Returns the tables that hold rows, in the order in which they were made.
  private func tables(of connection: borrowing SQLiteConnection) throws -> [SchemaObject] {
    try SchemaObject.all(in: connection).filter { object in
      object.kind == .table && !object.name.lowercased().hasPrefix("sqlite_")
        && !object.isVirtual
    }
  }

  // MARK: Reading

  /// Reads a table.
  ///
  /// - Parameter take: Returns whether a row could be kept.
  private func read(
    _ object: SchemaObject,
    _ connection: borrowing SQLiteConnection,
    _ names: [Int64: String],
    take: (borrowing SQLiteStatement) throws -> Bool
  ) throws -> SalvageAccount.Table {
    let columns = try Self.columns(of: object.name, connection)
    let number = try RowNumber(of: object.name, in: "main", on: connection).name
    var table = DamagedTable(name: object.name, columns: columns, number: number)
    var account = SalvageAccount.Table(name: object.name)
    let offset = number == nil ? 0 : 1
    let entity = object.isOfEntities ? columns.firstIndex(of: "Z_ENT").map { $0 + offset } : nil
    var counts: [Int64: Int64] = [:]
    var rows = 0
    let reading = try table.read(on: connection) { row in
      rows += 1
      if rows % 1024 == 0 { try cancellation.check() }
      guard try take(row) else {
        account.duplicates += 1
        return
      }
      if let entity, row.storageClass(entity) == .integer {
        counts[row.int64(entity), default: 0] += 1
      }
    }
    account.rows = reading.rows - account.duplicates
    account.gaps = reading.gaps
    for (number, count) in counts { account.entities[names[number] ?? "entity \(number)"] = count }
    return account
  }

  private static func columns(
    of table: String,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [String] {
    try connection.rows("PRAGMA main.table_info(\(SQL.identifier(table)))").compactMap {
      $0.count > 1 ? $0[1].text : nil
    }
  }

  /// Returns the names of the entities by number, as far as they can be read.
  private static func entityNames(_ connection: borrowing SQLiteConnection) -> [Int64: String] {
    let rows = (try? PrimaryKeyTable(reading: connection).rows) ?? []
    return Dictionary(rows.map { ($0.entityNumber, $0.name) }) { first, _ in first }
  }

  // MARK: Writing

  /// A writer of the rows of one table, each value as it is.
  private struct Writer {
    let database: PreparedDatabase
    let statement: PreparedStatement
    let count: Int

    /// Returns whether the table took the row.
    func write(_ row: borrowing SQLiteStatement) throws(SQLiteError) -> Bool {
      for column in 0..<count {
        try statement.statement.bind(column: column, of: row, at: column + 1)
      }
      try statement.statement.run()
      return database.connection.changes > 0
    }
  }

  private func writer(
    of object: SchemaObject,
    _ connection: borrowing SQLiteConnection,
    _ output: PreparedDatabase
  ) throws(SQLiteError) -> Writer {
    let columns = try Self.columns(of: object.name, connection)
    let number = try RowNumber(of: object.name, in: "main", on: connection).name
    let names = (number.map { [$0] } ?? []) + columns.map { SQL.identifier($0) }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    let statement = try output.cursor(
      "INSERT OR IGNORE INTO main.\(SQL.identifier(object.name)) "
        + "(\(names.joined(separator: ", "))) VALUES (\(marks))"
    )
    return Writer(database: output, statement: statement, count: names.count)
  }
}
