/// The reason why a command cannot be carried out, where no lower layer has one.
package struct CommandError: Error, Hashable, Sendable {
  /// Reasons, each with its exit status.
  package enum Code: String, Hashable, Sendable {
    /// An argument that cannot be meant so.
    case badArgument
    /// A name that no version has.
    case unknownVersion
    /// A name that several versions have.
    case ambiguousVersion
    /// A store of no archived version.
    case unknownStoreVersion
    /// `waystone.yml` cannot be used.
    case badConfiguration
    /// A file or folder does not exist or cannot be read.
    case missingFile
    /// A file is not what it should be.
    case badFile
    /// A file cannot be made where it should be.
    case cannotCreate
    /// A check or a condition says no.
    case refused
    /// Standard output takes no more.
    case cannotWrite
  }

  /// Which reason applies.
  package var code: Code
  /// One sentence that names what is wrong.
  package var message: String
  /// What the person can do next.
  package var recovery: String

  /// An error with what to do next.
  package init(_ code: Code, _ message: String, recovery: String) {
    self.code = code
    self.message = message
    self.recovery = recovery
  }

  /// The exit status that the reason stands for.
  package var status: CommandStatus {
    switch code {
    case .badArgument, .unknownVersion, .ambiguousVersion, .badConfiguration: .usage
    case .unknownStoreVersion: .noPath
    case .missingFile: .missingInput
    case .badFile: .damagedInput
    case .cannotCreate: .cannotCreate
    case .refused: .answerIsNo
    case .cannotWrite: .inputOutput
    }
  }
}
