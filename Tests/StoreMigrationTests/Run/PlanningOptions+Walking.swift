import MigrationPlanning

extension PlanningOptions {
  /// Stops at every version, for tests of runs with many hops.
  static var walking: PlanningOptions {
    var options = PlanningOptions()
    options.followsHistory = true
    return options
  }
}
