internal import Foundation

/// What the two ends of a worker's pipes say to each other: one JSON object a line.
///
/// Both ends are one program, so that no version of this form is promised to anybody.
enum WorkerMessage {
  /// What the dispatcher says.
  enum Request: Codable, Sendable {
    /// How stores are migrated; the first line.
    case begin(BatchSettings)
    /// Puts stores of an archive or a backup into a folder, each in one of its own.
    case fetch(stores: [FetchedStore], folder: String)
    /// What to do with a store.
    case run(StoreJob)
    /// What runs is to stop at its next checkpoint.
    case stop
  }

  /// A store that is to be fetched, with the name of its folder.
  struct FetchedStore: Codable, Sendable {
    var store: FoundStore
    var folder: String
  }

  /// What the worker says.
  enum Reply: Codable, Sendable {
    /// Models and mappings are read.
    case ready
    /// They cannot be read, or stores cannot be fetched.
    case unable(Failure)
    /// The stores are in their folders; those that could not be fetched, by the folder's name.
    case fetched(failures: [String: Failure])
    /// Of what version the store is that is worked on.
    case identified(StoreIdentification)
    /// What became of a store.
    case ended(StoreReply)
  }

  /// Why a store could not be fetched.
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

  /// A message as a line.
  static func line(_ message: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return Array(try encoder.encode(message)) + [UInt8(ascii: "\n")]
  }

  /// The message of a line.
  static func message<Message: Decodable>(_ line: [UInt8]) throws -> Message {
    try JSONDecoder().decode(Message.self, from: Data(line))
  }
}

/// What a worker has to say of a store.
package struct StoreReply: Codable, Sendable {
  /// What became of it.
  package var outcome: StoreOutcome
  /// What a plan drops, in words; of plans alone.
  package var losses: [String] = []
  /// The code of the error by which it failed, where it did.
  private var code: String?
  /// Whether a limit of the worker ended it, which each worker has; nil where none did.
  private var isOfLimit: Bool?

  init(_ outcome: StoreOutcome, losses: [String] = [], error: WaystoneError? = nil) {
    self.outcome = outcome
    self.losses = losses
    code = error?.code.rawValue
    isOfLimit = error?.isOfLimit == true ? true : nil
  }

  /// Why it failed, where it did.
  package var error: WaystoneError.Code? { code.flatMap(WaystoneError.Code.init) }

  /// Whether another attempt may end otherwise: somebody has the store open, or the system could not
  /// read or write, for another reason than a limit on the worker.
  var isWorthRetrying: Bool { error == .inUse || error == .inputOutput && isOfLimit != true }
}
