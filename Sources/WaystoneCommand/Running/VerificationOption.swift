internal import ArgumentParser
internal import StoreMigration
import StoreVerification

/// The level of a result's verification, as the command line names it.
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
