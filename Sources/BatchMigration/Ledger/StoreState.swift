/// The state of a store in a batch.
package enum StoreState: String, Codable, Hashable, Sendable, CaseIterable {
  /// Found, and not begun.
  case waiting
  /// A worker migrates it.
  case running
  /// Brought to the version wanted, and verified.
  case migrated
  /// Already of the version wanted, before the batch.
  case current
  /// Refused: no plan that the options allow leads to the version.
  case refused
  /// The file is no whole store.
  case damaged
  /// The migration failed, and the original is kept.
  case failed
  /// The migration took longer than it may.
  case timedOut = "timed-out"
  /// Left out by the user.
  case skipped

  /// Whether nothing more happens to the store by itself.
  package var isFinal: Bool { self != .waiting && self != .running }

  /// The states after which a store may be tried again: it was not brought to the version.
  package static let retriable: Set<StoreState> = [
    .refused, .damaged, .failed, .timedOut, .skipped,
  ]

  /// The states of stores that were neither brought to the version nor left out.
  package static let unsuccessful: Set<StoreState> = [.refused, .damaged, .failed, .timedOut]
}
