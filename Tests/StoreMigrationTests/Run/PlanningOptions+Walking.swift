import MigrationPlanning

extension PlanningOptions {
  /// Stops at every version, for tests of runs with many hops.
  static var walking: PlanningOptions {
    var options = PlanningOptions()
    options.walksEveryVersion = true
    return options
  }
}
