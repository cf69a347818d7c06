/// How far a batch is, in numbers.
package struct LedgerTotals: Hashable, Sendable {
  /// Stores, with what they have in common summed up.
  package struct Sum: Hashable, Sendable {
    /// How many stores.
    package var stores = 0
    /// Their bytes, as they were found.
    package var bytes: Int64 = 0
    /// The bytes of their results.
    package var resultBytes: Int64 = 0
    /// The time that their last attempts took, in seconds.
    package var seconds: Double = 0

    /// No stores.
    package init() {}

    /// Both together.
    package static func + (first: Sum, second: Sum) -> Sum {
      var sum = first
      sum.stores += second.stores
      sum.bytes += second.bytes
      sum.resultBytes += second.resultBytes
      sum.seconds += second.seconds
      return sum
    }
  }

  /// Stores of one version that did not reach the batch's for one cause.
  package struct Cause: Hashable, Sendable {
    /// The state in which they ended.
    package var state: StoreState
    /// The cause as a code; nil where none was given.
    package var code: String?
    /// The version that they are of; nil where it is not known.
    package var version: String?
    /// How many stores.
    package var stores: Int
    /// The name of one of them, the first that was found.
    package var example: String
    /// What was said of that one.
    package var message: String?
    /// What a person can do for it.
    package var recovery: String?
  }

  /// By state; a state without stores is absent.
  package var states: [StoreState: Sum] = [:]
  /// By the version that stores were of, and by state; the version is nil where it is not known.
  package var versions: [String?: [StoreState: Sum]] = [:]
  /// What kept stores from the version, the most frequent first.
  package var causes: [Cause] = []
  /// What a search met that could not be looked at, or was refused.
  package var oddities = 0
  /// Files that searches looked at.
  package var files = 0
  /// Files of these that are no stores.
  package var others = 0
  /// Roots whose search has not ended.
  package var unsearchedRoots = 0
  /// Stores that end in a second of a run, over the last five minutes in which some did; nil before any.
  package var rate: Double?
  /// How many stores ended in less than each of ``durationBounds``, and in all the longer ones.
  ///
  /// A store counts once, for the least bound above its time.
  package var durations: [Int] = []
  /// The bounds of ``durations``, in seconds.
  package static let durationBounds: [Double] = [0.1, 0.3, 1, 3, 10, 30, 100, 300]
  /// The greatest memory of a worker, in bytes.
  package var memory: Int64?

  /// All stores.
  package var total: Sum { states.values.reduce(Sum(), +) }

  /// The stores of some states.
  package func sum(_ wanted: some Sequence<StoreState>) -> Sum {
    wanted.reduce(Sum()) { $0 + (states[$1] ?? Sum()) }
  }

  /// The stores that are not done.
  package var remaining: Sum { sum([.waiting, .running]) }
}
