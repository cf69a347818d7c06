internal import MigrationReporting
internal import ModelImport
internal import ObjectModel

/// The one place that knows which exit status, message and advice each error has.
enum Failure {
  /// The failure that an error of any layer means.
  static func report(_ error: any Error) -> FailureReport {
    switch error {
    case let error as CommandError:
      make(error.status, error.code.rawValue, error.message, error.recovery)
    case let error as ModelImportError:
      make(
        ExitStatus(rawValue: error.exitStatus) ?? .damagedInput,
        "\(error.code)",
        "\(error.place): \(error.message)",
        error.recovery
      )
    case let error as ModelError:
      make(.damagedInput, error.code.rawValue, error.message, error.recovery)
    default:
      make(
        .inputOutput,
        "unexpected",
        "\(type(of: error)): \(error)",
        "Please report this with the message above."
      )
    }
  }

  /// The message with a full stop, which some layers leave out.
  private static func sentence(_ message: String) -> String {
    message.last.map { ".!?:)".contains($0) } ?? true ? message : message + "."
  }

  private static func make(
    _ status: ExitStatus,
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
