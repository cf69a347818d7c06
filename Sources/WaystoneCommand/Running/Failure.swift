internal import MigrationReporting
internal import Waystone

/// The failure of the command that an error is reported as.
enum Failure {
  /// Returns the failure that an error of any layer means.
  static func report(_ error: any Error) -> FailureReport {
    let error = WaystoneError(error)
    return make(
      error.status,
      error.reason,
      error.message,
      error.recovery,
      isResumable: error.isResumable
    )
  }

  /// Returns a failure with its full stops.
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
      message: WaystoneError.sentence(message),
      recovery: recovery,
      isResumable: isResumable
    )
  }
}
