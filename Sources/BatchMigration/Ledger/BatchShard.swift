/// A part of the stores of a batch, of parts that are about equal in number.
///
/// The stores' names decide, so that each machine finds its own part without asking another.
package struct BatchShard: Hashable, Sendable, CustomStringConvertible {
  /// The number of the part, from 1 up.
  package let index: Int
  /// The number of parts.
  package let count: Int

  /// A part, or nil where there is no such one; at most 10,000 parts.
  package init?(index: Int, count: Int) {
    guard (1...10_000).contains(count), (1...count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// The part that `2/8` names.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else { return nil }
    self.init(index: index, count: count)
  }

  package var description: String { "\(index)/\(count)" }

  /// Returns whether a store is of this part, by its key: the number that its first eight digits are.
  ///
  /// - Parameter key: As ``BatchLedger/key(of:)`` makes it.
  func holds(_ key: String) -> Bool {
    // A key is hexadecimal; what is not would be of the first part, so that no store is of none.
    (Int(key.prefix(8), radix: 16) ?? 0) % count == index - 1
  }
}
