/// The proof, by one pass over its file, that the pages of a database are whole, and which indexes have the
/// entries of their tables, in order.
///
/// It takes less time than SQLite's quick check. It only ever says that pages are whole: where it cannot,
/// because something is wrong or is of a form that it does not know, SQLite itself is to be asked.
package struct PageProof {
  /// The indexes that have one entry for each row of their table, in order.
  package let indexes: Set<String>
  /// The indexes that have not.
  package let wrongIndexes: Set<String>
  /// What the rows of each table are, by its name.
  package let rows: [String: Rows]

  /// What the rows of a table are.
  package struct Rows: Sendable {
    /// How many there are.
    package var count: Int64
    /// How many there are at least of each number in `Z_ENT`: one beyond a thousand, or not kept as an
    /// integer in the row's own page, is not counted.
    package var countByEntity: [Int64: Int64] = [:]
    /// The columns of numbers in which there is nothing but numbers and NULL.
    package var plainNumbers: Set<String> = []
    /// The columns of text in which there is nothing but text in UTF-8, in rows of at most a
    /// mebibyte, and NULL.
    package var plainTexts: Set<String> = []
    /// The columns of blobs in which there is nothing but blobs and NULL.
    package var plainBlobs: Set<String> = []
    /// Those of them in which each blob has sixteen bytes.
    package var plainUUIDs: Set<String> = []
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
      let found = try Self.prove(connection, schema)
      (indexes, wrongIndexes, rows) = (found.indexes, found.wrong, found.rows)
    } catch {
      // SQLite reads again, and tells itself what it cannot read.
      _ = SQLiteSystemCalls.takeFailedRead()
      return nil
    }
  }

  private static func prove(
    _ connection: borrowing SQLiteConnection,
    _ schema: String
  ) throws -> Found {
    // The first read holds the snapshot.
    let objects = try connection.rows(
      "SELECT type, name, rootpage, sql FROM \(SQL.identifier(schema)).sqlite_schema "
        + "WHERE rootpage > 0 ORDER BY type = 'index', rootpage"
    )
    let trees = try objects.map { try Tree($0) }
    // What stands there twice is one thing to SQLite, and nobody can say which.
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
    var walk = TreeWalk(reader) { callbacks.progress?() ?? true }
    var own = TableContent(nil)
    try walk.walk(root: 1, &own)
    var found = Found()
    var forms: [String: TableShape.Index] = [:]
    var sums: [String: (count: Int64, sum: UInt64)] = [:]
    for tree in trees {
      if let shape = shapes[tree.name] {
        var content = TableContent(shape)
        try walk.walk(root: tree.root, &content)
        for (place, index) in shape.indexes.enumerated() {
          forms[index.name] = index
          sums[index.name] = (content.count, content.sum(place))
        }
        found.rows[tree.name] = content.facts(shape)
      } else {
        var content = IndexContent(forms[tree.name])
        try walk.walk(root: tree.root, &content)
        // Of other indexes only the pages were looked at.
        guard let known = sums[tree.name] else { continue }
        let isTables =
          content.isInOrder && known.count == content.count && known.sum == content.sum
        if isTables { found.indexes.insert(tree.name) } else { found.wrong.insert(tree.name) }
      }
    }
    // An index that a table must have may have no tree.
    let names = Set(trees.map(\.name))
    guard shapes.values.allSatisfy({ names.isSuperset(of: $0.indexNames) }) else {
      throw Unproven()
    }
    let greatestRoot = trees.map(\.root).max() ?? 1
    guard !reader.layout.hasPointerMaps || reader.layout.greatestRoot == greatestRoot else {
      throw Unproven()
    }
    try walk.account.useFreePages(reader)
    try walk.account.finish(reader)
    return found
  }

  private struct Found {
    var indexes: Set<String> = []
    var wrong: Set<String> = []
    var rows: [String: Rows] = [:]
  }

  /// A table or index of the schema.
  private struct Tree {
    let isTable: Bool
    let name: String
    let root: UInt32
    let sql: String

    init(_ row: [SQLiteValue]) throws(Unproven) {
      guard let type = row[0].text, type == "table" || type == "index", let name = row[1].text,
        let root = row[2].integer.flatMap({ UInt32(exactly: $0) })
      else { throw Unproven() }
      isTable = type == "table"
      self.name = name
      self.root = root
      sql = row[3].text ?? ""
    }
  }
}
