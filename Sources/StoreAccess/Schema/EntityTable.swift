/// The table that holds the rows of a root entity and of all entities below it.
package struct EntityTable: Hashable, Sendable {
  /// The entity without parent after which the table is named.
  package let rootEntityName: String
  /// `Z` and the root's name in capitals.
  package let name: String
  /// The columns in the order of a fresh file, `Z_PK`, `Z_ENT` and `Z_OPT` first.
  ///
  /// Core Data never relies on the order: files that it altered in place have another.
  package let columns: [SchemaColumn]

  /// The statement that makes the table.
  package var statement: SchemaStatement {
    let list = columns.map(\.definition).joined(separator: ", ")
    return SchemaStatement(verb: "CREATE TABLE", rest: "\(SchemaName.sql(name)) ( \(list) )")
  }

  /// The statement that makes the table, as Core Data writes it.
  package var createSQL: String { statement.sql }

  /// The names of indexes over the keys of owners whose relationships here have no inverse.
  var ownerIndexNames: [String] {
    columns.compactMap { column in
      guard case .oneSidedOwner = column.role else { return nil }
      return "\(name)_\(column.name)_INDEX"
    }
  }

  /// Returns the column of a name, which is all capitals.
  package func column(named name: String) -> SchemaColumn? { columns.first { $0.name == name } }
}
