import ObjectModel

extension CoverageReport {
  /// The findings, path by path, for the formats of other programs, with those that the project lets
  /// pass marked so.
  package var judgedFindings: FindingsReport {
    let accepted = models.flatMap(\.paths).flatMap(\.accepted)
    let reasons = Dictionary(
      accepted.map { ($0.finding, $0.reason) },
      uniquingKeysWith: { first, _ in first }
    )
    return findingsReport(threshold: threshold) { reasons[$0] }
  }
}
