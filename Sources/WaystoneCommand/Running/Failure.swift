internal import Files
internal import MigrationPlanning
internal import MigrationReporting
internal import ModelImport
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration

/// The one place that knows which exit status, message and advice each error has.
enum Failure {
  /// The failure that an error of any layer means.
  static func report(_ error: any Error) -> FailureReport {
    switch error {
    case let error as CommandError:
      make(error.status, error.code.rawValue, error.message, error.recovery)
    case let error as ModelImportError:
      make(
        CommandStatus(rawValue: error.exitStatus) ?? .damagedInput,
        name(error.code),
        "\(error.place): \(error.message)",
        error.recovery
      )
    case let error as ModelError:
      make(.damagedInput, error.code.rawValue, error.message, error.recovery)
    case let error as PlanningError:
      make(.noPath, name(error.code), error.message, error.recovery)
    case let error as MigrationError:
      make(
        status(error.code),
        error.code.rawValue,
        error.message,
        error.recovery,
        isResumable: error.isResumable
      )
    case let error as StoreAccessError:
      make(status(error.code), name(error.code), error.message, error.recovery)
    case let error as SQLiteError:
      report(StoreAccessError(error))
    case let error as FileError:
      // What is read fails as a store or a model does; this is about files that a run makes.
      make(status(error.code), name(error.code), error.message, error.recovery)
    default:
      make(
        .inputOutput,
        "unexpected",
        "\(type(of: error)): \(error)",
        "Please report this with the message above."
      )
    }
  }

  private static func status(_ code: MigrationError.Code) -> CommandStatus {
    switch code {
    case .refused: .noPath
    case .damaged: .damagedInput
    case .inUse: .locked
    case .interrupted, .unfinishedRun: .interrupted
    case .nothingToDo: .success
    case .mismatch, .failed: .migrationFailed
    case .verificationFailed: .verificationFailed
    case .cannotCreate: .cannotCreate
    case .inputOutput: .inputOutput
    }
  }

  private static func status(_ code: FileError.Code) -> CommandStatus {
    switch code {
    case .missing, .denied, .exists, .isDirectory, .notAFolder, .unsupported, .invalidPath:
      .cannotCreate
    case .notPlain, .tooLarge: .damagedInput
    case .noSpace, .other: .inputOutput
    }
  }

  private static func status(_ code: StoreAccessError.Code) -> CommandStatus {
    switch code {
    case .missing, .unreadable: .missingInput
    case .notAStore, .damaged, .nullMetadata, .unsupported: .damagedInput
    case .inUse: .locked
    case .cannotCreate: .cannotCreate
    case .diskFull, .inputOutput, .noMemory, .other: .inputOutput
    case .interrupted: .interrupted
    }
  }

  /// The name of an enumeration's case, without what it carries.
  private static func name(_ code: some Any) -> String {
    String("\(code)".prefix { $0 != "(" })
  }

  /// The message with a full stop, which some layers leave out.
  private static func sentence(_ message: String) -> String {
    message.last.map { ".!?:)".contains($0) } ?? true ? message : message + "."
  }

  /// A failure with its full stops.
  static func make(
    _ status: CommandStatus,
    _ code: String,
    _ message: String,
    _ recovery: String,
    isResumable: Bool = false
  ) -> FailureReport {
    FailureReport(
      status: status.rawValue,
      kind: status.name,
      code: code,
      message: sentence(message),
      recovery: recovery,
      isResumable: isResumable
    )
  }
}

extension ModelImportError {
  /// `file:line`, as far as it is known.
  fileprivate var place: String { line.map { "\(file):\($0)" } ?? file }
}
