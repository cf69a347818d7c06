import Synchronization

/// The last few values of a function of values alone, so that the stores of a batch, which are of a
/// few versions, do not have each made again.
///
/// It never decides anything: what it gives for a key is what the function gives. Keys are compared
/// whole; a model is compared at once with itself.
package final class RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Kept {
    var values: [Key: Value] = [:]
    /// The keys, the least recently made first.
    var order: [Key] = []
  }

  private let capacity: Int
  private let kept = Mutex(Kept())

  /// Keeps at most so many values.
  package init(capacity: Int) { self.capacity = capacity }

  /// Returns the value of a key, made where it is not kept.
  ///
  /// - Throws: The error of making the value; nothing is kept then.
  package func value<Failure: Error>(
    of key: Key,
    _ make: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if let known = kept.withLock({ $0.values[key] }) { return known }
    // Others need not wait meanwhile; a value that two of them make is the same.
    let value = try make()
    kept.withLock { kept in
      guard kept.values.updateValue(value, forKey: key) == nil else { return }
      kept.order.append(key)
      if kept.order.count > capacity { kept.values[kept.order.removeFirst()] = nil }
    }
    return value
  }
}
