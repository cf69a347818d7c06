package import Waystone

extension WaystoneError {
  /// The exit status of the error.
  package var status: CommandStatus {
    switch code {
    case .nothingToDo: .success
    case .refused: .answerIsNo
    case .badArgument, .unknownVersion, .ambiguousVersion, .badConfiguration: .usage
    case .unknownStoreVersion, .noPath, .blocked: .noPath
    case .mismatch, .failed: .migrationFailed
    case .verificationFailed: .verificationFailed
    case .inUse: .locked
    case .interrupted, .unfinishedRun: .interrupted
    case .badFile: .damagedInput
    case .missingFile: .missingInput
    case .cannotCreate: .cannotCreate
    case .cannotWrite, .inputOutput: .inputOutput
    }
  }
}
