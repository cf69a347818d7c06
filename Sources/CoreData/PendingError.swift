import StoreMigration

/// The first error of calls that cannot throw, until the callback of the app's policy returns, or the context
/// of an opened store saves.
final class PendingError {
  private var error: (any Error)?

  /// The one of the callback that the thread runs.
  static var ofThread: PendingError? { NSMigrationManager.ofThread?.pendingError }

  /// Records that only objects of contexts can be asked.
  static func recordUnsupported(_ what: String) {
    ofThread?.record(
      MigrationError(
        .failed,
        "\(what) that is no managed object of a context.",
        recovery: "Filter and sort other values in Swift."
      )
    )
  }

  /// Whether there is one.
  var isThere: Bool { error != nil }

  func record(_ error: any Error) { self.error = self.error ?? error }

  /// Forgets the error, as the changes that it is about are dropped.
  func clear() { error = nil }

  /// Throws the error, which stays: nothing of the run, or of the changes, is to be kept.
  func check() throws {
    if let error { throw error }
  }
}
