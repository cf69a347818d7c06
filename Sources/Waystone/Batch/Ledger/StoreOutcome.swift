package import Foundation

/// How an attempt on a store ended.
package struct StoreOutcome: Hashable, Codable, Sendable {
  /// What became of the store; a final state.
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
  /// The digest of what the store said before, in hex.
  package var sourceDigest: String?
  /// The digest of what the result says, in hex.
  package var resultDigest: String?
  /// The cause of a state that is no success, as a code.
  package var code: String?
  /// One sentence on the cause.
  package var message: String?
  /// What a person can do.
  package var recovery: String?
  /// When the attempt began.
  package var started: Date
  /// How long it took.
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
