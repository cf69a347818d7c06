/// That the pages of a database are whole, found by one pass over its file.
///
/// What SQLite's quick check finds is found here too, in less than its time, and that indexes have the
/// entries of their tables, in order. It only ever says that all is well: where it cannot, because
/// something is wrong or is of a form that it does not know, SQLite itself is to be asked.
package struct PageProof {
  /// The indexes that have one entry for each row of their table, in order.
  package let indexes: Set<String>
  /// What the rows of each table are, by its name.
  package let rows: [String: Rows]

  /// What the rows of a table are.
  package struct Rows: Sendable {
    /// How many there are.
    package var count: Int64
    /// How many there are of each number in `Z_ENT`; other rows have none that any entity has.
    package var countByEntity: [Int64: Int64] = [:]
    /// The columns of numbers in which there is nothing but numbers and NULL.
    package var plainNumbers: Set<String> = []
  }

  /// Passes over a database.
  ///
  /// - Parameter schema: `main`, or the name of an attached database. Nothing is written.
  /// - Returns: nil where the pages are not proven whole.
  /// - Complexity: A pass over the file; five bytes of memory for each page.
  package init?(of connection: borrowing SQLiteConnection, schema: String = "main") {
    // What a transaction of this connection wrote may be in its memory alone.
    guard !connection.isInTransaction else { return nil }
    do {
      try connection.execute("BEGIN")
      defer { try? connection.execute("ROLLBACK") }
      (indexes, rows) = try Self.prove(connection, schema)
    } catch {
      return nil
    }
  }

  private static func prove(
    _ connection: borrowing SQLiteConnection,
    _ schema: String
  ) throws -> (indexes: Set<String>, rows: [String: Rows]) {
    // The first read holds the snapshot.
    let objects = try connection.rows(
      "SELECT type, name, tbl_name, rootpage, sql FROM \(SQL.identifier(schema)).sqlite_schema "
        + "WHERE rootpage > 0 ORDER BY type = 'index', rootpage"
    )
    let reader = try PageReader(connection, schema: schema)
    let callbacks = connection.callbacks
    var walk = TreeWalk(reader) { callbacks.progress?() ?? true }
    var greatestRoot: UInt32 = 1
    var own = TableContent(nil)
    try walk.walk(root: 1, &own)
    var shapes: [String: TableShape] = [:]
    var rows: [String: Rows] = [:]
    var sums: [String: (count: Int64, sum: UInt64)] = [:]
    var proven: Set<String> = []
    for object in objects {
      guard let name = object[1].text, let table = object[2].text,
        let root = object[3].integer.flatMap({ UInt32(exactly: $0) })
      else { throw Unproven() }
      greatestRoot = max(greatestRoot, root)
      if object[0].text == "table" {
        let sql = object[4].text ?? ""
        let shape = try TableShape(of: name, sql: sql, schema: schema, on: connection)
        var content = TableContent(shape)
        try walk.walk(root: root, &content)
        for (place, index) in shape.indexes.enumerated() {
          sums[index.name] = (content.count, content.sum(place))
        }
        rows[name] = content.facts(shape)
        shapes[table] = shape
      } else {
        let index = shapes[table]?.indexes.first { $0.name == name }
        var content = IndexContent(index)
        try walk.walk(root: root, &content)
        guard let known = sums[name], content.isInOrder else { continue }
        if known.count == content.count, known.sum == content.sum { proven.insert(name) }
      }
    }
    // An index that a table must have may have no tree.
    let trees = Set(objects.compactMap { $0[1].text })
    guard shapes.values.allSatisfy({ trees.isSuperset(of: $0.indexNames) }) else {
      throw Unproven()
    }
    guard !reader.layout.hasPointerMaps || reader.layout.greatestRoot == greatestRoot else {
      throw Unproven()
    }
    try walk.account.useFreePages(reader)
    try walk.account.finish(reader)
    return (proven, rows)
  }
}
