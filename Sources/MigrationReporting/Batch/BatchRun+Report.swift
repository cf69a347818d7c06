package import Waystone

extension BatchRun {
  /// What the ledger says at this moment.
  ///
  /// - Parameter path: The ledger's path, as it is shown.
  package func report(shownAs path: String) throws -> BatchReport {
    try ledger.snapshot { try BatchReport(ledger, shownAs: path) }
  }
}
