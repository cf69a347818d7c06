internal import Foundation

/// A meter of a batch's progress.
struct BatchMeter {
  private let clock = ContinuousClock()
  private var start: ContinuousClock.Instant
  private var state = BatchProgress()
  private var stores = 0
  private var bytes: Int64 = 0

  init() { start = clock.now }

  /// Begins with the totals of earlier runs.
  mutating func begin(_ totals: LedgerTotals) {
    start = clock.now
    let remaining = totals.remaining
    state.stores = totals.total.stores
    state.bytes = totals.total.bytes
    state.doneStores = state.stores - remaining.stores
    state.doneBytes = state.bytes - remaining.bytes
    state.failures = totals.sum(StoreState.unsuccessful).stores
  }

  /// Takes that a store has ended.
  mutating func take(_ outcome: StoreOutcome, bytes size: Int64) {
    stores += 1
    bytes += size
    state.doneStores += 1
    state.doneBytes += size
    if StoreState.unsuccessful.contains(outcome.state) { state.failures += 1 }
  }

  /// Takes that something was no store.
  mutating func drop(bytes size: Int64) {
    state.stores -= 1
    state.bytes -= size
  }

  /// Returns the progress of the batch.
  func progress(running: Int) -> BatchProgress {
    var progress = state
    let seconds = start.duration(to: clock.now) / .seconds(1)
    progress.running = running
    guard seconds > 0.5, stores > 0 else { return progress }
    progress.storesPerSecond = Double(stores) / seconds
    progress.bytesPerSecond = Double(bytes) / seconds
    if bytes > 0 {
      progress.remaining = Double(state.bytes - state.doneBytes) / progress.bytesPerSecond
    }
    return progress
  }
}
