package import ObjectModel

extension Finding {
  /// Returns a finding that the app's outcome is unknown.
  ///
  /// It is an error for every reason: the store may lose data or not be opened. A check passes with it
  /// only if the user accepts it.
  package static func unknownInApp(at place: Place, _ message: String, _ remedy: String) -> Finding
  {
    Finding(.appOutcomeUnknown, .error, at: place, message: message, remedy: remedy)
  }

  /// Whether something is dropped, by design or not.
  var isDropped: Bool { risk.map { $0 >= .lossy } == true }

  /// The app's outcome where rows of the store do not meet the finding's condition; nil where the app
  /// takes such rows, or the finding has no condition.
  package var effectInApp: AppOutcome.Kind? {
    guard risk == .conditional else { return nil }
    switch code {
    // Core Data stops at a unique index that cannot be made, and refuses a required attribute without
    // default, with any rows.
    case .uniquenessAdded, .requiredWithoutDefault: return .fails
    // A number goes into the smaller type as it fits.
    case .typeNarrowed: return .loses
    // It is not known which link stays, nor what a transformer makes of bytes that are not its own.
    case .becomesToOne, .inverseChanged, .destinationChanged, .transformerChanged,
      .countsTightened, .becomesRequired, .compositeReadsOther, .derivedColumnDiffers:
      return .unknown
    // A large value moves between store and files without harm.
    default: return nil
    }
  }
}
