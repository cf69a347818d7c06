internal import Foundation
internal import Synchronization

/// A channel of values that one thread hands to another, in their order.
final class Channel<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  /// A semaphore that is signalled for each value, and once more when the channel is closed.
  private let arrivals = DispatchSemaphore(value: 0)

  /// Adds a value to the channel.
  func put(_ value: Value) {
    state.withLock { $0.values.append(value) }
    arrivals.signal()
  }

  /// Closes the channel; no value is added after that.
  func close() {
    state.withLock { $0.isClosed = true }
    arrivals.signal()
  }

  /// Waits for the next value; nil where there is none any more, or none until a time.
  func next(before deadline: Date? = nil) -> Value? {
    if let deadline {
      let seconds = max(0, deadline.timeIntervalSinceNow)
      guard arrivals.wait(timeout: .now() + seconds) == .success else { return nil }
    } else {
      arrivals.wait()
    }
    return state.withLock { state in
      if !state.values.isEmpty { return state.values.removeFirst() }
      // A later caller is not to wait.
      if state.isClosed { arrivals.signal() }
      return nil
    }
  }
}
