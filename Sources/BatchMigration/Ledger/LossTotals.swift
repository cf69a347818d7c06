/// The losses of all migrations of a batch, summed by place.
package struct LossTotals: Hashable, Sendable {
  /// The sum of the losses of one place.
  package struct Sum: Hashable, Sendable {
    /// The number of stores that have the loss.
    package var stores = 0
    /// The number of objects, values or links in all of them.
    package var count: Int64 = 0
  }

  /// The sums, by place.
  package private(set) var sums: [MigrationLosses.Place: Sum] = [:]
  /// The number of stores with any loss.
  package private(set) var stores = 0
  /// The number of certificates that could not be read.
  package var unread = 0

  /// Totals of no migration.
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
