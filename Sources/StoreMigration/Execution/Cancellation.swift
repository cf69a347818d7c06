import Synchronization

/// A request to stop, which a signal handler or another task may make at any time.
public final class Cancellation: Sendable {
  private let requested = Atomic(false)

  /// Makes a cancellation that was not requested yet.
  public init() {}

  /// Asks the run to stop at the next safe point; safe to call from a signal handler.
  public func request() { requested.store(true, ordering: .relaxed) }

  /// Whether cancellation was requested.
  public var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Throws if cancellation was requested.
  func check() throws(MigrationError) {
    guard isRequested else { return }
    throw Self.interrupted
  }

  static let interrupted = MigrationError(
    .interrupted,
    "The run was asked to stop, and stopped at its last checkpoint.",
    recovery: "Go on with resume.",
    isResumable: true
  )
}
