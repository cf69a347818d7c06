import ObjectModel
import PropertyLists

/// An error that reports why bytes are not a compiled model, or why a model cannot be compiled.
package struct ModelCodingError: Error, Hashable, Sendable {
  /// The kind of failure, for programs.
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

  /// The kind of failure, for programs.
  package let code: Code
  /// The failure and its place, in one sentence.
  package let message: String
  /// The user's next step.
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
