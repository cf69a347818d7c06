extension PageVerification {
  /// The facts about the rows of a table.
  package struct Rows: Hashable, Sendable {
    /// The number of rows.
    package var count: Int64
    /// The pages of the table and of its indexes.
    package var pageCount: Int64 = 0
    /// The least number of rows of each number in `Z_ENT`: one beyond a thousand, or not kept as an
    /// integer in the row's own page, is not counted.
    package var countByEntity: [Int64: Int64] = [:]
    /// The columns, in their order.
    package var columns: [String] = []
    /// The facts about the values of each column, by its name; a column that has a value where a row is too
    /// short for one is left out.
    package var values: [String: Values] = [:]
    /// The sum of the rows' values in the order of the columns, of tables of few columns; nil where it was
    /// not asked for.
    package var sum: UInt64?
    /// The columns of numbers in which there is nothing but numbers and NULL.
    package var plainNumbers: Set<String> = []
    /// The columns of text in which there is nothing but text in UTF-8, in rows of at most a
    /// mebibyte, and NULL.
    package var plainTexts: Set<String> = []
    /// The columns of blobs in which there is nothing but blobs and NULL.
    package var plainBlobs: Set<String> = []
    /// The columns of blobs in which each blob has sixteen bytes.
    package var plainUUIDs: Set<String> = []

    /// The facts about the values of a column.
    package struct Values: Hashable, Sendable {
      /// The number of values that are not NULL, by the number in `Z_ENT` of their rows.
      ///
      /// The number is 0 where the table has none; nil where a row has no such number, or there are too many.
      package var countByEntity: [Int64: Int64]?
      /// The sum of the values that are not NULL, each with its row's number.
      ///
      /// Two tables whose sums are equal have the same values in the same rows (``RowHash``). Nil where it
      /// was not asked for, or a value was too long.
      package var sum: UInt64?

      fileprivate mutating func merge(_ other: Values) {
        countByEntity = countByEntity.flatMap { own in
          other.countByEntity.map { own.merging($0, uniquingKeysWith: +) }
        }
        sum = sum.flatMap { own in other.sum.map { own &+ $0 } }
      }

      /// The number of values that are not NULL, in all rows.
      package var count: Int64? { countByEntity.map { $0.values.reduce(0, +) } }
    }

    /// Adds other rows of the same table.
    mutating func merge(_ other: Rows) {
      count += other.count
      pageCount += other.pageCount
      countByEntity.merge(other.countByEntity, uniquingKeysWith: +)
      for (column, values) in other.values { self.values[column]?.merge(values) }
      sum = sum.flatMap { own in other.sum.map { own &+ $0 } }
      plainNumbers.formIntersection(other.plainNumbers)
      plainTexts.formIntersection(other.plainTexts)
      plainBlobs.formIntersection(other.plainBlobs)
      plainUUIDs.formIntersection(other.plainUUIDs)
    }

    /// Whether the entity of each row is known.
    package var isCountedByEntity: Bool { countByEntity.values.reduce(0, +) == count }
  }
}
