/// The state of a batch, in numbers.
package struct LedgerTotals: Hashable, Sendable {
  /// A sum over stores that have the same state.
  package struct Sum: Hashable, Sendable {
    /// The number of stores.
    package var stores = 0
    /// Their bytes, as they were found.
    package var bytes: Int64 = 0
    /// The bytes of their results.
    package var resultBytes: Int64 = 0
    /// The time that their last attempts took, in seconds.
    package var seconds: Double = 0

    /// A sum of no stores.
    package init() {}

    /// Returns the sum of two sums.
    package static func + (first: Sum, second: Sum) -> Sum {
      var sum = first
      sum.stores += second.stores
      sum.bytes += second.bytes
      sum.resultBytes += second.resultBytes
      sum.seconds += second.seconds
      return sum
    }
  }

  /// A cause for which stores of one version did not reach the batch's version.
  package struct Cause: Hashable, Encodable, Sendable {
    /// The state in which they ended.
    package var state: StoreState
    /// The cause as a code; nil where none was given.
    package var code: String?
    /// The version that they are of; nil where it is not known.
    package var version: String?
    /// The number of stores.
    package var stores: Int
    /// The name of one of them, the first that was found.
    package var example: String
    /// The message about the example.
    package var message: String?
    /// The advice about the example.
    package var recovery: String?
  }

  /// The stores by state; a state without stores is absent.
  package var states: [StoreState: Sum] = [:]
  /// The stores by version and state; the version is nil where it is not known.
  package var versions: [String?: [StoreState: Sum]] = [:]
  /// The causes for which stores did not reach the version, the most frequent first.
  package var causes: [Cause] = []
  /// The number of oddities of the searches.
  package var oddities = 0
  /// The number of files that searches examined.
  package var files = 0
  /// Files of these that are no stores.
  package var others = 0
  /// Roots whose search has not ended.
  package var unsearchedRoots = 0
  /// Stores that end in a second of a run, over the last five minutes in which some did; nil before any.
  package var rate: Double?
  /// The number of stores that ended in less than each of ``durationBounds``, and of all the slower ones.
  ///
  /// A store counts once, for the least bound above its time.
  package var durations: [Int] = []
  /// The bounds of ``durations``, in seconds.
  package static let durationBounds: [Double] = [0.1, 0.3, 1, 3, 10, 30, 100, 300]
  /// The greatest memory of a worker, in bytes.
  package var memory: Int64?

  /// All stores.
  package var total: Sum { states.values.reduce(Sum(), +) }

  /// Returns the sum of the stores of some states.
  package func sum(_ wanted: some Sequence<StoreState>) -> Sum {
    wanted.reduce(Sum()) { $0 + (states[$1] ?? Sum()) }
  }

  /// The stores that are not done.
  package var remaining: Sum { sum([.waiting, .running]) }
}
