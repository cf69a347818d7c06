internal import Foundation
package import Waystone

/// The messages between a dispatcher and its workers: one JSON object a line.
///
/// Both ends are one program, so no version of this form is promised.
enum WorkerMessage {
  /// A message of the dispatcher.
  enum Request: Codable, Sendable {
    /// The settings of the batch; the first message.
    case begin(BatchSettings)
    /// Puts stores of an archive or a backup into a folder, each in one of its own.
    case fetch(stores: [FetchedStore], folder: String)
    /// A job on a store.
    case run(StoreJob)
    /// A request that running jobs stop at their next checkpoints.
    case stop
  }

  /// A store that is to be fetched, with the name of its folder.
  struct FetchedStore: Codable, Sendable {
    var store: FoundStore
    var folder: String
  }

  /// A message of the worker.
  enum Reply: Codable, Sendable {
    /// Models and mappings are read.
    case ready
    /// The models or mappings cannot be read, or stores cannot be fetched.
    case unable(Failure)
    /// The stores are in their folders; those that could not be fetched, by the folder's name.
    case fetched(failures: [String: Failure])
    /// The version of the store that the worker has was identified.
    case identified(StoreIdentification)
    /// A job ended, with the reply.
    case ended(StoreReply)
  }

  /// A reason for which a store could not be fetched.
  struct Failure: Codable, Sendable {
    /// The raw value of an error's code.
    var code: String
    var reason: String
    var message: String
    var recovery: String

    init(_ error: WaystoneError) {
      code = error.code.rawValue
      reason = error.reason
      message = error.message
      recovery = error.recovery
    }

    var error: WaystoneError {
      var error = WaystoneError(.init(rawValue: code) ?? .failed, message, recovery: recovery)
      error.reason = reason
      return error
    }
  }

  /// Encodes a message as a line.
  static func line(_ message: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return Array(try encoder.encode(message)) + [UInt8(ascii: "\n")]
  }

  /// Decodes the message of a line.
  static func message<Message: Decodable>(_ line: [UInt8]) throws -> Message {
    try JSONDecoder().decode(Message.self, from: Data(line))
  }
}

/// A worker's reply about a store.
package struct StoreReply: Codable, Sendable {
  /// The outcome of the job.
  package var outcome: StoreOutcome
  /// The losses of a plan, in words; only for plans.
  package var losses: [String] = []
  /// The code of the error, where it failed.
  private var code: String?
  /// Whether a limit of the worker ended it, which each worker has; nil where none did.
  private var isOfLimit: Bool?

  init(_ outcome: StoreOutcome, losses: [String] = [], error: WaystoneError? = nil) {
    self.outcome = outcome
    self.losses = losses
    code = error?.code.rawValue
    isOfLimit = error?.isOfLimit == true ? true : nil
  }

  /// The code of the error, where the job failed.
  package var error: WaystoneError.Code? { code.flatMap(WaystoneError.Code.init) }

  /// Whether another attempt may end otherwise: another process has the store open, or the system could not
  /// read or write, for another reason than a limit on the worker.
  var isWorthRetrying: Bool { error == .inUse || error == .inputOutput && isOfLimit != true }
}
