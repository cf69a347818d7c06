import StoreAccess

/// How a hop changes a file in place, where it can: no row moves, and few are written anew.
///
/// Adding and renaming columns costs the same at any size; dropping a column, and filling a new
/// one, writes its table anew each time (measured: 0.6 to 1.4 of a `VACUUM INTO`, against 2.0 to
/// 2.9 for building a fresh file), so that a table may have two of those.
struct AlterationPlan: Sendable {
  /// What happens to one table that stays.
  struct Table: Sendable {
    let oldName: String
    let newName: String
    /// Columns that go, by old name.
    var dropped: [String] = []
    /// Columns that get another name.
    var renamed: [(old: String, new: String)] = []
    /// Columns that are new.
    var added: [SchemaColumn] = []
    /// Statements' ends that write values: `SET column = … WHERE …`.
    var fills: [String] = []

    var isUnchanged: Bool {
      oldName == newName && dropped.isEmpty && renamed.isEmpty && added.isEmpty && fills.isEmpty
    }
  }

  /// The greatest number of times one table is written anew.
  static let greatestRewrites = 2

  private(set) var tables: [Table] = []
  /// Tables that go, by old name.
  private(set) var dropped: [String] = []
  /// The statements that make new tables.
  private(set) var created: [String] = []
  /// Whether rows are written, so that the file must be a copy that may be thrown away.
  private(set) var writesRows = false

  /// The plan of a leg, or nil where a fresh file must be built.
  init?(_ leg: Leg) {
    var used: Set<String> = []
    for table in leg.program.tables {
      guard let source = table.source else {
        created.append(table.destination.createSQL)
        continue
      }
      guard table.filter == nil, used.insert(source.name).inserted,
        let change = Self.change(table, from: source)
      else { return nil }
      tables.append(change)
    }
    for join in leg.program.joins {
      switch join.content {
      case .empty: created.append(join.destination.createSQL)
      case .query: return nil
      case .columns(let source, let pairs):
        guard used.insert(source.name).inserted else { return nil }
        tables.append(Self.change(join.destination, from: source, pairs))
      }
    }
    dropped = (leg.source.tables.map(\.name) + leg.source.joinTables.map(\.name)).filter {
      !used.contains($0)
    }
    let rewrites = tables.map { $0.dropped.count + $0.fills.count }
    if rewrites.contains(where: { $0 > Self.greatestRewrites }) { return nil }
    let derives = leg.destination.derivedAttributes.contains { $0.updateSQL(in: "main") != nil }
    writesRows = rewrites.contains { $0 > 0 } || !dropped.isEmpty || derives
  }

  private static func change(_ table: LegProgram.Table, from source: EntityTable) -> Table? {
    var change = Table(oldName: source.name, newName: table.destination.name)
    var kept: Set<String> = []
    for (column, value) in zip(table.destination.columns, table.values) {
      let new = SQL.identifier(column.name)
      switch value {
      case .null: change.added.append(column)
      case .constant(let literal):
        change.added.append(column)
        change.fills.append("SET \(new) = \(literal)")
      case .column(let name), .defaulted(let name, _):
        guard let old = source.columns.first(where: { $0.name == name }),
          old.declaredType == column.declaredType, kept.insert(name).inserted
        else { return nil }
        if name != column.name { change.renamed.append((name, column.name)) }
        if case .defaulted(_, let literal) = value {
          change.fills.append("SET \(new) = \(literal) WHERE \(new) IS NULL")
        }
      case .expression: return nil
      }
    }
    change.dropped = source.columns.map(\.name).filter { !kept.contains($0) }
    return change
  }

  private static func change(
    _ join: JoinTable,
    from source: JoinTable,
    _ pairs: [(destination: String, source: String)]
  ) -> Table {
    var change = Table(oldName: source.name, newName: join.name)
    change.renamed = pairs.filter { $0.source != $0.destination }.map {
      ($0.source, $0.destination)
    }
    let kept = Set(pairs.map(\.source))
    change.dropped = source.columns.map(\.name).filter { !kept.contains($0) }
    return change
  }
}
