import PropertyLists

/// The columns and tables that a deferred migration left in a store, for a later cleanup.
///
/// Core Data sees neither: it names the columns that it reads and writes, and none that it makes
/// refuses NULL. They hold what the model no longer has.
package struct Leftovers: Hashable, Sendable {
  /// Columns of tables that the model has.
  package var columns: Set<SchemaComparison.Place> = []
  /// Tables of entities and relationships that the model no longer has.
  package var tables: Set<String> = []

  /// Makes an empty set.
  package init() {}

  /// The tables and columns of a file beyond the schema that is predicted for it.
  package init(_ comparison: SchemaComparison) {
    columns = Set(comparison.extraColumns)
    tables = Set(comparison.extraTables)
  }

  /// The tables and columns beyond its model that a deferred migration left, according to a file's
  /// metadata.
  ///
  /// Waystone names its leftovers. Core Data does not: of its possible leftovers, only tables are known
  /// by their shape, since a column could have any origin.
  package init(_ comparison: SchemaComparison, markedIn metadata: StoreMetadata) {
    guard metadata.isCleanupPending else { return }
    let extra = Leftovers(comparison)
    if let named = metadata.leftovers {
      self = extra.intersection(named)
    } else {
      tables = extra.tables
    }
  }

  /// Whether there is nothing.
  package var isEmpty: Bool { columns.isEmpty && tables.isEmpty }

  /// Returns the columns and tables that are in both.
  package func intersection(_ other: Leftovers) -> Leftovers {
    var result = Leftovers()
    result.columns = columns.intersection(other.columns)
    result.tables = tables.intersection(other.tables)
    return result
  }

  /// Returns the columns and tables that are in either.
  package func union(_ other: Leftovers) -> Leftovers {
    var result = Leftovers()
    result.columns = columns.union(other.columns)
    result.tables = tables.union(other.tables)
    return result
  }

  /// The columns with their tables, and the tables, in byte order.
  package var names: [String] {
    (columns.map { "\($0.tableName).\($0.columnName)" } + tables).sorted()
  }
}

extension StoreMetadata {
  /// The key by which Core Data marks a store whose cleanup is deferred.
  ///
  /// Apple documents the key as the option that asks for it, whose value in the metadata is then
  /// true; that the text is the constant's own name was read out of the framework of iOS 18 by
  /// others. No store measured has it.
  package static let deferredCleanupKey = "NSPersistentStoreDeferredLightweightMigrationOptionKey"

  /// The key under which Waystone names what it left.
  ///
  /// Its value is a list of tables, and one of columns with their tables. Core Data keeps what others
  /// write into the metadata.
  package static let leftoversKey = "WaystoneDeferredCleanup"

  /// Whether columns or tables of an earlier version wait to be removed.
  package var isCleanupPending: Bool {
    let value = others[Self.deferredCleanupKey]
    return value == .boolean(true) || value?.integer.map { $0 != 0 } == true
  }

  /// The leftovers that Waystone noted; nil where it noted none.
  package var leftovers: Leftovers? {
    guard let value = others[Self.leftoversKey]?.dictionary else { return nil }
    var leftovers = Leftovers()
    leftovers.tables = Set((value["tables"]?.array ?? []).compactMap(\.string))
    for place in value["columns"]?.array ?? [] {
      guard let names = place.array?.compactMap(\.string), names.count == 2 else { continue }
      leftovers.columns.insert(.init(tableName: names[0], columnName: names[1]))
    }
    return leftovers
  }

  /// Notes that a cleanup waits, and its leftovers; nil for none.
  package mutating func setPendingCleanup(_ leftovers: Leftovers?) {
    others[Self.deferredCleanupKey] = leftovers.map { _ in .boolean(true) }
    others[Self.leftoversKey] = leftovers.map { leftovers in
      let columns = leftovers.columns.map { [$0.tableName, $0.columnName] }
        .sorted { $0.lexicographicallyPrecedes($1) }
      return .dictionary([
        "tables": .array(leftovers.tables.sorted().map { .string($0) }),
        "columns": .array(columns.map { .array($0.map { .string($0) }) }),
      ])
    }
  }
}
