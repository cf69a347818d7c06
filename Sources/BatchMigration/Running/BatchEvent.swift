/// An event of a batch's run.
package enum BatchEvent: Sendable {
  /// A root is searched.
  case searching(String)
  /// The number of stores found up to now.
  case found(Int)
  /// A worker has begun a store.
  case began(name: String, bytes: Int64)
  /// An attempt on a store has ended.
  case ended(name: String, bytes: Int64, StoreOutcome)
  /// An attempt on a store has ended, and another will follow after so many seconds.
  case retrying(name: String, StoreOutcome, after: Double)
  /// A stop was requested; the number of workers that run up to their next checkpoints.
  case stopping(workers: Int)
  /// The progress of the batch, several times a second.
  case progress(BatchProgress)
}

/// The progress of a batch.
package struct BatchProgress: Hashable, Sendable {
  /// Stores that need no more work, with those of earlier runs.
  package var doneStores = 0
  /// All stores.
  package var stores = 0
  /// The bytes of the stores that need no more work.
  package var doneBytes: Int64 = 0
  /// The bytes of all stores.
  package var bytes: Int64 = 0
  /// Stores that are neither of the version wanted nor left out.
  package var failures = 0
  /// Stores that run now.
  package var running = 0
  /// Stores that ended in a second of this run.
  package var storesPerSecond = 0.0
  /// Bytes of stores that ended in a second of this run.
  package var bytesPerSecond = 0.0
  /// An estimate of the remaining time, in seconds, by bytes; nil where that is not known yet.
  package var remaining: Double?
}
