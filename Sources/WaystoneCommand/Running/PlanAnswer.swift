internal import MigrationPlanning
internal import MigrationReporting
internal import ObjectModel
internal import StoreMigration
internal import Waystone

/// What `plan` and `migrate --dry-run` say: the plan that a run with the same options takes, and what it
/// would be refused by.
struct PlanAnswer {
  let request: MigrationRequest
  let session: Session
  let format: OutputFormat

  /// The plan, or why there is none.
  func planned() throws -> PlannedPath {
    try PlannedPath(
      request.planning,
      request.options,
      request.project.names,
      showsAlternatives: session.isVerbose || format != .text
    )
  }

  /// Says why there is no plan.
  func deny(_ planned: PlannedPath) throws -> CommandStatus {
    var report = planned.report
    // What blocks the path is told of its step.
    let told = Set(planned.error?.blockingFindings.map(\.message) ?? [])
    report.findings += request.project.binding.findings.filter {
      $0.severity > .note && !told.contains($0.message)
    }
    try session.print(report, as: format)
    if let error = planned.error { session.explain(Failure.report(error)) }
    return .noPath
  }

  /// Shows a plan, and says what stands in the way of its run.
  func show(_ plan: MigrationPlan, _ planned: PlanReport) throws -> CommandStatus {
    var report = planned
    let check = try request.check(plan)
    report.add(check)
    if request.options.settings.acceptsChangedValues { report.acceptChangedValues() }
    try session.print(report, as: format)
    if let reason = check.unprovenNames.first {
      session.explain(
        .noPath,
        "unprovenNames",
        reason,
        "Give such a store. Only on a copy, accept the guess: --accept-unproven-names."
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
      .filter { !request.options.settings.acceptsChangedValues || !$0.isAcceptable }
    guard let first = refused.first else { return .success }
    session.explain(.answerIsNo, "refuted", first.message, first.remedy)
    return .answerIsNo
  }
}
