package import MigrationPlanning
package import StoreAccess

/// The tables and SQL that carry out one hop; made by ``TableHopCompiler``.
package struct TableHopProgram: Sendable {
  /// A destination table, with the source of its rows.
  package struct Table: Sendable {
    /// The table to fill.
    package var destination: EntityTable
    /// The table whose rows it gets; nil where all its entities are new.
    package var source: EntityTable?
    /// The value of each destination column, in the table's order.
    package var values: [ColumnValue]
    /// The condition on source rows `s` that have a place in the destination; nil for all.
    package var filter: String?
  }

  /// A join table, with the source of its rows.
  package struct Join: Sendable {
    /// The table to fill.
    package var destination: JoinTable
    /// The source of its rows.
    package var content: JoinContent
  }

  /// The source of a join table's rows.
  package enum JoinContent: Sendable {
    /// Nowhere: the relationship is new.
    case empty
    /// A join table, column by column (destination's name, source's name).
    case columns(from: JoinTable, [(destination: String, source: String)])
    /// A query that gives the named destination columns.
    case query(String, columns: [String])
  }

  /// A temporary table of links, for columns that no source column holds.
  package struct Links: Hashable, Sendable {
    /// The table's name, in the schema `temp`.
    package var name: String
    /// The query that fills (owner, other, owner_order, other_order).
    package var query: String
  }

  /// The entity tables, in the order of the destination.
  package var tables: [Table]
  /// The join tables.
  package var joins: [Join]
  /// The temporary tables that expressions look into.
  package var links: [Links]
  /// The conditions on the source's data without which the hop would fail or change values.
  package var preconditions: [Precondition]
}
