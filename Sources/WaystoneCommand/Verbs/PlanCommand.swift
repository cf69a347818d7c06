internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone plan`.
struct PlanCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show the hops from a store or version to another version, and why each.",
    discussion: """
      The start is a store's path or a version: `v1`, `Model/v1`, `@current`. Nothing is written. \
      A store is asked whether its rows allow what each hop does: where they do not, the exit \
      status is 1, and the rows are counted and their keys named. Where no safe path leads to the \
      wanted version, the plan shows how far one gets and what blocks each next step, and the exit \
      status is 3; so it is where a hop names a policy or a handler that this program does not have, \
      or SQL that is not allowed, as `migrate` would refuse it.
      """
  )

  @Argument(help: "A store, or the name of a version.")
  var start: String

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "The version wanted; for a store of several models one of each: `A/v2,B/v1`.",
      valueName: "version"
    )
  )
  var end = "@current"

  /// The output that may be printed instead of the plan.
  enum Emission: String, ExpressibleByArgument, CaseIterable, Sendable {
    case stagedSwift = "staged-swift"
  }

  @Option(
    help: ArgumentHelp(
      "Print the Swift source of an NSStagedMigrationManager for the app instead.",
      valueName: "what"
    )
  )
  var emit: Emission?

  @Flag(
    help: "Answer as `migrate --accept-changed-values` would: such rows do not refuse the plan."
  )
  var acceptChangedValues = false

  @OptionGroup(title: "Acceptance options") var acceptance: AcceptanceOptions
  @OptionGroup(title: "Path options") var path: PathOptions
  @OptionGroup var sql: SQLOptions
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  var takesPolicies: Bool { true }

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.project(mappings)
    var migration = try acceptance.request(
      PlanningRequest(from: start, to: end, assuming: acceptance.assume, in: project),
      by: path,
      allowing: sql.allowance,
      in: project,
      session
    )
    migration.options.settings.acceptsChangedValues = acceptChangedValues
    // The app's stages are put together from the history.
    if emit == .stagedSwift { migration.options.planning.followsHistory = true }
    let planned = try PlannedPath(migration, in: session, as: format.format)
    guard emit == .stagedSwift, let plan = planned.plan else {
      return try planned.show(in: session, as: format.format)
    }
    let swift = StagedSwift(plan, graph: migration.planning.graph, name: project.names.name)
    try session.print(swift.text, evenIfQuiet: true)
    return .success
  }
}
