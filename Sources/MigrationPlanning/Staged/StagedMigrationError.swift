/// The reason why stages are no staged migration.
package struct StagedMigrationError: Error, Hashable, Sendable {
  /// A reason that a caller may want to branch on.
  package enum Code: String, Hashable, Sendable {
    /// There is no stage, or one without versions.
    case empty
    /// A stage names a version that the model does not have.
    case unknownVersion
    /// A version is in two stages, other than as the end of one and the beginning of the next.
    case duplicateVersion
    /// The stages do not follow the order of versions.
    case brokenOrder
  }

  /// The reason for the error.
  package var code: Code
  /// The number of the stage at fault, from 1; nil where it is about all.
  package var stage: Int?
  /// The line of the stage, where it is in a file.
  package var line: Int?
  /// A sentence that describes the error.
  package var message: String
  /// The remedy for the user.
  package var recovery: String
}

extension StagedMigrationError: CustomStringConvertible {
  /// The message and the remedy.
  package var description: String { "\(message) \(recovery)" }
}
