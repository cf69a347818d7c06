internal import ArgumentParser
internal import Waystone

/// The options that accept losses and guesses.
struct AcceptanceOptions: ParsableArguments {
  /// The amount of accepted loss.
  enum Loss: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none
    case declared
    case any
  }

  @Option(
    help: ArgumentHelp(
      "How much loss to accept: what versions drop by design is declared.",
      valueName: "loss"
    )
  )
  var acceptLoss = Loss.declared

  @Flag(help: "Take a shortcut of which it is unknown whether it does the same as the history.")
  var acceptUnknown = false

  @Flag(help: "Guess the names of join tables that the model does not settle.")
  var acceptUnprovenNames = false

  @Flag(help: "Drop what the model does not explain, such as a column that a tool added.")
  var acceptUnexplainedLoss = false

  @Option(
    help: ArgumentHelp(
      "A store that Core Data made at the wanted version: it settles the names of join tables.",
      valueName: "store"
    )
  )
  var like: String?

  @Option(
    help: ArgumentHelp(
      "Take a store of unknown hashes for this version, if its tables and columns agree.",
      valueName: "version"
    )
  )
  var assume: String?

  /// Returns the request of a verb that plans.
  ///
  /// - Parameter sql: The SQL that the command line allows.
  func request(
    _ planning: PlanningRequest,
    by path: PathOptions,
    allowing sql: SQLAllowance = .none,
    in project: Project,
    _ session: Session
  ) throws(WaystoneError) -> MigrationRequest {
    var options = migration
    options.settings.sample = like.map(session.console.resolved)
    options.allowedSQL = sql
    options.registry = session.registry
    try path.apply(to: &options.planning, project.names, of: planning.graph.modelName)
    return MigrationRequest(planning, in: project, options: options)
  }

  /// The options of a plan and its run.
  var migration: MigrationOptions {
    var options = MigrationOptions()
    options.settings.acceptsUnprovenNames = acceptUnprovenNames
    options.settings.acceptsUnexplainedLoss = acceptUnexplainedLoss
    options.planning.acceptUnknown = acceptUnknown
    options.planning.acceptLoss =
      switch acceptLoss {
      case .none: .none
      case .declared: .declared
      case .any: .any
      }
    return options
  }
}
