import StoreAccess

/// The changes by which a hop alters a file in place: no row moves, and few are written anew.
///
/// Adding and renaming columns costs the same at any size. Dropping a column, or computing columns
/// of a row from others, writes the table anew each time (measured: 0.5 to 0.8 of a `VACUUM INTO`,
/// against 2.0 to 2.9 for building a fresh file), so that a table may have two of those. A column
/// of numbers gets another type without being moved.
package struct AlterationPlan: Sendable {
  /// The changes of one table that is kept.
  struct Table: Sendable {
    let oldName: String
    let newName: String
    /// Columns that go, by old name.
    var dropped: [String] = []
    /// Columns that get another name.
    var renamed: [(old: String, new: String)] = []
    /// Columns that are new, and empty.
    var added: [SchemaColumn] = []
    /// Columns that are new, and computed from old columns of the row `s`.
    var computed: [(column: SchemaColumn, value: String)] = []
    /// Columns that stay, and are computed anew from old columns of the row `s`.
    var updated: [(name: String, value: String)] = []
    /// Columns of numbers that get another type, by old name.
    var retyped: [Retyped] = []
    /// Statements' ends that write values: `SET column = … WHERE …`.
    var fills: [String] = []

    var isUnchanged: Bool {
      oldName == newName && dropped.isEmpty && renamed.isEmpty && added.isEmpty && fills.isEmpty
        && computed.isEmpty && updated.isEmpty && retyped.isEmpty
    }

    /// The number of times that the table's rows are written anew.
    var rewrites: Int {
      let isComputed =
        !computed.isEmpty || !updated.isEmpty || retyped.contains(where: \.change.isOfAll)
      return dropped.count + fills.count + (isComputed ? 1 : 0)
    }

    /// The same table with no column retyped in place: such columns are computed anew instead.
    var withoutRetyping: Table {
      var table = self
      for column in retyped {
        table.computed.append((column.new, column.value))
        table.dropped.append(column.name)
        table.renamed.removeAll { $0.old == column.name }
      }
      table.retyped = []
      return table
    }
  }

  /// A column of numbers that gets another type.
  ///
  /// SQLite stores a number in the same form in all columns of numbers, so the values can be written
  /// before the type changes: expressions that read other columns then read the old types.
  struct Retyped: Sendable {
    /// The name of the column.
    let name: String
    /// The column after the change.
    let new: SchemaColumn
    /// The values of the column, as SQL over old columns of the row `s`.
    let value: String
    /// The values that have to be written.
    let change: Change
    /// The type that it has.
    let oldType: String

    /// The values of a column that have to be written.
    enum Change: Sendable {
      /// Every value, before the type is another.
      case all
      /// None.
      case none
      /// A change, after that of the type, of values that SQLite would store otherwise in it: their new
      /// value, and the condition, in SQL over the column's own name.
      case odd(value: String, condition: String)

      /// Whether every value is written.
      var isOfAll: Bool { if case .all = self { true } else { false } }
    }

    /// The declared types of columns of numbers; of these `FLOAT` alone reads whole numbers as real ones.
    static let types: Set<String> = ["INTEGER", "FLOAT", "DECIMAL", "TIMESTAMP"]
    static let real = "FLOAT"
  }

  /// The greatest number of times one table is written anew.
  static let greatestRewrites = 2

  private(set) var tables: [Table] = []
  /// Tables that go, by old name.
  private(set) var dropped: [String] = []
  /// The statements that make new tables.
  private(set) var created: [String] = []
  /// The objects that remain in the file although the next version does not have them.
  private(set) var leftovers = Leftovers()
  /// Whether the cleanup is left for later.
  let defersCleanup: Bool
  /// Whether rows are written or columns get other types, so that the file must be a copy that may be thrown
  /// away.
  private(set) var writesRows = false

  /// Makes the plan of a program; nil where a fresh file must be built.
  ///
  /// - Parameters:
  ///   - pending: The objects that an earlier migration left; they are dropped now or left again.
  ///   - isDeferred: Whether columns and tables that go are left for a later cleanup.
  init?(
    _ program: TableHopProgram,
    from source: PhysicalSchema,
    to destination: PhysicalSchema,
    pending: Leftovers,
    isDeferred: Bool
  ) {
    defersCleanup = isDeferred
    var used: Set<String> = []
    for table in program.tables {
      guard let source = table.source else {
        created.append(table.destination.createSQL)
        continue
      }
      guard table.filter == nil, used.insert(source.name).inserted,
        let change = Self.change(table, from: source)
      else { return nil }
      tables.append(change)
    }
    for join in program.joins {
      switch join.content {
      case .empty: created.append(join.destination.createSQL)
      case .query: return nil
      case .columns(let source, let pairs):
        guard used.insert(source.name).inserted,
          let change = Self.change(join.destination, from: source, pairs)
        else { return nil }
        tables.append(change)
      }
    }
    dropped = (source.tables.map(\.name) + source.joinTables.map(\.name)).filter {
      !used.contains($0)
    }
    sortOut(pending, destination)
    let rewrites = tables.map(\.rewrites)
    if rewrites.contains(where: { $0 > Self.greatestRewrites }) { return nil }
    let derives = destination.derivedAttributes.contains { $0.updateSQL(in: "main") != nil }
    writesRows =
      rewrites.contains { $0 > 0 } || tables.contains { !$0.retyped.isEmpty } || !dropped.isEmpty
      || derives
  }

  /// Decides which objects that the next version lacks are dropped now, and which are left.
  ///
  /// An object with a name that the next version uses cannot be left.
  private mutating func sortOut(_ pending: Leftovers, _ destination: PhysicalSchema) {
    var names: [String: Set<String>] = [:]
    for table in destination.tables { names[table.name] = Set(table.columns.map(\.name)) }
    for join in destination.joinTables { names[join.name] = Set(join.columns.map(\.name)) }
    for index in tables.indices {
      let (old, new) = (tables[index].oldName, tables[index].newName)
      let waiting = pending.columns.filter { $0.tableName == old }.map(\.columnName).sorted()
      let taken = names[new] ?? []
      let gone = tables[index].dropped + waiting
      tables[index].dropped = gone.filter { !defersCleanup || taken.contains($0) }
      guard defersCleanup else { continue }
      for name in gone where !taken.contains(name) {
        leftovers.columns.insert(.init(tableName: new, columnName: name))
      }
    }
    let gone = dropped + pending.tables.sorted()
    dropped = gone.filter { !defersCleanup || names[$0] != nil }
    leftovers.tables = Set(gone).subtracting(dropped)
  }

  private static func change(_ table: TableHopProgram.Table, from source: EntityTable) -> Table? {
    var change = Table(oldName: source.name, newName: table.destination.name)
    var kept: Set<String> = []
    for (column, value) in zip(table.destination.columns, table.values) {
      let new = SQL.identifier(column.name)
      switch value {
      case .null: change.added.append(column)
      case .constant(let literal): change.computed.append((column, literal))
      case .column(let name), .defaulted(let name, _):
        guard let old = source.columns.first(where: { $0.name == name }),
          kept.insert(name).inserted
        else { return nil }
        if old.declaredType != column.declaredType {
          guard case .column = value, let retyped = Retyped(old, as: column, Retyped.reference(old))
          else {
            return nil
          }
          change.retyped.append(retyped)
        }
        if name != column.name { change.renamed.append((name, column.name)) }
        if case .defaulted(_, let literal) = value {
          change.fills.append("SET \(new) = \(literal) WHERE \(new) IS NULL")
        }
      case .expression(let sql):
        guard isOfRow(sql) else { return nil }
        let isKept = source.columns.contains {
          $0.name == column.name && $0.declaredType == column.declaredType
        }
        let retyped = source.columns.first { $0.name == column.name }
          .flatMap { Retyped($0, as: column, sql) }
        if isKept, kept.insert(column.name).inserted {
          change.updated.append((column.name, sql))
        } else if let retyped, !isRead(column.name, in: table), kept.insert(column.name).inserted {
          change.retyped.append(retyped)
        } else {
          change.computed.append((column, sql))
        }
      }
    }
    change.dropped = source.columns.map(\.name).filter { !kept.contains($0) }
    return change
  }

  /// Returns whether a column of the destination has the values of a source column as they are.
  private static func isRead(_ name: String, in table: TableHopProgram.Table) -> Bool {
    table.values.contains { value in
      switch value {
      case .column(name), .defaulted(name, _): true
      default: false
      }
    }
  }

  /// Returns whether an expression needs only its row: no lookup, no place in a list, no file.
  ///
  /// A text in it that resembles one of those only costs a fresh file.
  private static func isOfRow(_ sql: String) -> Bool {
    !["SELECT", "OVER (", "waystone_"].contains { sql.contains($0) }
  }

  /// Returns the change of a join table, or nil where its columns are in another order: so is its key
  /// then.
  private static func change(
    _ join: JoinTable,
    from source: JoinTable,
    _ pairs: [(destination: String, source: String)]
  ) -> Table? {
    let carried = join.columns.compactMap { column in
      pairs.first { $0.destination == column.name }?.source
    }
    guard carried == source.columns.map(\.name).filter(carried.contains) else { return nil }
    var change = Table(oldName: source.name, newName: join.name)
    change.renamed = pairs.filter { $0.source != $0.destination }.map {
      ($0.source, $0.destination)
    }
    let kept = Set(pairs.map(\.source))
    change.dropped = source.columns.map(\.name).filter { !kept.contains($0) }
    return change
  }
}

