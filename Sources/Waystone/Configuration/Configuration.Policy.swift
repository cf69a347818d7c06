package import MigrationPlanning
package import ObjectModel

extension Configuration {
  /// What a project lets pass before its checks fail.
  package struct Policy: Hashable, Sendable {
    /// The least severity at which `check` and `coverage` fail; nil where the file does not say.
    package var maximum: Finding.Severity?
    /// How much loss a path may bring.
    package var loss = PlanningOptions.AcceptedLoss.declared
    /// How many of a hundred shipped versions must arrive in the app; nil where the file does not
    /// say.
    package var coverage: Int?

    /// What counts where the file says nothing.
    package init() {}

    /// The least severity that fails.
    package var threshold: Finding.Severity { maximum ?? .error }
  }
}
