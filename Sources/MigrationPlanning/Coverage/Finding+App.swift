package import ObjectModel

extension Finding {
  /// Returns a finding that the app's outcome is unknown.
  ///
  /// It is an error for every reason: the store may lose data or not be opened. A check passes with it
  /// only if the user accepts it.
  package static func unknownInApp(at place: Place, _ message: Text, _ advice: Text) -> Finding {
    Finding(.appOutcomeUnknown, .error, at: place, message: message, advice: advice)
  }

  /// Whether something is dropped, by design or not.
  var isDropped: Bool { risk.map { $0 >= .lossy } == true }

  /// The app's outcome where rows of the store do not meet the finding's condition; nil where the app
  /// takes such rows, or the finding has no condition.
  package var effectInApp: AppOutcome.Kind? {
    guard risk == .conditional else { return nil }
    if code.has(.failsInApp) { return .fails }
    if code.has(.losesInApp) { return .loses }
    return code.has(.unknownInApp) ? .unknown : nil
  }
}
