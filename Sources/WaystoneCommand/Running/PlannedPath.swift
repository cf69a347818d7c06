internal import Files
internal import MigrationPlanning
internal import MigrationReporting
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration
internal import Waystone

/// A plan and its report; where there is none, how far one gets, and why.
struct PlannedPath {
  /// The plan, where there is one.
  let plan: MigrationPlan?
  /// The reason why there is no path.
  let error: PlanningError?
  /// Either in words.
  let report: PlanReport
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
    let options = request.options
    self = try request.planning.asking(options) { evidence in
      try PlannedPath(request, showsAlternatives, isWhole, evidence)
    }
    if error != nil, let store = request.planning.store, !options.settings.acceptsDamagedSource,
      let damage = StoreMigrator.damage(of: store.readable, cancellation: options.cancellation)
    {
      throw damage
    }
  }

  private init(
    _ migration: MigrationRequest,
    _ showsAlternatives: Bool,
    _ isWhole: Bool,
    _ evidence: StoreEvidence?
  ) throws {
    let (request, names) = (migration.planning, migration.project.names)
    let options = migration.options.planning
    let planner = MigrationPlanner(graph: request.graph)
    let found: (plan: MigrationPlan, alternatives: [AlternativePath])
    do throws(PlanningError) {
      found = try Self.plan(
        by: planner,
        for: request,
        options,
        showsAlternatives,
        evidence
      )
    } catch {
      plan = nil
      self.error = error
      refusals = []
      report = Self.blocked(error, request, planner, options, names)
      return
    }
    let plan = found.plan
    var report = PlanReport(plan, store: request.store?.path, name: names.name)
    report.take(asked: request.asked, names)
    report.alternatives = found.alternatives.map { PlanReport.Alternative($0, name: names.name) }
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

  private static func plan(
    by planner: MigrationPlanner,
    for request: PlanningRequest,
    _ options: PlanningOptions,
    _ showsAlternatives: Bool,
    _ evidence: StoreEvidence?
  ) throws(PlanningError) -> (plan: MigrationPlan, alternatives: [AlternativePath]) {
    let (source, destination) = (request.source, request.destination)
    guard showsAlternatives else {
      let plan = try planner.plan(
        from: source,
        to: destination,
        options: options,
        evidence: evidence
      )
      return (plan, [])
    }
    return try planner.planAndAlternatives(
      from: source,
      to: destination,
      options: options,
      evidence: evidence
    )
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

  private static func blocked(
    _ error: PlanningError,
    _ request: PlanningRequest,
    _ planner: MigrationPlanner,
    _ options: PlanningOptions,
    _ names: VersionNames
  ) -> PlanReport {
    var reached: MigrationPlan?
    if case .unreachable(let furthest) = error.code,
      let node = request.graph.node(named: furthest), node != request.source
    {
      var options = options
      options.via = []
      reached = try? planner.plan(from: request.source, to: node, options: options)
    }
    return PlanReport(
      error,
      from: request.source.version,
      to: request.destination.version,
      hops: reached,
      store: request.store?.path,
      name: names.name
    )
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
