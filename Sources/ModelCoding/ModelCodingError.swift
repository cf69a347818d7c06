import ObjectModel
import PropertyLists

/// Why bytes are not a compiled model, or why a model cannot be compiled, and where.
package struct ModelCodingError: Error, Hashable, Sendable {
  /// What is wrong, for programs.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The keyed archive is damaged.
    case damagedArchive
    /// A keyed archive of something else than a model.
    case notAModel
    /// Entities that do not fit together.
    case inconsistentModel
    /// The compressed bytes are damaged.
    case damagedCompression
    /// More data than any real model has.
    case tooLarge
    /// A part of the model whose archived form is not known.
    case unsupported
  }

  /// What is wrong, for programs.
  package let code: Code
  /// What is wrong and where, in one sentence.
  package let message: String
  /// What a person can do next.
  package let recovery: String

  /// An error with its place already in the message.
  package init(_ code: Code, _ message: String, recovery: String) {
    self.code = code
    self.message = message
    self.recovery = recovery
  }

  init(_ error: PropertyListError) {
    self.init(.damagedArchive, error.message, recovery: error.recovery)
  }

  init(_ error: ModelError) {
    self.init(.inconsistentModel, error.message, recovery: error.recovery)
  }

  static func notAModel(_ message: String) -> ModelCodingError {
    ModelCodingError(
      .notAModel,
      message,
      recovery: "Check that this is a compiled model (.mom); mapping models are read otherwise."
    )
  }

  static func unsupported(_ message: String) -> ModelCodingError {
    ModelCodingError(
      .unsupported,
      message,
      recovery: "Let Xcode compile the model, or leave the store without a cached model."
    )
  }
}

extension ModelCodingError: CustomStringConvertible {
  /// The message, then the recovery.
  package var description: String { "\(message) \(recovery)" }
}
