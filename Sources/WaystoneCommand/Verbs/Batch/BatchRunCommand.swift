internal import ArgumentParser
internal import BatchMigration
internal import MigrationReporting
internal import Waystone

/// The command `waystone batch run`, or `waystone batch` with paths.
struct BatchRunCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Migrate every store that is found.",
    discussion: """
      Paths are folders, stores, quoted globs, .xcappdata containers, unencrypted device backups, and \
      .zip or .tar archives. Results of other batches, and originals that migrations keep, are passed \
      over. A ledger (one SQLite file) records each store and its outcome. To continue \
      after an interruption, run the same command again: it finds what was added since, and tells which \
      stores were replaced after they were migrated. With --output the sources do not change. With \
      --in-place each store is replaced once its result is verified, and its original is kept.

      Every store ends as migrated, current, refused, damaged, failed, timed-out or skipped. Status 1 \
      where one is neither migrated nor current, a file could not be looked at, an earlier result is gone, or a \
      selection meets no store; 7 where the batch was interrupted, and 130 where a second Ctrl-C ended it at once. Stores that --select or --only-version leaves out do not \
      count; those that --limit leaves for later do.
      """
  )

  @Argument(help: "Where to look for stores. Leave it out to continue with a ledger.")
  var paths: [String] = []

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("The version wanted.", valueName: "version")
  )
  var end = "@current"

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The folder for results, each at its store's path.", valueName: "tree")
  )
  var output: String?

  @Flag(
    help:
      "Replace the stores themselves; each original is kept beside its store, with its -wal folded in."
  )
  var inPlace = false

  @OptionGroup var ledger: NewLedgerOptions

  @Option(
    help: ArgumentHelp(
      "A list of stores: lines of JSON with a path, or CSV with a header; - is standard input.",
      valueName: "file"
    )
  )
  var manifest: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Search no path again whose search has ended before; for archives that are slow to list.",
      discussion: "Stores that were added or replaced since are then not noticed."
    )
  )
  var noSearch = false

  @Flag(
    help: ArgumentHelp(
      "Write no result: say what would become of the stores, version by version.",
      discussion: "The output folder and the ledger are made, so that the batch goes on from there."
    )
  )
  var dryRun = false

  @Flag(help: "Share the ledger with a batch that runs already.")
  var join = false

  @Flag(help: "Migrate a store of no archived version by the model that it carries.")
  var recover = false

  @Option(help: ArgumentHelp("How much of each result to verify.", valueName: "level"))
  var verify = VerificationOption.standard

  @Flag(help: "Accept values that a step changes, as `migrate --accept-changed-values` does.")
  var acceptChangedValues = false

  @OptionGroup(title: "Selection") var selection: BatchSelectionOptions
  @OptionGroup(title: "Limits") var limits: BatchLimitOptions
  @OptionGroup(title: "Progress") var display: BatchDisplayOptions
  @OptionGroup(title: "Acceptance options") var acceptance: AcceptanceOptions
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var sql: SQLOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard output == nil || !inPlace else {
      throw ValidationError("--output and --in-place exclude each other.")
    }
    guard verify != .none else {
      throw ValidationError("A batch is always verified: --verify standard or full.")
    }
    guard acceptance.assume == nil else {
      throw ValidationError("--assume is for one store: use `waystone migrate`.")
    }
  }

  var takesPolicies: Bool { true }

  func perform(in session: Session) throws -> CommandStatus {
    if let path = display.metrics {
      try session.checkCanReport(to: path, insteadOf: ReportFile.isMetrics)
    }
    var settings = self.settings(session)
    // Models that cannot be read, and names that mean nothing, are reported before anything is searched.
    let projects = try settings.projects(session.registry)
    let target = try BatchTarget(end, in: projects)
    settings.version = target.version
    settings.versions = try selection.versions(in: projects)
    let shard = try selection.part(session.console.environment)
    let display = BatchDisplay(display, session)
    var made: NewLedger?
    let run: BatchRun
    do {
      run = try searched(settings, target, shard, &made, display, session)
    } catch {
      // The results of an interrupted search are kept, so that they need not be found again.
      if WaystoneError(error).code != .interrupted { made?.remove() }
      throw error
    }
    // A part may well have none of the stores that are selected.
    if shard == nil, try run.meetsNone() {
      display.finish()
      try explainThatNoneIsSelected(run, session)
      return .answerIsNo
    }
    return dryRun
      ? try forecast(run, display, session)
      : try migrate(run, isPart: shard != nil, display, session)
  }

  /// Returns a run on the ledger, after the search for stores.
  private func searched(
    _ settings: BatchSettings,
    _ target: BatchTarget,
    _ shard: BatchShard?,
    _ made: inout NewLedger?,
    _ display: BatchDisplay,
    _ session: Session
  ) throws -> BatchRun {
    let selected = try selection.ledgerSelection
    let run = try BatchRun(
      opened(settings, target, shard, &made, session),
      settings: settings,
      limits: limits.limits,
      selection: selected,
      program: session.console.program,
      isHeard: session.isVerbose,
      isJoining: join,
      cancellation: session.cancellation
    ) { display.take($0) }
    let folder = session.console.folder
    let passed = try run.search(paths, manifests: manifest, from: folder, again: !noSearch)
    display.finish()
    tell(passed, session)
    return run
  }

  private func forecast(
    _ run: BatchRun,
    _ display: BatchDisplay,
    _ session: Session
  ) throws -> CommandStatus {
    let missing = try run.missingResults()
    let forecast = try run.forecast()
    display.finish()
    try session.print(forecast, as: format.format)
    tell(forecast.notReached, try run.ledger.description, session)
    tell(missing, try run.ledger.description, session)
    let states = Set(forecast.groups.flatMap(\.states.keys))
    if !selection.versions.isEmpty, states == [.skipped] {
      explainThatNoneIsOfVersions(session)
      return .answerIsNo
    }
    return forecast.isClean && missing.isEmpty ? .success : .answerIsNo
  }

  private func migrate(
    _ run: BatchRun,
    isPart: Bool,
    _ display: BatchDisplay,
    _ session: Session
  ) throws -> CommandStatus {
    if let path = self.display.metrics {
      // A place that cannot be written to is reported at once; a later failure must not end the batch.
      let first = BatchMetrics(try run.ledger.description, try run.ledger.totals())
      try session.write(first.text, to: path)
      run.onTotals = { try? session.write(BatchMetrics($0, $1).text, to: path) }
    }
    let notReached = try run.notReached()
    let missing = try run.missingResults()
    let ending = try run.run()
    display.finish()
    let report = try run.report(shownAs: session.console.shortened(run.ledger.path))
    try session.print(report, as: format.format, afterDoing: report.sentence)
    tell(notReached, try run.ledger.description, session)
    tell(missing, try run.ledger.description, session)
    switch ending {
    case .interrupted:
      note("The batch was interrupted. The same command goes on.", session)
      return .interrupted
    case .completed where !isPart && !selection.versions.isEmpty && report.isAllLeftOut:
      explainThatNoneIsOfVersions(session)
      return .answerIsNo
    case .completed, .limited:
      return report.isComplete && missing.isEmpty ? .success : .answerIsNo
    }
  }

  private func settings(_ session: Session) -> BatchSettings {
    var settings = BatchSettings(folder: session.console.workingDirectory)
    let migration = acceptance.migration
    settings.models = common.modelPaths
    settings.configuration = common.configuration
    settings.mappings = mappings.paths
    settings.planning = migration.planning
    settings.run = migration.settings
    settings.run.verification = verify.verification
    settings.run.acceptsChangedValues = acceptChangedValues
    settings.allowsAllSQL = sql.allowsAll
    settings.sample = acceptance.like
    settings.recoversModels = recover
    settings.memory = limits.memory?.bytes
    settings.fileSize = limits.fileSize?.bytes
    return settings
  }
}
