internal import ArgumentParser
internal import MigrationPlanning
internal import MigrationReporting
internal import ObjectModel
internal import StoreMigration
internal import Waystone

/// `waystone migrate`.
struct MigrateCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring a store to another version, hop by hop.",
    discussion: """
      Without --output the store itself is replaced, by one rename, once the result is verified; \
      the original is kept, and `waystone rollback` puts it back. With --output the store stays as \
      it is, byte for byte.

      Each hop ends at a checkpoint. SIGINT and SIGTERM stop the run at the next one with status 7; \
      after that, as after a crash or a full disk, `waystone resume` goes on from there.
      """
  )

  @Argument(help: "The store.")
  var store: String

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "The version wanted; for a store of several models one of each: `A/v2,B/v1`.",
      valueName: "version"
    )
  )
  var end = "@current"

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Where to write the result; the store then stays as it is.",
      valueName: "file"
    )
  )
  var output: String?

  @Flag(
    help: "Write nothing: show the plan, and ask the store as `waystone plan` does."
  )
  var dryRun = false

  @Flag(help: "Throw an unfinished run away first.")
  var restart = false

  @Option(help: ArgumentHelp("How much of the result to verify.", valueName: "level"))
  var verify = VerificationOption.standard

  @Flag(
    help: ArgumentHelp(
      "Accept rows whose values overflow a narrower type, and extra links of a relationship that "
        + "becomes to-one; they are truncated."
    )
  )
  var acceptChangedValues = false

  @Flag(
    help: ArgumentHelp(
      "Leave dropped columns, tables and indexes in the store, for `waystone finish`.",
      discussion: "Only hops that change the file in place can; the others write it anew."
    )
  )
  var deferCleanup = false

  @Flag(
    help: ArgumentHelp(
      "Migrate what can be read of a damaged store; needs --output.",
      discussion: "The report lists, table by table, how many rows were read and which were not."
    )
  )
  var acceptDamagedSource = false

  @Option(
    help: ArgumentHelp(
      "Count what each hop carries, makes and drops, and write that to a new file.",
      discussion:
        "It has digests of the store and of its result: `waystone verify --certificate` tells "
        + "later whether a store is either.",
      valueName: "file"
    )
  )
  var certificate: String?

  func validate() throws {
    guard certificate == nil || verify != .none else {
      throw ValidationError("--certificate needs verification: leave --verify none out.")
    }
    guard certificate == nil || !acceptDamagedSource else {
      throw ValidationError(
        "--certificate counts all that the store holds, which a damaged one does not tell: leave "
          + "it or --accept-damaged-source out."
      )
    }
    guard !acceptDamagedSource || output != nil else {
      throw ValidationError("--accept-damaged-source needs --output: it does not replace a store.")
    }
  }

  @OptionGroup(title: "Acceptance options") var acceptance: AcceptanceOptions
  @OptionGroup(title: "Path options") var path: PathOptions
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var sql: SQLOptions
  @OptionGroup var run: RunOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.project(mappings)
    let console = session.console
    for path in [output, certificate].compactMap(\.self) { try session.checkCanCreate(path) }
    if dryRun {
      var plan = PlanCommand()
      (plan.start, plan.end) = (store, end)
      (plan.acceptance, plan.path, plan.sql) = (acceptance, path, sql)
      (plan.mappings, plan.common, plan.format) = (mappings, common, format)
      (plan.emit, plan.acceptChangedValues) = (nil, acceptChangedValues)
      return try plan.perform(in: session)
    }
    let request = try PlanningRequest(
      store: store,
      to: end,
      assuming: acceptance.assume,
      in: project
    )
    var options = MigrationOptions()
    options.planning = acceptance.planning
    try path.apply(to: &options.planning, project.names, of: request.graph.modelName)
    options.settings.acceptsDamagedSource = acceptDamagedSource
    options.cancellation = Interruption.cancellation
    let plan = try request.plan(options: options)
    let migration = RunRequest(
      plan: plan,
      names: project.names,
      session: session,
      format: format.format,
      progress: run.form(session)
    )
    if plan.hops.isEmpty, output == nil {
      return try migration.endWithoutHops(store, certificate: certificate)
    }
    options.models = project.mapped.modelsPath
    options.output = output.map(console.resolved)
    options.discardsUnfinishedRun = restart
    options.allowedSQL = sql.allowance(for: plan, in: project)
    options.settings.verification = verify.verification
    options.settings.acceptsUnprovenNames = acceptance.acceptUnprovenNames
    options.settings.acceptsChangedValues = acceptChangedValues
    options.settings.acceptsUnexplainedLoss = acceptance.acceptUnexplainedLoss
    options.settings.assumesSourceVersion = request.isAssumed
    options.settings.defersCleanup = deferCleanup
    options.settings.certificate = certificate.map(console.resolved)
    options.settings.sample = project.samplePath(
      for: plan.destination,
      given: acceptance.like
    )
    options.settings.planning = PlanRecipe(
      plan,
      for: request,
      options: options.planning,
      in: project.mapped
    )
    options.settings.planning.configuration = project.configuration?.path
    return try migration.perform(store: store, options: options) {
      try $0.migrate(console.resolved(store))
    }
  }
}
