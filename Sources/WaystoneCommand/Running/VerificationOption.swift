internal import ArgumentParser
internal import StoreMigration

/// How much of a result is verified, as the command line says it.
enum VerificationOption: String, ExpressibleByArgument, CaseIterable, Sendable {
  case none
  case standard
  case full

  /// The level as the engine calls it.
  var verification: VerificationLevel {
    switch self {
    case .none: .none
    case .standard: .standard
    case .full: .full
    }
  }
}
