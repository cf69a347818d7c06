import MigrationPlanning
import ObjectModel

extension CoverageReport.Path {
  /// Sets the severity of gaps of the app or of a run of Waystone: an error where the release depends
  /// on it, else a note.
  ///
  /// - Parameter isTried: Whether Waystone migrates a store of the path, so that its gaps count.
  mutating func weigh(by reliance: Reliance, isTried: Bool) {
    if !reliance.includesApp {
      for place in app.findings.indices where app.findings[place].code.has(.appOutcome) {
        app.findings[place].severity = .note
      }
    }
    let isOfRun = reliance.includesWaystone || isTried
    for place in findings.indices where findings[place].code.has(.ofRun) {
      findings[place].severity = isOfRun ? .error : .note
    }
  }

  /// Whether what Waystone's path lacks holds a release, rather than a run of Waystone alone.
  package var isHeldByMissing: Bool { missing.contains { $0.severity > .note } }
}
