import ObjectModel
import StoreAccess

/// A hop that changes a checkpoint's file in place into the next checkpoint.
///
/// All of it is one transaction, the mark of the hop included, so that a killed file is the one
/// checkpoint or the other.
struct InPlaceHop {
  let compiled: CompiledHop
  let plan: AlterationPlan
  /// The number of rows of each table of the checkpoint before; none where it is not known.
  var rows: [String: Int64] = [:]

  /// Runs the compiled hop on a file.
  ///
  /// - Parameter isDisposable: Whether the file is a copy that is thrown away if the hop does not
  ///   finish; it then needs no journal.
  func run(
    on path: String,
    isDisposable: Bool,
    cancellation: Cancellation,
    onEvent: (MigrationEvent) -> Void
  ) throws {
    let connection = try SQLiteConnection(path: path, access: .readWrite)
    try connection.setJournalMode(isDisposable ? .off : .delete)
    try connection.execute(
      script: isDisposable ? "PRAGMA main.synchronous = OFF" : "PRAGMA main.synchronous = FULL"
    )
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    let metadata = try StoreMetadata(reading: connection)
    let keys = try PrimaryKeyTable(reading: connection)
    let objects = try SchemaObject.all(in: connection)
    let carried = try UnmodeledObjects(objects, schema: compiled.source)

    try connection.execute("BEGIN IMMEDIATE")
    // ALTER reads all views and triggers, and changes their text.
    let aside = carried.others.filter { $0.kind == .view || $0.kind == .trigger }
    try connection.drop(aside)
    let (heirs, leavesIndexes) = try dropObjects(objects, on: connection)
    for name in plan.dropped { try connection.execute("DROP TABLE \(SQL.identifier(name))") }
    try renameTables(on: connection)
    var meter = RowMeter(total: plan.tables.reduce(0) { $0 + work($1) })
    meter.advance(0, onEvent)
    for table in plan.tables {
      if !table.isUnchanged {
        let isRetyped = try connection.canRetype(
          table.retyped.map { ($0.name, $0.oldType) },
          of: table.newName
        )
        try alter(isRetyped ? table : table.withoutRetyping, on: connection)
        onEvent(.filled(table: table.newName, rows: 0))
      }
      meter.advance(work(table), onEvent)
    }
    for sql in plan.created { try connection.execute(sql) }
    if !heirs.isEmpty { try connection.rename(heirs) }
    try SchemaWriter(compiled.destination).computeDerivedAttributes(connection)
    // Before indexes: one of them would only report that something is not unique.
    if compiled.isAuthored { try compiled.validate(on: connection) }
    try makeObjects(on: connection)
    for object in aside { try connection.create(object) }
    if carried.hasHistory { try rewriteHistory(on: connection) }
    if !objects.contains(where: { $0.name == SystemTable.modelCache.rawValue }) {
      try connection.execute(SystemTable.modelCache.statement.sql)
    }
    try compiled.writeBookkeeping(on: connection, keys: keys, metadata: metadata)
    if leavesIndexes || !plan.leftovers.isEmpty { try markPending(metadata, on: connection) }
    try compiled.writeMark(on: connection)
    try connection.execute("COMMIT")
  }

  /// Returns the rows of a table, whether they are written anew or, as where columns are added, stay.
  private func work(_ table: AlterationPlan.Table) -> Int64 { rows[table.oldName] ?? 0 }

  /// The name of an index whose entries are those of one that the next version has, and that one.
  private typealias Heir = (name: String, new: SchemaIndex)

