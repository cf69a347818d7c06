internal import ArgumentParser

/// The command `waystone batch`, which only holds its verbs together.
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Migrate many stores, and record the outcome of each.",
    discussion: """
      A batch keeps what it found, and what became of each store, in a ledger: one SQLite file. Each \
      store ends in one state: migrated, current (it is of the version already), refused (no path that \
      the options allow), damaged, failed, timed-out or skipped.

        waystone batch Archive --to v4 --output out --dry-run
        waystone batch Archive --to v4 --output out
        waystone batch status out
        waystone batch report out --format html -o batch.html
        waystone batch retry out --state failed,timed-out
        waystone batch verify out

      Machines that share a batch each keep a ledger of their own, which `merge` brings together.
      """,
    subcommands: [
      BatchRunCommand.self, BatchStatusCommand.self, BatchReportCommand.self,
      BatchRetryCommand.self, BatchVerifyCommand.self, BatchRollbackCommand.self,
      BatchExportFailuresCommand.self, BatchMergeCommand.self,
    ],
    defaultSubcommand: BatchRunCommand.self
  )
}
