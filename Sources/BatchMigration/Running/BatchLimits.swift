/// The limits on a batch's resources, failures and attempts.
package struct BatchLimits: Hashable, Sendable {
  /// The workers that run at once.
  package var jobs = 1
  /// The time that a worker may take for one store, in seconds; nil for no limit.
  package var timeout: Double?
  /// The memory that a worker may take up, in bytes; nil where that is not bounded.
  package var memory: Int64?
  /// The bytes that copies and unpacked stores may take up at once, beside results; nil where only the
  /// free room counts.
  package var temporary: Int64?
  /// The stores that are begun, at most; nil for all.
  package var stores: Int?
  /// The stores that may end in neither success nor a decision before no more are begun; nil for all.
  package var failures: Int?
  /// The number of attempts on a store that is in use, or cannot be read or written for the moment.
  package var tries = 4

  /// Limits of one worker, and no others.
  package init() {}

  /// Returns the pause before a store is tried again, in seconds: 1, 4, 16 and so on.
  func pause(afterTry number: Int) -> Double {
    var pause = 1.0
    for _ in 1..<max(1, min(number, 6)) { pause *= 4 }
    return pause
  }
}
