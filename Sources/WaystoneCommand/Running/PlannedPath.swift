internal import Files
internal import MigrationReporting
internal import StoreAccess
internal import Waystone

/// A plan and its report; where there is none, how far one gets, and why.
struct PlannedPath {
  /// The plan, where there is one.
  let plan: MigrationPlan?
  /// The reason why there is no path.
  let error: PlanningError?
  /// Either in words.
  private(set) var report: PlanReport
  /// The reasons for which a run of the plan does not begin.
  let refusals: [Refusal]

  /// Plans, as a run with these options would.
  ///
  /// - Parameters:
  ///   - showsAlternatives: Whether the report names other paths, and why they are not taken.
  ///   - isWhole: Whether the report shows no findings of single hops.
  /// - Throws: ``PlanningError`` where the options or versions make no sense together; `StoreAccessError`
  ///   where the store cannot be read or is damaged, which also leaves no path.
  init(_ request: MigrationRequest, showsAlternatives: Bool, isWhole: Bool = false) throws {
    do {
      self = try request.planning.asking(request.options) { evidence in
        try PlannedPath(request, showsAlternatives, isWhole, evidence)
      }
    } catch let error as PlanningError {
      plan = nil
      self.error = error
      refusals = []
      report = Self.blocked(error, request)
    }
  }

  private init(
    _ migration: MigrationRequest,
    _ showsAlternatives: Bool,
    _ isWhole: Bool,
    _ evidence: StoreEvidence?
  ) throws {
    let (request, names) = (migration.planning, migration.project.names)
    let (plan, alternatives) =
      showsAlternatives
      ? try MigrationPlanner(graph: request.graph).planAndAlternatives(
        from: request.source,
        to: request.destination,
        options: migration.options.planning,
        evidence: evidence
      ) : (try request.plan(options: migration.options, evidence), [])
    var report = PlanReport(plan, store: request.store?.path, name: names.name)
    report.take(asked: request.asked, names)
    report.alternatives = alternatives.map { PlanReport.Alternative($0, name: names.name) }
    report.leavesLinksOut = evidence?.leavesLinksOut(along: plan) ?? false
    for (index, account) in (evidence?.accounts(of: plan) ?? []).enumerated() {
      report.hops[index].account = account
    }
    report.disk = request.store.map { Self.disk(for: plan, $0) }
    report.passes = plan.passes(isFused: migration.options.settings.fusesHops)
      .filter(\.isFused).map { $0.start + 1...$0.end }
    let check = try migration.check(plan, evidence)
    report.add(check, isWhole: isWhole)
    if migration.options.settings.acceptsChangedValues { report.acceptChangedValues() }
    self.plan = plan
    self.report = report
    refusals = check.refusals
    error = nil
  }

  private static func disk(
    for plan: MigrationPlan,
    _ store: StoreInspection
  ) -> PlanReport.Disk {
    let size = Int64(store.bytes.store + store.bytes.wal)
    return PlanReport.Disk(
      store: size,
      needed: plan.hops.isEmpty ? 0 : DiskNeed.bytes(for: plan, storeOf: size),
      free: try? FileSystem.freeSpace(at: FileSystem.folder(of: store.location))
    )
  }

  private static func blocked(_ error: PlanningError, _ migration: MigrationRequest) -> PlanReport {
    let request = migration.planning
    var reached: MigrationPlan?
    if case .unreachable(let furthest) = error.code,
      let node = request.graph.node(named: furthest), node != request.source
    {
      var options = migration.options.planning
      options.via = []
      reached = try? MigrationPlanner(graph: request.graph).plan(
        from: request.source,
        to: node,
        options: options
      )
    }
    return PlanReport(
      error,
      from: request.source.version,
      to: request.destination.version,
      hops: reached,
      store: request.store?.path,
      name: migration.project.names.name
    )
  }
}

extension PlannedPath {
  /// Plans for `plan` and `migrate --dry-run`, which show the alternatives where the user wants to know more.
  init(_ request: MigrationRequest, in session: Session, as format: OutputFormat) throws {
    try self.init(request, showsAlternatives: session.isVerbose || format != .text)
    guard let error else { return }
    // The refusals on the path are reported at their steps.
    let reported = Set(error.blockingFindings.map(\.statement))
    report.findings += request.project.binding.findings.filter {
      $0.severity > .note && !reported.contains($0.statement)
    }
  }

  /// Prints the plan and why its run would not begin, or the reason why there is none.
  func show(in session: Session, as format: OutputFormat) throws -> CommandStatus {
    try session.print(report, as: format)
    if let error {
      session.explain(Failure.report(error))
      return .noPath
    }
    guard let refusal = refusals.first else { return .success }
    let status: CommandStatus = refusal.isOfPlan ? .noPath : .answerIsNo
    session.explain(status, refusal.code, refusal.message, refusal.remedy)
    return status
  }
}

extension PlanReport {
  /// Names both ends as the user did, where other versions have the same hashes.
  fileprivate mutating func take(
    asked: (source: ModelVersion?, destination: ModelVersion?),
    _ names: VersionNames
  ) {
    if let source = asked.source {
      from = names.name(of: source)
      if !hops.isEmpty { hops[0].from = from }
    }
    if hops.isEmpty, let destination = asked.destination { to = names.name(of: destination) }
  }
}
