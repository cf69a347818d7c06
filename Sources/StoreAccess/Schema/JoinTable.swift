/// The table that holds the pairs of two to-many relationships that are each other's inverse.
package struct JoinTable: Hashable, Sendable {
  /// `Z_`, the number of the master's entity, and the master's name in capitals.
  package let name: String
  /// The relationship that names the table.
  package let master: PropertyReference
  /// The inverse; nil where the master is its own inverse.
  package let other: PropertyReference?
  /// The keys of the master's owners: those to which the inverse leads.
  package let ownerColumn: SchemaColumn
  /// The keys to which the master leads.
  package let destinationColumn: SchemaColumn
  /// The place of an owner among those of one destination, where the inverse is ordered.
  package let ownerOrderColumn: SchemaColumn?
  /// The place of a destination among those of one owner, where the master is ordered.
  package let destinationOrderColumn: SchemaColumn?

  /// Whether the relationship is its own inverse.
  package var isReflexive: Bool { other == nil }

  /// The columns in the order of a fresh file.
  package var columns: [SchemaColumn] {
    let keys =
      isReflexive ? [destinationColumn, ownerColumn] : [ownerColumn, destinationColumn]
    return keys + [ownerOrderColumn, destinationOrderColumn].compactMap { $0 }
  }

  /// The two columns of the primary key, in its order.
  package var keyColumns: [SchemaColumn] { Array(columns.prefix(2)) }

  /// Returns the columns of the places in lists: in those of the owners with keys in one column, then
  /// in those at the other end.
  package func orders(of column: String) -> [String] {
    let orders = [destinationOrderColumn, ownerOrderColumn]
    return (column == ownerColumn.name ? orders : orders.reversed()).map { $0?.name ?? "" }
  }

  /// The statement that makes the table.
  package var statement: SchemaStatement {
    let list = columns.map(\.definition).joined(separator: ", ")
    let keys = keyColumns.map { SchemaName.sql($0.name) }.joined(separator: ", ")
    return SchemaStatement(
      verb: "CREATE TABLE",
      rest: "\(SchemaName.sql(name)) ( \(list), PRIMARY KEY (\(keys)) )"
    )
  }

  /// The statement that makes the table, as Core Data writes it.
  package var createSQL: String { statement.sql }

  /// The index that leads from the second key to the first.
  package var index: SchemaIndex {
    let keys = keyColumns.map(\.name)
    return SchemaIndex(
      name: "\(name)_\(keys[1])_INDEX",
      tableName: name,
      terms: [keys[1], keys[0]].map { .init(columnName: $0) }
    )
  }

  /// The name of the index that leads from the second key to the first.
  package var indexName: String { index.name }
}
