package import StoreAccess

/// A comparison of a database's indexes with their tables.
///
/// SQLite's quick check does not: an index may lack rows, name others or be out of order, and queries
/// that it answers are then wrong. Most are proven with their pages, see ``PageVerification``. Each
/// other index is read once from left to right, and each table once: the entries of both must have the
/// same digest, and those of the index must be in order. That costs about an eighth of SQLite's
/// integrity check, which looks each row up in each index. SQLite's check is used where an index is on
/// an expression or on the number of the row, holds a part of the rows, or does not compare text byte by
/// byte, and where the pages show that it is wrong.
package struct IndexCheck {
  /// `main`, or the name of an attached database.
  let database: String

  /// An index that is not its table's.
  package struct Fault: Hashable {
    /// The table.
    package var table: String
    /// The index.
    package var index: String

    /// An index of a table.
    package init(table: String, index: String) {
      self.table = table
      self.index = index
    }
  }

  /// The result of a check.
  package struct Result: Hashable {
    /// The number of checked indexes.
    package var count: Int64 = 0
    /// The indexes that differ from their tables.
    package var faults: [Fault] = []
  }

  /// A check of the indexes of a database.
  package init(database: String) { self.database = database }

  /// Checks all indexes of all tables.
  ///
  /// - Parameter proof: The proof of these pages, or of their originals; nil for none.
  /// - Throws: ``SQLiteError``, also for a file whose pages are damaged.
  /// - Complexity: One reading of each index and each table that has one.
  package func run(
    on connection: borrowing SQLiteConnection,
    proof: PageVerification?
  ) throws -> Result {
    try connection.createRowFunctions()
    let isPlainText = try connection.text("PRAGMA \(SQL.identifier(database)).encoding") == "UTF-8"
    var result = Result()
    for object in try SchemaObject.all(in: connection, schema: database)
    where object.kind == .table && !object.isVirtual {
      let all = try indexes(of: object, on: connection)
      result.count += Int64(all.count)
      let indexes = all.filter { !(proof?.indexes.contains($0.name) ?? false) }
      guard !indexes.isEmpty else { continue }
      let number = try rowNumber(of: object.name, on: connection)
      let plain = indexes.filter { index in
        isPlainText && index.isPlain && !(proof?.wrongIndexes.contains(index.name) ?? false)
      }
      var faults: Set<String> = []
      if let number, !plain.isEmpty {
        try faults.formUnion(compare(object.name, number, plain, on: connection))
      }
      if number == nil || plain.count < indexes.count {
        try faults.formUnion(lookUp(object.name, all, on: connection))
      }
      result.faults += faults.sorted().map { Fault(table: object.name, index: $0) }
    }
    return result
  }

  /// Returns the number of a wrong index's entries without a row: rows were lost, or changed.
  /// - Returns: nil for unknown: the entries cannot be read, or SQLite gives them only together
  ///   with the rows.
  /// - Complexity: One reading of both, and a sort.
  package func entriesWithoutRow(
    _ fault: Fault,
    on connection: borrowing SQLiteConnection
  ) throws -> Int64? {
    let object = try SchemaObject.all(in: connection, schema: database).first {
      $0.kind == .table && $0.name == fault.table
    }
    guard let object,
      let index = try indexes(of: object, on: connection).first(where: { $0.name == fault.index }),
      index.isPlain, let number = try rowNumber(of: fault.table, on: connection)
    else { return nil }
    let values = (index.columns.map { SQL.identifier($0) } + [number]).joined(separator: ", ")
    let table = SQL.identifier(database, fault.table)
    let entries = "SELECT \(values) FROM \(table) INDEXED BY \(SQL.identifier(index.name))"
    return try Self.read {
      () throws(SQLiteError) in
      try connection.integer(
        "SELECT COUNT(*) FROM (\(entries) EXCEPT SELECT \(values) FROM \(table) NOT INDEXED)"
      ) ?? 0
    }
  }

  /// Makes indexes anew out of their tables.
  ///
  /// - Throws: ``SQLiteError``, `constraint` where rows share a value that an index keeps unique.
  package func repair(_ faults: [Fault], on connection: borrowing SQLiteConnection)
    throws(SQLiteError)
  {
    for fault in faults {
      try connection.execute("REINDEX \(SQL.identifier(database, fault.index))")
    }
  }

  // MARK: Indexes

  private struct Index {
    var name: String
    var columns: [String]
    /// See `waystone_disorder`.
    var form: String
    /// Whether it contains each row of the table once, in an order that this check can verify.
    var isPlain: Bool
  }

  private func indexes(
    of table: SchemaObject,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Index] {
    let prefix = SQL.identifier(database)
    let columns = try connection.rows(
      "PRAGMA \(prefix).table_xinfo(\(SQL.identifier(table.name)))"
    )
    let keys = columns.filter { $0.count > 5 && $0[5].integer != 0 }.compactMap { $0[1].text }
    let list = try connection.rows("PRAGMA \(prefix).index_list(\(SQL.identifier(table.name)))")
    var indexes: [Index] = []
    for row in list where row.count > 4 {
      guard let name = row[1].text else { continue }
      let terms = try connection.rows("PRAGMA \(prefix).index_xinfo(\(SQL.identifier(name)))")
      var index = Index(
        name: name,
        columns: [],
        form: row[2].integer == 1 ? "u" : ".",
        isPlain: row[4].integer == 0
      )
      for term in terms where term.count > 5 && term[5].integer == 1 {
        index.form += term[3].integer == 1 ? "-" : "+"
        guard let column = term[2].text, term[4].text == "BINARY" else {
          index.isPlain = false
          continue
        }
        // SQLite answers for such a column with the row's number, and does not read the index.
        if keys == [column] { index.isPlain = false }
        index.columns.append(column)
      }
      indexes.append(index)
    }
    return indexes
  }

  // MARK: Comparing

  /// Returns the indexes of a table whose entries are not its rows, or are out of order.
  private func compare(
    _ table: String,
    _ number: String,
    _ indexes: [Index],
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [String] {
    func values(_ index: Index) -> String {
      (index.columns.map { SQL.identifier($0) } + [number]).joined(separator: ", ")
    }
    let digests = indexes.map { "waystone_digest(\(values($0)))" }
    let rows = try connection.counts(
      "SELECT COUNT(*), \(digests.joined(separator: ", ")) FROM \(SQL.scan(database, table))"
    )
    var faults: [String] = []
    for (index, digest) in zip(indexes, rows.dropFirst()) {
      // The index has all columns of the query, so that SQLite reads nothing else.
      let entries = try Self.read {
        () throws(SQLiteError) in
        try connection.counts(
          "SELECT COUNT(*), waystone_digest(\(values(index))), "
            + "waystone_disorder(\(SQL.literal(index.form + "+")), \(values(index))) "
            + "FROM \(SQL.identifier(database, table)) INDEXED BY \(SQL.identifier(index.name))"
        )
      }
      if entries != [rows[0], digest, 0] { faults.append(index.name) }
    }
    return faults
  }

  /// Returns the answer; nil where an entry cannot be read, which the quick check does not notice.
  private static func read<Answer>(
    _ body: () throws(SQLiteError) -> Answer
  ) throws(SQLiteError) -> Answer? {
    do throws(SQLiteError) { return try body() } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  /// Returns a name of the row's number; nil where columns take all, and for a table WITHOUT ROWID,
  /// which is the index of its primary key.
  private func rowNumber(
    of table: String,
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> String? {
    try RowNumber(of: table, in: database, on: connection).name
  }

  /// Returns the indexes that lack rows of a table, by SQLite's own lookup of each row.
  ///
  /// - Parameter indexes: All indexes of the table: SQLite checks each.
  /// - Returns: The indexes that SQLite names; all, where it names none.
  private func lookUp(
    _ table: String,
    _ indexes: [Index],
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [String] {
    let prefix = SQL.identifier(database)
    let lines = try Self.read {
      () throws(SQLiteError) in
      try connection.rows("PRAGMA \(prefix).integrity_check(\(SQL.literal(table)))")
    }
    guard let lines else { return indexes.map(\.name) }
    if lines == [[.text("ok")]] { return [] }
    let named = Set(
      lines.compactMap { $0.first?.text }.flatMap { line in
        indexes.map(\.name).filter { line.hasSuffix(" index \($0)") }
      }
    )
    // SQLite ends after a hundred lines.
    return named.isEmpty || lines.count >= 100 ? indexes.map(\.name) : named.sorted()
  }
}

extension IndexCheck {
  /// Returns the refusal of a store of which an index has entries without a row, or unknown ones: they may be all
  /// that is left of lost rows.
  package static func refusal(
    _ fault: Fault,
    _ entries: Int64?,
    of path: String
  ) -> StoreAccessError {
    let index = "\(path) is damaged: the index \(fault.index)"
    let what =
      if let entries {
        "\(index) has \(entries) \(entries == 1 ? "entry" : "entries") that no row of "
          + "\(fault.table) has. Rows of that table were lost or changed, or the index is wrong: "
          + "the store does not tell which"
      } else {
        "\(index) is wrong, and its entries cannot be compared with the rows of \(fault.table). "
          + "Whether that table lost rows is unknown"
      }
    return StoreAccessError(
      code: .damaged,
      message: what,
      recovery: "Take the store, with its “-wal” file, from a backup; or migrate the rows that "
        + "are there into a file of its own: waystone migrate … --output FILE "
        + "--accept-damaged-source."
    )
  }
}
