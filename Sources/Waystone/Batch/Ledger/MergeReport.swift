/// What a merge took from another ledger.
package struct MergeReport: Hashable, Sendable {
  /// A store of which the two ledgers say what cannot both be.
  package struct Conflict: Hashable, Sendable {
    /// The store's name.
    package var name: String
    /// What the ledgers say of it; the one that was merged into is left as it was.
    package var reason: String
  }

  /// Stores that the ledger did not have.
  package var added = 0
  /// Stores that waited here or were left out, and whose outcome came from the other ledger.
  package var taken = 0
  /// Stores of which the other ledger says nothing new.
  package var kept = 0
  /// Stores that stay as they were although the other ledger says something else, in its order.
  package var conflicts: [Conflict] = []

  /// Nothing merged yet.
  package init() {}
}
