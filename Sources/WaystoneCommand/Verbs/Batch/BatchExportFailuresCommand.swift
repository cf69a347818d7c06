internal import ArgumentParser
internal import BatchMigration
internal import Files
internal import MigrationReporting

/// The command `waystone batch export-failures`.
struct BatchExportFailuresCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export-failures",
    abstract: "Copy the stores of a batch that were not migrated, for those who look why.",
    discussion: """
      Each is copied with its -wal and its files of large values into a folder of its own. \
      failures.ndjson beside them tells, a line a store, its name, its state and why.
      """
  )

  @Argument(help: "The folder for the copies, which is made.")
  var folder: String

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let run = try BatchRun(of: ledger, common, BatchLimitOptions.parse([]), session)
    let report = BatchExportReport(
      try run.exportFailures(to: session.console.resolved(folder)),
      folder: folder
    )
    try session.write(report.manifest, to: "\(folder)/failures.ndjson", as: .newFile)
    try session.print(report, as: format.format, afterDoing: report.sentence)
    return report.isComplete ? .success : .answerIsNo
  }
}
