package import MigrationPlanning
package import ObjectModel

extension Configuration {
  /// A project's limits, beyond which its checks fail.
  package struct Policy: Hashable, Sendable {
    /// The least severity at which `check` and `coverage` fail; nil where the file does not state it.
    package var maximum: Finding.Severity?
    /// The loss that a path may bring.
    package var loss = PlanningOptions.AcceptedLoss.declared
    /// The share of shipped versions that must arrive in the app, in percent; nil where the file does
    /// not state it.
    package var coverage: Int?

    /// The policy of a file that states none.
    package init() {}

    /// The least severity that fails.
    package var threshold: Finding.Severity { maximum ?? .error }
  }
}
