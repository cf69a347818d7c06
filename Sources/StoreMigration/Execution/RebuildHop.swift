import MigrationPlanning
import ObjectModel
import StoreAccess

/// A hop that builds its checkpoint as a fresh file from the one before it.
///
/// The file needs no journal: it is thrown away as a whole if the hop does not finish. Rows are read
/// from the tables themselves, which were checked, and indexes are made anew at the end, from the rows
/// that were written: the checkpoint's indexes are not trusted. A table whose rows do not change is
/// copied record by record (SQLite's transfer optimization), and so are its indexes where they are
/// proven to be its own.
struct RebuildHop {
  let compiled: CompiledHop
  let program: TableHopProgram
  /// The indexes of the checkpoint before that are known to be their tables'.
  var provenIndexes: Set<String> = []
  /// The number of rows of each table of the checkpoint before; none where it is not known.
  var rows: [String: Int64] = [:]

  /// Runs the compiled hop.
  ///
  /// - Parameters:
  ///   - old: The path of the checkpoint that it starts from.
  ///   - new: The path of the file that it makes.
  func run(
    from old: String,
    to new: String,
    cancellation: Cancellation,
    onEvent: (MigrationEvent) -> Void
  ) throws {
    let connection = try SQLiteConnection(path: new, access: .create)
    try SchemaWriter.prepareNewFile(connection)
    try connection.setJournalMode(.off)
    try connection.execute(
      script: "PRAGMA main.synchronous = OFF; PRAGMA main.cache_size = -8000"
    )
    try ExternalData.register(on: connection, folder: compiled.externalData)
    if compiled.isAuthored {
      try ExpressionFunctions.register(on: connection)
      try StoredNumber.register(on: connection)
    }
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    try connection.attach(path: old, as: "old", access: .readOnly)
    let metadata = try StoreMetadata(reading: connection, schema: "old")
    let keys = try PrimaryKeyTable(reading: connection, schema: "old")
    let carried = try UnmodeledObjects(
      SchemaObject.all(in: connection, schema: "old"),
      schema: compiled.source
    )

    try connection.execute("BEGIN")
    let transferred = try makeTables(on: connection)
    try makeLinks(on: connection)
    let works = program.tables.map(work) + program.joins.map(work)
    var meter = RowMeter(total: works.reduce(0, +))
    meter.advance(0, onEvent)
    for table in program.tables {
      do {
        try fill(table, isTransfer: transferred.contains(table.destination.name), on: connection)
      } catch {
        // The error that a function of SQL threw is more exact than SQLite's.
        throw explained(connection.takeFunctionError() ?? error, table)
      }
      onEvent(.filled(table: table.destination.name, rows: connection.changes))
      meter.advance(work(table), onEvent)
    }
    for join in program.joins {
      try fill(join, isTransfer: transferred.contains(join.destination.name), on: connection)
      onEvent(.filled(table: join.destination.name, rows: connection.changes))
      meter.advance(work(join), onEvent)
    }
    try carried.copy(compiled, on: connection)
    let writer = SchemaWriter(compiled.destination)
    try writer.computeDerivedAttributes(connection)
    // Before indexes: one of them would only report that something is not unique.
    if compiled.isAuthored { try compiled.validate(on: connection) }
    for index in compiled.destination.indexes where !transferred.contains(index.tableName) {
      try connection.execute(index.sql)
    }
    try compiled.writeSurroundings(carried, keys: keys, metadata: metadata, on: connection)
    try connection.execute("COMMIT")
  }

  /// Returns an error of an expression, with the entity mappings that may have it.
  private func explained(_ error: any Error, _ table: TableHopProgram.Table) -> any Error {
    guard let error = error as? EvaluationError else { return error }
    let names = compiled.resolved.entities.compactMap(\.self).filter { entity in
      compiled.destination.table(of: entity.destination)?.name == table.destination.name
        && entity.attributes.values.contains(where: \.isComputed)
    }.map(\.mapping.name)
    return MigrationError(error, of: names)
  }

  /// Returns the rows that are read for a table.
  private func work(_ table: TableHopProgram.Table) -> Int64 {
    table.source.flatMap { rows[$0.name] } ?? 0
  }

  /// Returns the rows that are read for a join table; how many a query gives is not known before.
  private func work(_ join: TableHopProgram.Join) -> Int64 {
    guard case .columns(let source, _) = join.content else { return 0 }
    return rows[source.name] ?? 0
  }

  /// Makes the empty tables, and the indexes of those whose rows and indexes go over as they are.
  ///
  /// - Returns: The names of the tables that have their indexes.
  private func makeTables(on connection: borrowing SQLiteConnection) throws -> Set<String> {
    var transferred: Set<String> = []
    for table in program.tables {
      try connection.execute(table.destination.createSQL)
      guard let source = table.source, try isTransfer(table, on: connection) else { continue }
      let name = table.destination.name
      if try makeIndexes(of: name, like: source.name, connection) { transferred.insert(name) }
    }
    for join in program.joins {
      try connection.execute(join.destination.createSQL)
      guard let source = try transferSource(join, on: connection) else { continue }
      let name = join.destination.name
      if try makeIndexes(of: name, like: source, connection) { transferred.insert(name) }
    }
    return transferred
  }

  /// Makes the indexes of an empty table, if rows that go over from another fill them as they are.
  ///
  /// - Returns: Whether they are made. SQLite takes trees over only where each index has its like at the
  ///   source, and those are known to be their table's own; else it would add row by row.
  private func makeIndexes(
    of table: String,
    like source: String,
    _ connection: borrowing SQLiteConnection
  ) throws -> Bool {
    let old = try indexes(of: source, schema: "old", connection)
    guard old.keys.allSatisfy(provenIndexes.contains) else { return false }
    let wanted = compiled.destination.indexes.filter { $0.tableName == table }
    for index in wanted { try connection.execute(index.sql) }
    let new = try indexes(of: table, schema: "main", connection)
    if Set(new.values).isSubset(of: old.values) { return true }
    for index in wanted { try connection.execute("DROP INDEX main.\(SQL.identifier(index.name))") }
    return false
  }