  /// Drops the triggers of the model's tables, and the indexes that are not as they shall be.
  ///
  /// ALTER fails while an index or trigger names a column that goes. An index follows a table and
  /// columns that are renamed, under its old name.
  ///
  /// - Returns: The indexes that get another name when all else is changed, and whether an index is left that
  ///   the next version does not have.
  private func dropObjects(
    _ objects: [SchemaObject],
    on connection: borrowing SQLiteConnection
  ) throws -> (heirs: [Heir], leavesIndexes: Bool) {
    let tables = Set(compiled.source.tables.map(\.name) + compiled.source.joinTables.map(\.name))
      .union(plan.leftovers.tables)
    var heirs: [Heir] = []
    var leavesIndexes = false
    let wanted = Set(compiled.destination.indexes.map(\.sql))
    for object in objects where tables.contains(object.tableName) {
      switch object.kind {
      case .trigger: try connection.execute("DROP TRIGGER \(SQL.identifier(object.name))")
      case .index:
        guard let sql = object.sql else { continue }
        let change = plan.tables.first { $0.oldName == object.tableName }
        let rewritten = Set(
          (change?.dropped ?? []) + (change?.updated.map(\.name) ?? [])
            + (change?.retyped.map(\.name) ?? [])
        )
        let columns = try connection.rows(
          "SELECT name FROM pragma_index_info(?)",
          [.text(object.name)]
        ).compactMap { $0[0].text }
        let keepsEntries = rewritten.isDisjoint(with: columns)
        let keepsNames =
          change?.oldName == change?.newName
          && change?.renamed.contains { columns.contains($0.old) } != true
        let stays = keepsEntries && keepsNames
        if wanted.contains(sql), stays { continue }
        if keepsEntries, let change,
          let new = try heir(of: object, change, objects, heirs, on: connection)
        {
          heirs.append((object.name, new))
        } else if stays, mayLeave(object, sql, columns) {
          leavesIndexes = true
        } else {
          try connection.execute("DROP INDEX \(SQL.identifier(object.name))")
        }
      case .table, .view: continue
      }
    }
    return (heirs, leavesIndexes)
  }

  /// Returns the index of the next version that has the entries of one at hand once names have changed;
  /// nil where there is none, or one that is there already.
  private func heir(
    of object: SchemaObject,
    _ change: AlterationPlan.Table,
    _ objects: [SchemaObject],
    _ taken: [Heir],
    on connection: borrowing SQLiteConnection
  ) throws -> SchemaIndex? {
    let renamed = Dictionary(change.renamed.map { ($0.old, $0.new) }) { first, _ in first }
    guard
      let structure = try connection.structure(ofIndex: object.name)?
        .renamed(to: change.newName, renamed)
    else { return nil }
    return compiled.destination.indexes.first { index in
      index.structure == structure && !taken.contains { $0.new == index }
        && !objects.contains { $0.sql == index.sql }
    }
  }

  /// Returns whether an index that the next version does not have may wait for the cleanup: it must
  /// neither have a name that is wanted, nor refuse what the next version allows.
  private func mayLeave(_ object: SchemaObject, _ sql: String, _ columns: [String]) -> Bool {
    guard plan.defersCleanup,
      !compiled.destination.indexes.contains(where: { $0.name == object.name })
    else { return false }
    if plan.leftovers.tables.contains(object.tableName) { return true }
    let isUnique = sql.uppercased().hasPrefix("CREATE UNIQUE")
    return !isUnique
      || columns.contains { name in
        plan.leftovers.columns.contains(.init(tableName: object.tableName, columnName: name))
      }
  }

  /// Records in the metadata that columns, tables or indexes wait to be removed.
  private func markPending(
    _ old: StoreMetadata,
    on connection: borrowing SQLiteConnection
  ) throws {
    var metadata = compiled.metadata(from: old)
    metadata.setPendingCleanup(plan.leftovers)
    try metadata.write(to: connection)
  }

