package import Foundation

/// The outcome of an attempt on a store.
package struct StoreOutcome: Hashable, Codable, Sendable {
  /// The state in which the store ended; a final one.
  package var state: StoreState
  /// The model that the store is of, where it is known.
  package var model: String?
  /// The version that the store was of, where it is known.
  package var version: String?
  /// The versions that the migration passed, the first and the last included.
  package var path: [String] = []
  /// The absolute path of the migrated store.
  package var result: String?
  /// The migration's certificate, as JSON.
  package var certificate: [UInt8]?
  /// The digest of the store's contents before the migration, in hex.
  package var sourceDigest: String?
  /// The digest of the result's contents, in hex.
  package var resultDigest: String?
  /// The cause of a state that is no success, as a code.
  package var code: String?
  /// The cause, as one sentence.
  package var message: String?
  /// The advice to the user.
  package var recovery: String?
  /// The time when the attempt began.
  package var started: Date
  /// The duration of the attempt, in seconds.
  package var seconds: Double
  /// The bytes of the result.
  package var resultBytes: Int64?
  /// The greatest memory that the worker had, in bytes.
  package var memory: Int64?

  /// An outcome about which nothing more is known yet.
  package init(_ state: StoreState, started: Date, seconds: Double) {
    self.state = state
    self.started = started
    self.seconds = seconds
  }
}
