/// The proof, by one reading of its file, that the pages of a database are whole, and which indexes have
/// the entries of their tables, in order.
///
/// It takes less time than SQLite's quick check. It only ever proves that pages are whole: where it
/// cannot, because a page is wrong or has an unknown form, the caller must ask SQLite itself.
package struct PageVerification: Sendable {
  /// A function that receives the number of pages read, and of all.
  package typealias Progress = (_ done: Int64, _ total: Int64) -> Void

  /// The indexes that have one entry for each row of their table, in order.
  package let indexes: Set<String>
  /// The indexes that have not.
  package let wrongIndexes: Set<String>
  /// The facts about the rows of each table, by its name.
  package let rows: [String: Rows]
  /// The references of interest whose keys all have a row.
  package let wholeReferences: Set<Interest.Reference>
  /// The facts that were asked for.
  package let interest: Interest

  /// Proves the pages of a database.
  ///
  /// - Parameters:
  ///   - schema: `main`, or the name of an attached database. Nothing is written.
  ///   - interest: The facts about the rows to gather.
  ///   - partCount: The parts into which large tables are cut, so that several threads read them.
  ///   - onProgress: Called on this thread.
  /// - Returns: nil where the pages are not proven whole.
  /// - Complexity: One reading of the file by as many threads as there are processors; for each of those
  ///   five bytes of memory for each page, and a bit for each key of a reference of interest.
  package init?(
    of connection: borrowing SQLiteConnection,
    schema: String = "main",
    interest: Interest = Interest(),
    partCount: Int = 8,
    onProgress: Progress? = nil
  ) {
    // Pages that a transaction of this connection wrote may be in its memory alone.
    guard !connection.isInTransaction else { return nil }
    do {
      try connection.execute("BEGIN")
      defer { try? connection.execute("ROLLBACK") }
      let found = try Self.prove(connection, schema, interest, partCount, onProgress)
      (indexes, wrongIndexes, rows) = (found.indexes, found.wrong, found.rows)
      wholeReferences = found.wholeReferences
      self.interest = interest
    } catch {
      // SQLite reads again, and reports itself what it cannot read.
      _ = SQLiteSystemCalls.takeFailedRead()
      return nil
    }
  }

  private static func prove(
    _ connection: borrowing SQLiteConnection,
    _ schema: String,
    _ interest: Interest,
    _ partCount: Int,
    _ onProgress: Progress?
  ) throws -> Found {
    // The first read holds the snapshot.
    let objects = try connection.rows(
      "SELECT type, name, rootpage, sql, tbl_name FROM \(SQL.identifier(schema)).sqlite_schema "
        + "WHERE rootpage > 0 ORDER BY type = 'index', rootpage"
    )
    let trees = try objects.map { try Tree($0) }
    // SQLite uses one of two trees of equal names, and it is not known which.
    guard Set(trees.map { SQL.uppercased($0.name) }).count == trees.count else { throw Unproven() }
    let reader = try PageReader(connection, schema: schema)
    var shapes: [String: TableShape] = [:]
    for tree in trees where tree.isTable {
      shapes[tree.name] = try TableShape(
        of: tree.name,
        sql: tree.sql,
        schema: schema,
        on: connection
      )
    }
    let callbacks = connection.callbacks
    let read = try TreeProof(trees, shapes, reader, interest, partCount: partCount).read(
      onProgress
    ) {
      callbacks.progress?() ?? true
    }
    var found = Found(
      rows: read.tables.mapValues(\.rows),
      wholeReferences: read.keys.whole
    )
    for entries in read.indexes {
      let index = entries.index
      found.rows[index.table]?.pageCount += Int64(entries.pageCount)
      // Only the pages of other indexes were checked.
      guard let place = shapes[index.table]?.indexes.firstIndex(where: { $0.name == index.name }),
        let table = read.tables[index.table]
      else { continue }
      let isTables =
        entries.isInOrder && entries.count == table.rows.count && entries.sum == table.sums[place]
      if isTables {
        found.indexes.insert(index.name)
      } else {
        found.wrong.insert(index.name)
      }
    }
    var account = read.account
    // An index that a table must have may have no tree.
    let names = Set(trees.map(\.name))
    guard shapes.values.allSatisfy({ names.isSuperset(of: $0.indexNames) }) else {
      throw Unproven()
    }
    let greatestRoot = trees.map(\.root).max() ?? 1
    guard !reader.layout.hasPointerMaps || reader.layout.greatestRoot == greatestRoot else {
      throw Unproven()
    }
    try account.useFreePages(reader)
    try account.finish(reader)
    return found
  }

  private struct Found {
    var indexes: Set<String> = []
    var wrong: Set<String> = []
    var rows: [String: Rows] = [:]
    var wholeReferences: Set<Interest.Reference> = []
  }

  /// A table or index of the schema.
  struct Tree {
    let isTable: Bool
    let name: String
    let root: UInt32
    let sql: String
    /// The table that it is, or is of.
    let table: String

    init(_ row: [SQLiteValue]) throws(Unproven) {
      guard let type = row[0].text, type == "table" || type == "index", let name = row[1].text,
        let root = row[2].integer.flatMap({ UInt32(exactly: $0) })
      else { throw Unproven() }
      isTable = type == "table"
      self.name = name
      self.root = root
      sql = row[3].text ?? ""
      table = row[4].text ?? name
    }
  }
}
