internal import MigrationPlanning
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration

extension ModelVersion {
  /// Returns a finding for each reason for which no run passes the version.
  ///
  /// - Parameter rewritesTables: Whether the run has a hop, so that tables change.
  /// - Complexity: As laying out the version's tables.
  func obstacles(_ severity: Finding.Severity, rewritesTables: Bool = true) -> [Finding] {
    PhysicalSchema(model: model).obstacles(rewritesTables: rewritesTables).map { obstacle in
      Finding(
        .unknownPlace,
        severity,
        at: Finding.Place(
          version: name,
          entity: obstacle.entityName,
          property: obstacle.propertyName
        ),
        message: obstacle.statement,
        advice: "\(obstacle.remedy)"
      )
    }
  }
}

extension MigrationPlan {
  /// The findings on versions of the plan that no run passes, from the source on.
  var obstacles: [Finding] {
    ([source] + hops.map(\.destination)).flatMap {
      $0.version.obstacles(.error, rewritesTables: !hops.isEmpty)
    }
  }
}
