internal import ArgumentParser
internal import BatchMigration

extension BatchRun {
  /// A run on the ledger that the command line names, with the settings with which its batch was begun.
  convenience init(
    of ledger: LedgerOptions,
    _ common: CommonOptions,
    _ limits: BatchLimitOptions,
    _ session: Session
  ) throws {
    let known = try ledger.open(in: session)
    var settings = try BatchSettings(of: known.description)
    if !common.modelPaths.isEmpty || common.configuration != nil {
      settings.models = common.modelPaths
      settings.configuration = common.configuration
      settings.folder = session.console.workingDirectory
    }
    settings.memory = limits.memory?.bytes
    settings.fileSize = limits.fileSize?.bytes
    try self.init(
      known,
      settings: settings,
      limits: limits.limits,
      selection: LedgerSelection(),
      program: session.console.program,
      isHeard: session.isVerbose,
      cancellation: session.cancellation
    ) { _ in }
  }
}
