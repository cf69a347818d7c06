internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone migrate`.
struct MigrateCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring a store to another version, hop by hop.",
    discussion: """
      Without --output the store itself is replaced, by one rename, once the result is verified; \
      the original is kept, and `waystone rollback` puts it back. With --output the store stays as \
      it is, byte for byte. A store of Core Data's XML kind (NSXMLStoreType) needs --output: results are \
      of the SQLite kind.

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
    help: "Write nothing: show the plan, and say what the run would be refused by before it begins."
  )
  var dryRun = false

  @Flag(help: "Throw an unfinished run away first.")
  var restart = false

  @Option(help: ArgumentHelp("How much of the result to verify.", valueName: "level"))
  var verify = VerificationOption.standard

  @Flag(
    help: ArgumentHelp(
      "Accept rows whose values a step cannot keep as they are. Numbers are cut to what their type holds. A "
        + "to-one keeps one of several links. Links that find no room are dropped, and so are values of which "
        + "an expression makes nothing."
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
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Run hops in one pass where that is proven to do the same as one after the other.",
      discussion: "A checkpoint stands at the end of each pass; --no-fuse gives each hop its own."
    )
  )
  var fuse = true

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

  var takesPolicies: Bool { true }

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.project(mappings)
    let console = session.console
    for path in [output, certificate].compactMap(\.self) { try session.checkCanCreate(path) }
    var migration = try acceptance.request(
      PlanningRequest(store: store, to: end, assuming: acceptance.assume, in: project),
      by: path,
      allowing: sql.allowance,
      in: project,
      session
    )
    migration.options.output = output.map(console.resolved)
    migration.options.discardsUnfinishedRun = restart
    migration.options.settings.verification = verify.verification
    migration.options.settings.acceptsChangedValues = acceptChangedValues
    migration.options.settings.acceptsDamagedSource = acceptDamagedSource
    migration.options.settings.defersCleanup = deferCleanup
    migration.options.settings.fusesHops = fuse
    migration.options.settings.certificate = certificate.map(console.resolved)
    if dryRun { return try show(migration, session) }
    let display = run.display(session)
    migration.options.onEvent = { display.take($0) }
    do {
      let plan = try migration.plan()
      let run = RunRequest(
        plan: plan.plan,
        names: project.names,
        session: session,
        format: format.format,
        display: display
      )
      return try run.perform(store: store, options: migration.options(for: plan.plan)) {
        try plan.run($0)
      }
    } catch {
      _ = display.finish()
      throw error
    }
  }

  /// Shows the plan of the run, and the reasons that it would be refused for before it writes anything.
  private func show(_ migration: MigrationRequest, _ session: Session) throws -> CommandStatus {
    let planned = try PlannedPath(migration, in: session, as: format.format)
    let status = try planned.show(in: session, as: format.format)
    guard let plan = planned.plan, status == .success else { return status }
    if let certificate, plan.hops.isEmpty, output == nil {
      return RunRequest.refuseCertificate(certificate, in: session)
    }
    do { try migration.checkBeginning(of: plan) } catch {
      let failure = WaystoneError(error)
      session.explain(Failure.report(failure))
      return failure.status
    }
    return .success
  }
}
