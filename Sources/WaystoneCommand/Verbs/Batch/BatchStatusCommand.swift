internal import ArgumentParser
internal import BatchMigration
internal import MigrationReporting

/// The command `waystone batch status`.
struct BatchStatusCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say how far a batch is.",
    discussion: """
      Shows the stores by state and by version, what kept stores from the version, and how fast the \
      batch goes. A batch may run meanwhile. --verbose names more of the files that could not be \
      looked at, and reads each certificate for what its migration dropped.
      """
  )

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let opened = try ledger.open(in: session)
    let shown = ledger.shown
    let report = try opened.snapshot {
      try BatchReport(opened, shownAs: shown, countsLosses: session.isVerbose)
    }
    try session.print(report, as: format.format)
    return .success
  }
}
