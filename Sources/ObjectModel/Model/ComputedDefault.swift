/// A default of an attribute that an app computes when it is asked for, so that no value stands for it.
///
/// SwiftData evaluates the initial value of a property in the app. No compiled model has it.
package enum ComputedDefault: String, Hashable, Sendable {
  /// The time, as of `= Date.now`.
  case now
  /// An expression of which no value follows.
  case unknown = "computed"
}
