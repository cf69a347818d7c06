internal import ArgumentParser
internal import MigrationReporting
internal import ModelCoding
internal import Waystone

/// The options for a run's progress and verification.
struct RunOptions: ParsableArguments {
  /// The form in which progress is shown.
  enum Progress: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto
    case ndjson
    case none
  }

  @Option(
    help: ArgumentHelp(
      "How to show progress on standard error; auto is a bar on a terminal.",
      valueName: "form"
    )
  )
  var progress = Progress.auto

  /// Returns the display, given where the words go.
  func display(_ session: Session) -> ProgressDisplay {
    let form: ProgressDisplay.Form =
      switch progress {
      case .ndjson: .ndjson
      case .auto where session.console.isErrorTerminal && !session.isQuiet: .bar
      case .auto, .none: .hidden
      }
    return ProgressDisplay(
      console: session.console,
      form: form,
      isColored: session.allowsColor && session.console.isErrorTerminal
    )
  }
}

/// A run of a plan by the engine, shown on the console.
struct RunRequest {
  let plan: MigrationPlan
  let names: VersionNames
  let session: Session
  let format: OutputFormat
  /// The display of the run's progress, and of its planning.
  let display: ProgressDisplay

  /// Runs the plan, and prints a report.
  ///
  /// - Parameters:
  ///   - store: The store, as the user wrote it.
  ///   - body: Runs the plan, or goes on with its run; nil where nothing is left to do.
  func perform(
    store: String,
    options: MigrationOptions,
    _ body: (MigrationOptions) throws -> MigrationOutcome?
  ) throws -> CommandStatus {
    let console = session.console
    let display = display
    var options = options
    options.registry = session.registry
    options.onEvent = { display.take($0) }
    options.cancellation = session.cancellation
    let done: MigrationOutcome?
    do { done = try body(options) } catch {
      _ = display.finish()
      throw error
    }
    var transcript = display.finish()
    guard let outcome = done, !outcome.isUnchanged else {
      return try endWithoutHops(store, options.settings.certificate, done?.findings ?? [])
    }
    // The engine hands its notes over at the end.
    for note in outcome.notes { transcript.add(note: note) }
    var report = report(of: store, at: console.shortened(outcome.store), transcript)
    report.resumedAfter = outcome.resumedAfter
    report.backup = outcome.backup.map(console.shortened)
    report.salvage = outcome.salvage
    report.verification = outcome.verification.checks.isEmpty ? nil : outcome.verification
    report.level = outcome.verificationLevel
    report.findings = outcome.findings
    report.externalFiles = outcome.externalFiles
    let planned = PlanReport(plan, store: store, name: names.name)
    report.dropped = planned.droppedWords
    report.droppedNames = planned.droppedNames
    try session.print(report, as: format, afterDoing: Self.deed(report))
    return .success
  }

  /// Reports that there is nothing to do; the answer is no where a certificate was requested.
  ///
  /// - Parameters:
  ///   - certificate: The requested file, which is not written.
  ///   - findings: The findings on the unchanged store.
  private func endWithoutHops(
    _ store: String,
    _ certificate: String?,
    _ findings: [Finding]
  ) throws -> CommandStatus {
    var transcript = RunTranscript()
    if let certificate {
      transcript.add(
        note: "nothing was migrated, so that \(session.console.shortened(certificate)) is not "
          + "written: there is nothing to certify"
      )
    }
    var report = report(of: store, at: store, transcript)
    report.findings = findings
    try session.print(report, as: format)
    return certificate.map { Self.refuseCertificate($0, in: session) } ?? .success
  }

  /// Reports that there is no certificate because nothing was migrated.
  static func refuseCertificate(_ path: String, in session: Session) -> CommandStatus {
    session.explain(
      .answerIsNo,
      "nothingToCertify",
      "\(session.console.shortened(path)) is not written, since nothing was migrated.",
      "Keep the certificate of the run that made this store, or leave --certificate out."
    )
    return .answerIsNo
  }

  private func report(
    of store: String,
    at result: String,
    _ transcript: RunTranscript
  ) -> MigrationReport {
    MigrationReport(
      store: store,
      result: result,
      from: names.name(of: plan.source.version),
      to: names.name(of: plan.destination.version),
      transcript: transcript
    )
  }

  /// Returns a sentence on the run's result, for a report that cannot be printed.
  private static func deed(_ report: MigrationReport) -> String {
    guard let backup = report.backup else {
      return "\(report.result) is written, and is of \(report.to)."
    }
    return "\(report.result) was replaced, and is of \(report.to) now. The original is kept: "
      + "\(backup)."
  }
}
