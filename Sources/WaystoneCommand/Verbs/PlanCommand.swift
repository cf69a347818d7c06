internal import ArgumentParser
internal import MigrationPlanning
internal import MigrationReporting
internal import ObjectModel
internal import StoreMigration
internal import Waystone

/// `waystone plan`.
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

  /// What may be printed instead of the plan.
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

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.project(mappings)
    let request = try PlanningRequest(
      from: start,
      to: end,
      assuming: acceptance.assume,
      in: project
    )
    var options = acceptance.planning
    try path.apply(to: &options, project.names, of: request.graph.modelName)
    // The app's stages are put together from the walk.
    if emit == .stagedSwift { options.walksEveryVersion = true }
    let planned = try PlannedPath(request, options, project.names)
    guard let plan = planned.plan else {
      var report = planned.report
      // What blocks the path is told of its step.
      let told = Set(planned.error?.blockingFindings.map(\.message) ?? [])
      report.findings += project.binding.findings.filter {
        $0.severity > .note && !told.contains($0.message)
      }
      try session.print(report, as: format.format)
      if let error = planned.error { session.explain(Failure.report(error)) }
      return .noPath
    }
    return try show(plan, planned.report, request, project, session)
  }

  private func show(
    _ plan: MigrationPlan,
    _ planned: PlanReport,
    _ request: PlanningRequest,
    _ project: Project,
    _ session: Session
  ) throws -> CommandStatus {
    if emit == .stagedSwift {
      let swift = StagedSwift(plan, graph: request.graph, name: project.names.name)
      try session.print(swift.text, evenIfQuiet: true)
      return .success
    }
    var report = planned
    var options = MigrationOptions()
    options.registry = session.registry
    options.allowedSQL = sql.allowance(for: plan, in: project)
    options.settings.acceptsUnprovenNames = acceptance.acceptUnprovenNames
    options.settings.acceptsUnexplainedLoss = acceptance.acceptUnexplainedLoss
    let check = try PlanCheck(
      plan,
      for: request,
      in: project.mapped,
      options: options,
      sample: project.sample(
        for: plan.destination,
        given: acceptance.like
      )
    )
    for (hop, finding) in check.settlement.findingsOfHops where report.hops.indices.contains(hop) {
      report.hops[hop].findings.append(finding)
    }
    report.findings += check.findings
    report.refusals =
      check.unprovenNames.map { ("--accept-unproven-names", $0) }
      + check.foreignSQL.map { ("--allow-sql", $0) }
    try session.print(report, as: format.format)
    if let reason = check.unprovenNames.first {
      session.explain(
        .noPath,
        "unprovenNames",
        reason,
        "Give such a store, or accept the guess: --accept-unproven-names."
      )
      return .noPath
    }
    if let reason = check.foreignSQL.first {
      session.explain(.noPath, "foreignSQL", reason, SQLAllowance.remedy)
      return .noPath
    }
    if let first = check.unresolved.first {
      session.explain(.noPath, "unresolvedPolicy", first.message, first.remedy)
      return .noPath
    }
    let refused = ((plan.allFindings + planned.findings).filter(\.isRefused) + check.refused)
      .filter { !acceptChangedValues || !$0.code.isAcceptableChange }
    guard let first = refused.first else { return .success }
    session.explain(.answerIsNo, "refuted", first.message, first.remedy)
    return .answerIsNo
  }
}
