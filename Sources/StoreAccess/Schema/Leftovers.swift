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

  /// Nothing.
  package init() {}

  /// What a file has beyond the schema that is predicted for it.
  package init(_ comparison: SchemaComparison) {
    columns = Set(comparison.extraColumns)
    tables = Set(comparison.extraTables)
  }

  /// Whether there is nothing.
  package var isEmpty: Bool { columns.isEmpty && tables.isEmpty }

  /// What is in both.
  package func intersection(_ other: Leftovers) -> Leftovers {
    var result = Leftovers()
    result.columns = columns.intersection(other.columns)
    result.tables = tables.intersection(other.tables)
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

  /// Whether columns or tables of an earlier version wait to be removed.
  package var isCleanupPending: Bool {
    get {
      let value = others[Self.deferredCleanupKey]
      return value == .boolean(true) || value?.integer.map { $0 != 0 } == true
    }
    set { others[Self.deferredCleanupKey] = newValue ? .boolean(true) : nil }
  }
}
