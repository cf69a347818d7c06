extension PageVerification {
  /// The facts that a proof gathers of the rows that it reads, besides those that prove their pages.
  package struct Interest: Sendable {
    /// A column whose values are keys of the rows of a table.
    package struct Reference: Hashable, Sendable {
      /// The table that has the column.
      package let table: String
      /// The column.
      package let column: String
      /// The table whose rows have the keys.
      package let target: String

      /// A column of one table that leads to the rows of another.
      package init(table: String, column: String, target: String) {
        self.table = table
        self.column = column
        self.target = target
      }
    }

    /// The columns for which the proof reports whether each of their keys has a row.
    package var references: [Reference]
    /// Whether the values of each column are summed up.
    package var sums: Bool

    /// Makes an interest in the named facts only.
    package init(references: [Reference] = [], sums: Bool = false) {
      self.references = references
      self.sums = sums
    }
  }
}
