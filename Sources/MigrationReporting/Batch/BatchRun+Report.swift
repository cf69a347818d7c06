package import BatchMigration

extension BatchRun {
  /// Returns a report on the present state of the ledger.
  ///
  /// - Parameter path: The ledger's path, as it is shown.
  package func report(shownAs path: String) throws -> BatchReport {
    try ledger.snapshot { try BatchReport(ledger, shownAs: path) }
  }
}