extension AlterationPlan.Retyped {
  /// Returns the value of a column of the row `s`.
  fileprivate static func reference(_ column: SchemaColumn) -> String {
    "s.\(SQL.identifier(column.name))"
  }

  /// Makes the change of a column's type in place; nil where it cannot be done.
  ///
  /// Computed values are written while the column has its old type. A column of real numbers would
  /// store whole ones as real, which is exact for some only.
  fileprivate init?(_ old: SchemaColumn, as new: SchemaColumn, _ value: String) {
    guard old.declaredType != new.declaredType, Self.types.contains(old.declaredType),
      Self.types.contains(new.declaredType)
    else { return nil }
    let own = SQL.identifier(old.name)
    if value == Self.reference(old) {
      // A column of real numbers keeps great whole ones as such.
      change =
        old.declaredType == Self.real
        ? .odd(
          value: own,
          condition: "typeof(\(own)) = 'real' AND \(own) = CAST(\(own) AS INTEGER)"
        ) : .none
    } else if old.declaredType == Self.real {
      return nil
    } else if new.declaredType == Self.real, value == "CAST(\(Self.reference(old)) AS REAL)" {
      // A column of real numbers reads each number as a real one.
      change = .odd(
        value: "CAST(\(own) AS REAL)",
        condition: "typeof(\(own)) IN ('text', 'blob')"
      )
    } else {
      change = .all
    }
    name = old.name
    self.new = new
    self.value = value
    oldType = old.declaredType
  }
}
