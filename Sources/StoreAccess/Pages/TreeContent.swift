/// A consumer of the rows of a table, or the entries of an index, in the order of their tree.
protocol TreeContent: ~Copyable {
  /// Whether it is the tree of an index, whose inner pages hold entries too.
  static var isIndex: Bool { get }

  /// Returns whether a record that is in part in overflow pages is wanted whole.
  func needsAll(
    of payload: UnsafeRawPointer,
    local: Int,
    total: Int
  ) throws(Unproven) -> Bool

  /// Takes a record.
  ///
  /// - Parameters:
  ///   - payload: Is there until the page ends, or the one after the next is gathered.
  ///   - local: The bytes of it that are at `payload`.
  ///   - key: The number of a row; 0 for an entry.
  mutating func add(
    _ payload: UnsafeRawPointer,
    local: Int,
    total: Int,
    key: Int64
  ) throws(Unproven)

  /// Takes the bound between two pages of a table: no row before it has a greater number, and each one
  /// behind it has.
  mutating func pass(bound: Int64) throws(Unproven)

  /// Ends a page, whose memory is then used for another.
  mutating func endPage()
}
