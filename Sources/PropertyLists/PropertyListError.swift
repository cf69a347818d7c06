/// An error that reports why, and where, bytes are not a property list or a keyed archive.
///
/// The message names byte offsets, object numbers and keys, never values.
package struct PropertyListError: Error, Hashable, Sendable {
  /// The kind of failure, for programs.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The bytes do not begin like a binary property list.
    case notAPropertyList
    /// The last 32 bytes contradict themselves or the length.
    case damagedTrailer
    /// An object or reference is outside its place, or objects overlap.
    case damagedOffsets
    /// A type byte that no property list has.
    case unknownObject
    /// A number too large for 64 bits.
    case unsupportedNumber
    /// Text that is not in the encoding it claims.
    case invalidText
    /// Text that is not written as a property list is.
    case malformedText
    /// A dictionary key that is no string, or occurs twice.
    case invalidKey
    /// A container that contains itself.
    case cycle
    /// Containers nested deeper than any real file's.
    case tooDeep
    /// Shared parts that expand to far more than the input's size.
    case tooLarge
    /// A property list, but not a keyed archive.
    case notAnArchive
    /// An archive's reference to an object that it does not have.
    case danglingReference
    /// An archived value that is absent or of another type than its class requires.
    case unexpectedValue
  }

  /// The kind of failure, for programs.
  package let code: Code
  /// The failure and its place, in one sentence.
  package let message: String

  /// An error with its place already in the message.
  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The user's next step.
  package var recovery: String {
    switch code {
    case .notAPropertyList, .notAnArchive:
      "Check that this is the file you meant; other formats need other readers."
    case .tooDeep, .tooLarge, .unknownObject, .unsupportedNumber:
      "No writer of Apple's makes this. If the file is genuine, please report it."
    case .malformedText: "Correct the line; a merge may have left its marks there."
    default:
      "The file is damaged: take it from a backup or build it again."
    }
  }
}

extension PropertyListError: CustomStringConvertible {
  /// The message, then the recovery.
  package var description: String { "\(message) \(recovery)" }
}
