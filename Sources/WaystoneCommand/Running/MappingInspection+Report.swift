internal import MigrationReporting
internal import Waystone

extension MappingInspection {
  /// Returns the mapping as a report.
  func report(names: VersionNames) -> MappingReport {
    MappingReport(
      path: mapping.path,
      mapping: mapping,
      versions: bound.map { (names.name(of: $0.source), names.name(of: $0.destination)) },
      findings: findings
    )
  }
}
