/// What all migrations of a batch dropped or changed.
package struct LossTotals: Hashable, Sendable {
  /// What is lost of one place.
  package struct Sum: Hashable, Sendable {
    /// How many stores lost some.
    package var stores = 0
    /// How many objects, values or links in all of them.
    package var count: Int64 = 0
  }

  /// By place.
  package private(set) var sums: [MigrationLosses.Place: Sum] = [:]
  /// How many stores lost anything.
  package private(set) var stores = 0
  /// How many certificates could not be read.
  package var unread = 0

  /// Nothing yet.
  package init() {}

  /// Adds what became of a store.
  package mutating func add(_ losses: MigrationLosses) {
    if !losses.counts.isEmpty { stores += 1 }
    for (place, count) in losses.counts {
      sums[place, default: Sum()].stores += 1
      sums[place, default: Sum()].count &+= count
    }
  }
}