  /// Gives tables their new names, through a temporary one where the name is still taken.
  private func renameTables(on connection: borrowing SQLiteConnection) throws {
    let changes = plan.tables.filter { $0.oldName != $0.newName }
    for (index, table) in changes.enumerated() {
      try connection.execute(
        "ALTER TABLE \(SQL.identifier(table.oldName)) RENAME TO \"WAYSTONE_\(index)\""
      )
    }
    for (index, table) in changes.enumerated() {
      try connection.execute(
        "ALTER TABLE \"WAYSTONE_\(index)\" RENAME TO \(SQL.identifier(table.newName))"
      )
    }
  }

  /// Computes columns while all old ones have their names and types, then retypes, drops, renames and adds.
  private func alter(
    _ table: AlterationPlan.Table,
    on connection: borrowing SQLiteConnection
  ) throws {
    let name = SQL.identifier(table.newName)
    var assignments = table.updated.map { "\(SQL.identifier($0.name)) = \($0.value)" }
    assignments += table.retyped.filter(\.change.isOfAll).map { column in
      "\(SQL.identifier(column.name)) = \(column.value)"
    }
    for (index, computed) in table.computed.enumerated() {
      try connection.execute(
        "ALTER TABLE \(name) ADD COLUMN \"WAYSTONE_NEW_\(index)\" \(computed.column.declaredType)"
      )
      assignments.append("\"WAYSTONE_NEW_\(index)\" = \(computed.value)")
    }
    if !assignments.isEmpty {
      try connection.execute(
        "UPDATE \(name) AS s SET \(assignments.joined(separator: ", "))"
      )
    }
    if !table.retyped.isEmpty {
      try connection.retype(table.retyped.map { ($0.name, $0.new.declaredType) }, of: table.newName)
    }
    for column in table.retyped {
      guard case .odd(let value, let condition) = column.change else { continue }
      let number = SQL.identifier(column.name)
      try connection.execute("UPDATE \(name) SET \(number) = \(value) WHERE \(condition)")
    }
    for column in table.dropped {
      try connection.execute("ALTER TABLE \(name) DROP COLUMN \(SQL.identifier(column))")
    }
    for (index, column) in table.renamed.enumerated() {
      try connection.execute(
        "ALTER TABLE \(name) RENAME COLUMN \(SQL.identifier(column.old)) TO \"WAYSTONE_\(index)\""
      )
    }
    for (index, column) in table.renamed.enumerated() {
      try connection.execute(
        "ALTER TABLE \(name) RENAME COLUMN \"WAYSTONE_\(index)\" TO \(SQL.identifier(column.new))"
      )
    }
    for (index, computed) in table.computed.enumerated() {
      try connection.execute(
        "ALTER TABLE \(name) RENAME COLUMN \"WAYSTONE_NEW_\(index)\" "
          + "TO \(SQL.identifier(computed.column.name))"
      )
    }
    for column in table.added {
      try connection.execute(
        "ALTER TABLE \(name) ADD COLUMN \(SQL.identifier(column.name)) \(column.declaredType)"
      )
    }
    for fill in table.fills { try connection.execute("UPDATE \(name) \(fill)") }
  }

  /// Makes the indexes that are missing, and the triggers.
  private func makeObjects(on connection: borrowing SQLiteConnection) throws {
    let present = Set(
      try SchemaObject.all(in: connection).filter { $0.kind == .index }.map(\.name)
    )
    for index in compiled.destination.indexes
    where !present.contains(index.name) {
      try connection.execute(index.sql)
    }
    try SchemaWriter(compiled.destination).createTriggers(connection)
  }

  private func rewriteHistory(on connection: borrowing SQLiteConnection) throws {
    let values = compiled.historyValues
    guard let number = values["ZENTITY"], let columns = values["ZCOLUMNS"] else { return }
    try connection.execute("DELETE FROM ACHANGE AS s WHERE \(number) IS NULL")
    try connection.execute(
      """
      UPDATE ACHANGE AS s SET ZENTITY = \(number), ZCOLUMNS = \(columns)
      WHERE s.ZENTITY IS NOT \(number) OR s.ZCOLUMNS IS NOT \(columns)
      """
    )
  }
}
