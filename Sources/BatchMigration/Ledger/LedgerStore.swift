package import Foundation

/// A store as a ledger knows it.
package struct LedgerStore: Hashable, Sendable {
  /// The store's number, unique in this ledger only.
  package var id: Int64
  /// The first half of the SHA-256 of its name, in hex: the same in every ledger.
  package var key: String
  /// The store, as the search found it.
  package var found: FoundStore
  /// The state of the store.
  package var state: StoreState
  /// The dispatcher that has it, while it runs.
  package var holder: String?
  /// The number of attempts that were begun.
  package var attempts: Int
  /// The model that it is of.
  package var model: String?
  /// The version that it was of.
  package var version: String?
  /// The versions that the migration passed.
  package var path: [String]
  /// The absolute path of the migrated store.
  package var result: String?
  /// The SHA-256 of the certificate's JSON, in hex.
  package var certificate: String?
  /// The path at which its run wrote that certificate, where another ledger had the run from which this
  /// one's outcome was merged; nil where this one had it.
  package var origin: String?
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
  /// The time when the last attempt began.
  package var started: Date?
  /// The duration of the last attempt, in seconds.
  package var seconds: Double?
  /// The bytes of the result.
  package var resultBytes: Int64?
  /// The greatest memory that the worker had, in bytes.
  package var memory: Int64?
  /// The machine of the last attempt.
  package var host: String?
}
