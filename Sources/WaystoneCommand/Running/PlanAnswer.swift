internal import MigrationPlanning
internal import MigrationReporting
internal import ObjectModel
internal import StoreMigration
internal import Waystone

/// The answer of `plan` and `migrate --dry-run`: the plan that a run with the same options takes, and
/// the reasons that the run would be refused for.
struct PlanAnswer {
  let request: MigrationRequest
  let session: Session
  let format: OutputFormat

  /// Returns the plan, or why there is none.
  func planned() throws -> PlannedPath {
    try PlannedPath(request, showsAlternatives: session.isVerbose || format != .text)
  }

  /// Prints the reason why there is no plan.
  func deny(_ planned: PlannedPath) throws -> CommandStatus {
    var report = planned.report
    // The refusals on the path are reported at their steps.
    let told = Set(planned.error?.blockingFindings.map(\.message) ?? [])
    report.findings += request.project.binding.findings.filter {
      $0.severity > .note && !told.contains($0.message)
    }
    try session.print(report, as: format)
    if let error = planned.error { session.explain(Failure.report(error)) }
    return .noPath
  }

  /// Shows a plan, and why its run would not begin.
  func show(_ planned: PlannedPath) throws -> CommandStatus {
    try session.print(planned.report, as: format)
    guard let refusal = planned.refusals.first else { return .success }
    let status: CommandStatus = refusal.isOfPlan ? .noPath : .answerIsNo
    session.explain(status, refusal.code, refusal.message, refusal.remedy)
    return status
  }
}