  /// Returns the key columns of each index of a table, by the index's name, with those of indexes
  /// that SQLite made itself.
  private func indexes(
    of table: String,
    schema: String,
    _ connection: borrowing SQLiteConnection
  ) throws -> [String: [SQLiteValue]] {
    let terms = try connection.rows(
      """
      SELECT l.name, l."unique", l.partial, x.cid, x.desc, x.coll
      FROM pragma_index_list(?1, ?2) l, pragma_index_xinfo(l.name, ?2) x WHERE x.key
      ORDER BY l.seq, x.seqno
      """,
      [.text(table), .text(schema)]
    )
    return Dictionary(
      terms.map { ($0[0].text ?? "", Array($0.dropFirst())) },
      uniquingKeysWith: +
    )
  }

  /// Returns the table whose rows a join table takes over as they are, column by column in the same
  /// order.
  private func transferSource(
    _ join: TableHopProgram.Join,
    on connection: borrowing SQLiteConnection
  ) throws -> String? {
    guard case .columns(let source, let pairs) = join.content,
      pairs.count == join.destination.columns.count
    else { return nil }
    let origins = join.destination.columns.map { column in
      pairs.first { $0.destination == column.name }?.source
    }
    guard origins == source.columns.map(\.name),
      try isInOrder(source.name, source.columns, on: connection)
    else { return nil }
    return source.name
  }

  /// Returns whether the rows of a table go over as they are, column by column in the same order.
  private func isTransfer(
    _ table: TableHopProgram.Table,
    on connection: borrowing SQLiteConnection
  ) throws -> Bool {
    guard let source = table.source, table.filter == nil,
      source.columns.map(\.declaredType) == table.destination.columns.map(\.declaredType),
      table.values == source.columns.map({ ColumnValue.column($0.name) })
    else { return false }
    return try isInOrder(source.name, source.columns, on: connection)
  }

  /// Returns whether a table of the file has its columns in the predicted order: Core Data itself leaves
  /// others behind, where it added or renamed columns in place.
  private func isInOrder(
    _ table: String,
    _ columns: [SchemaColumn],
    on connection: borrowing SQLiteConnection
  ) throws -> Bool {
    let real = try connection.rows("SELECT name FROM pragma_table_info(?, 'old')", [.text(table)])
    return real.compactMap { $0[0].text } == columns.map(\.name)
  }

  /// Makes the temporary tables of links, every list with an order.
  private func makeLinks(on connection: borrowing SQLiteConnection) throws {
    for links in program.links {
      let name = SQL.identifier(links.name)
      try connection.execute(
        """
        CREATE TEMP TABLE \(name) AS SELECT owner, other,
        COALESCE(owner_order, \(TableHopCompiler.place(partition: "owner", by: "other"))) AS owner_order,
        COALESCE(other_order, \(TableHopCompiler.place(partition: "other", by: "owner"))) AS other_order
        FROM (\(links.query))
        """
      )
      try connection.execute(
        """
        CREATE INDEX temp.\(SQL.identifier(links.name + "_owner"))
        ON \(name) (owner, owner_order, other, other_order)
        """
      )
    }
  }

  private func fill(
    _ table: TableHopProgram.Table,
    isTransfer: Bool,
    on connection: borrowing SQLiteConnection
  ) throws {
    guard let source = table.source else { return }
    let to = "main.\(SQL.identifier(table.destination.name))"
    let from = "old.\(SQL.identifier(source.name))"
    if try isTransfer || self.isTransfer(table, on: connection) {
      return try connection.execute("INSERT INTO \(to) SELECT * FROM \(from)")
    }
    let names = table.destination.columns.map { SQL.identifier($0.name) }
    let values = table.values.map(\.sql)
    // Without an index and in the order of the keys, both trees are read once from left to right.
    var query = "SELECT \(values.joined(separator: ", ")) FROM \(from) s NOT INDEXED"
    if let filter = table.filter { query += " WHERE \(filter)" }
    if values.contains(where: { $0.contains("ROW_NUMBER()") }) { query += " ORDER BY s.Z_PK" }
    try connection.execute(
      "INSERT INTO \(to) (\(names.joined(separator: ", "))) \(query)"
    )
  }

  private func fill(
    _ join: TableHopProgram.Join,
    isTransfer: Bool,
    on connection: borrowing SQLiteConnection
  ) throws {
    let to = "main.\(SQL.identifier(join.destination.name))"
    switch join.content {
    case .empty: return
    case .columns(let source, _) where isTransfer:
      try connection.execute(
        "INSERT INTO \(to) SELECT * FROM old.\(SQL.identifier(source.name))"
      )
    case .columns(let source, let pairs):
      let columns = pairs.map { SQL.identifier($0.destination) }.joined(separator: ", ")
      let values = pairs.map { "s.\(SQL.identifier($0.source))" }.joined(separator: ", ")
      // The names keep SQLite from copying the tree of the table's own index too.
      try connection.execute(
        "INSERT INTO \(to) (\(columns)) SELECT \(values) FROM \(SQL.scan("old", source.name, as: "s"))"
      )
    case .query(let query, let columns):
      let names = columns.map { SQL.identifier($0) }.joined(separator: ", ")
      // A pair that both directions of a relationship name is one row.
      try connection.execute("INSERT OR IGNORE INTO \(to) (\(names)) \(query)")
    }
  }
}
