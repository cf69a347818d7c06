internal import ArgumentParser
internal import BatchMigration
internal import MigrationReporting

/// The command `waystone batch verify`.
struct BatchVerifyCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Hold the results of a batch against their certificates.",
    discussion: """
      Each result's digests are made anew, and its objects, values and links counted. Where the output \
      tree was moved or copied with its ledger in it, the results beside that ledger are looked at. \
      Status 1 where a result is not what the batch made, or is gone.
      """
  )

  @OptionGroup var ledger: LedgerOptions

  @Option(help: ArgumentHelp("Look at so many results, chosen by chance.", valueName: "n"))
  var sample: Int?

  @OptionGroup(title: "Limits") var limits: BatchLimitOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func validate() throws {
    if let sample, sample < 1 { throw ValidationError("--sample must be 1 or more.") }
  }

  func perform(in session: Session) throws -> CommandStatus {
    let run = try BatchRun(of: ledger, common, limits, session)
    let report = BatchVerificationReport(
      deed: .verified,
      try run.verify(sample: sample),
      ledger: ledger.name
    )
    try session.print(report, as: format.format)
    return report.isClean ? .success : .answerIsNo
  }
}
