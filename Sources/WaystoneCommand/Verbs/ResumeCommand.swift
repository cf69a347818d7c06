internal import ArgumentParser
internal import Files
internal import MigrationReporting
internal import StoreAccess
internal import Waystone

/// The command `waystone resume`.
struct ResumeCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Go on with a run that was interrupted.",
    discussion: """
      The destination is the output of the run, or the store where that is replaced. The run goes \
      on from its last checkpoint with the options it began with, after models, plan, store and \
      checkpoint were found to be what its journal says. Where nothing is left to do, nothing is \
      done, and the status is 0.
      """
  )

  @Argument(help: "The output of the run, or the store that it replaces.")
  var destination: String

  @Option(
    help: ArgumentHelp(
      "How much of the result to verify.",
      discussion: "A run that began with --verify none is verified all the same, unless none is "
        + "said again.",
      valueName: "level"
    )
  )
  var verify = VerificationOption.standard

  @OptionGroup var mappings: MappingOptions
  @OptionGroup var sql: SQLOptions
  @OptionGroup var run: RunOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  var takesPolicies: Bool { true }

  func perform(in session: Session) throws -> CommandStatus {
    let console = session.console
    let path = console.resolved(destination)
    let unfinished = try Run(at: path, shownAs: destination)
    guard let description = unfinished.description else {
      try session.print(
        NothingToResumeReport(
          destination: destination,
          hasFinished: try StoreMigrator.hasFinishedRun(at: path)
        ),
        as: format.format
      )
      return .success
    }
    let recipe = description.settings.planning
    let project =
      description.settings.finishesCleanup
      ? try session.projectIfAny()
      : try session.project(
        of: description,
        mappings.paths.isEmpty ? recipe.mappings : mappings.paths
      )
    let plan = try description.plan(in: project.mapped, shownAs: destination)
    let request = RunRequest(
      plan: plan,
      names: project.names,
      session: session,
      format: format.format,
      display: run.display(session)
    )
    var options = MigrationOptions()
    options.settings.verification = verify.verification
    options.allowedSQL = sql.allowance
    return try request.perform(
      store: console.shortened(description.store),
      options: options
    ) { try unfinished.resume(plan, in: project, $0) }
  }
}
