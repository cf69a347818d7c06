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
  /// Why there is none.
  let error: PlanningError?
  /// Either in words.
  let report: PlanReport

  /// Plans, as a run with these options would.
  ///
  /// - Parameter showsAlternatives: Whether the report names other paths, and why they are not taken.
  /// - Throws: ``PlanningError`` where the options or versions make no sense together; `StoreAccessError`
  ///   where the store cannot be read or is damaged, which also leaves no path.
  init(
    _ request: PlanningRequest,
    _ options: MigrationOptions,
    _ names: VersionNames,
    showsAlternatives: Bool
  ) throws {
    self = try request.asking(options) { evidence in
      try PlannedPath(request, options, names, showsAlternatives, evidence)
    }
    if error != nil, let store = request.store, !options.settings.acceptsDamagedSource,
      let damage = StoreMigrator.damage(of: store.location, cancellation: options.cancellation)
    {
      throw damage
    }
  }

  private init(
    _ request: PlanningRequest,
    _ migration: MigrationOptions,
    _ names: VersionNames,
    _ showsAlternatives: Bool,
    _ evidence: StoreEvidence?
  ) throws {
    let options = migration.planning
    let planner = MigrationPlanner(graph: request.graph)
    do throws(PlanningError) {
      let (plan, alternatives) = try Self.plan(
        by: planner,
        for: request,
        options,
        showsAlternatives,
        evidence
      )
      var report = PlanReport(plan, store: request.store?.path, name: names.name)
      report.take(asked: request.asked, names)
      report.alternatives = alternatives.map { PlanReport.Alternative($0, name: names.name) }
      report.findings += evidence?.damage(along: plan) ?? []
      report.leavesLinksOut = evidence?.leavesLinksOut(along: plan) ?? false
      for (index, account) in (evidence?.accounts(of: plan) ?? []).enumerated() {
        report.hops[index].account = account
      }
      report.disk = request.store.map { Self.disk(for: plan, $0) }
      report.passes = plan.passes(isFused: migration.settings.fusesHops)
        .filter(\.isFused).map { $0.start + 1...$0.end }
      self.plan = plan
      self.report = report
      error = nil
    } catch {
      plan = nil
      self.error = error
      report = Self.blocked(error, request, planner, options, names)
    }
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
  /// Calls both ends what the person called them, where other versions have the same hashes.
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
