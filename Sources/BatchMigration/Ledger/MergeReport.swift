/// The result of a merge from another ledger.
package struct MergeReport: Hashable, Sendable {
  /// A store about which the two ledgers contradict each other.
  package struct Conflict: Hashable, Encodable, Sendable {
    /// The store's name.
    package var name: String
    /// The contradiction, as a sentence; the ledger that was merged into is left as it was.
    package var reason: String
  }

  /// Stores that the ledger did not have.
  package var added = 0
  /// Stores that waited here or were left out, and whose outcome came from the other ledger.
  package var taken = 0
  /// The number of stores that the other ledger has nothing new about.
  package var kept = 0
  /// The stores that stay as they were although the other ledger contradicts this one, in the other's order.
  package var conflicts: [Conflict] = []

  /// A report of a merge that took nothing.
  package init() {}
}
