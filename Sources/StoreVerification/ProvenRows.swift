import ObjectModel
package import StoreAccess

/// The facts that follow from the proofs of a store's pages and of its result's: where the sums of
/// a column are equal, it has the same values in the same rows, and no query need compare them.
package struct ProvenRows {
  let source: PageVerification
  let result: PageVerification

  /// Joins two proofs.
  ///
  /// - Returns: nil where one of the proofs has no sums.
  package init?(_ source: PageVerification?, _ result: PageVerification?) {
    guard let source, let result, source.interest.sums, result.interest.sums else { return nil }
    (self.source, self.result) = (source, result)
  }

  /// Returns the number of rows of two tables, if these have the same keys.
  func commonRows(of origin: EntityTable, and table: EntityTable) -> Int64? {
    guard let old = source.rows[origin.name], let new = result.rows[table.name],
      old.count == new.count, isSame("Z_PK", of: origin.name, "Z_PK", of: table.name)
    else { return nil }
    return new.count
  }

  /// Returns whether two columns hold the same values in rows of the same keys.
  func isSame(_ column: String, of origin: String, _ other: String, of table: String) -> Bool {
    guard let old = source.rows[origin]?.values[column],
      let new = result.rows[table]?.values[other],
      let sum = old.sum, let count = old.count
    else { return false }
    return sum == new.sum && count == new.count
  }

  /// Returns whether a column of the result holds nothing.
  func isEmpty(_ column: String, of table: String) -> Bool {
    result.rows[table]?.values[column]?.count == 0
  }

  /// Returns the number of the result's rows of each entity; nil where that is not known of all.
  func countByEntity(of table: EntityTable) -> [Int64: Int64]? {
    guard let rows = result.rows[table.name], rows.isCountedByEntity else { return nil }
    return rows.countByEntity
  }

  /// Returns the number of rows of two tables of links, if both have the same rows in columns at
  /// the same places.
  func commonLinks(
    of origin: String,
    _ columns: [String],
    and table: String,
    _ others: [String]
  ) -> Int64? {
    guard let old = source.rows[origin], let new = result.rows[table], let sum = old.sum,
      sum == new.sum, old.count == new.count, old.columns.count == new.columns.count,
      columns.map(old.columns.firstIndex) == others.map(new.columns.firstIndex)
    else { return nil }
    return new.count
  }
}
