internal import MigrationPlanning
internal import MigrationReporting
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration
internal import Waystone

/// Everything that `coverage` looks at, collected model by model.
struct CoverageSurvey {
  let loaded: LoadedArchive
  let session: Session
  let end: String
  let options: PlanningOptions
  let shipped: [ModelVersion]
  private let runtime: AppRuntime
  /// What to look at, where only changes count.
  private(set) var changes: GitChanges?
  /// The models, and after them what stores have that are of no one version of them.
  var parts: [ModelCoverage] = []
  /// What came of the trials, by part and path.
  var trials: [[Int]: CoverageReport.Trial] = [:]
  var findings: [Finding]

  /// Charts the models.
  ///
  /// - Parameter lock: The lock that the command line names.
  /// - Throws: ``CommandError`` where the version wanted is none, or an older one is.
  init(
    loaded: LoadedArchive,
    session: Session,
    runtime: AppRuntime,
    end: String,
    lock: String?
  ) throws {
    self.loaded = loaded
    self.session = session
    self.runtime = runtime
    self.end = end
    shipped = try loaded.shippedVersions(
      lock: try loaded.lock(given: lock, console: session.console)
    )
    var options = PlanningOptions()
    options.acceptLoss = loaded.configuration?.policy.loss ?? .declared
    self.options = options
    findings = loaded.archive.findings + loaded.binding.findings
    let wanted = end == "@current" ? nil : try loaded.names.version(end)
    for model in loaded.archive.models where wanted.map({ $0.modelName == model.name }) ?? true {
      let graph = VersionGraph(model, authored: loaded.authored)
      let node =
        wanted.map { graph.node(hashes: $0.model.entityVersionHashes) } ?? graph.currentNode
      guard let destination = node else { continue }
      parts.append(try part(model.name, graph, to: destination, bundled: loaded.bundled))
    }
  }

  /// A model's part, of which no path is known yet.
  func part(
    _ name: String,
    _ graph: VersionGraph,
    to destination: VersionNode,
    bundled: [AuthoredEdge]?
  ) throws -> ModelCoverage {
    let names = Set(shipped.map(\.qualifiedName))
    return ModelCoverage(
      name: name,
      app: AppMigration(
        graph: graph,
        bundled: bundled,
        runtime: runtime,
        stages: try stages(of: name).map { ($0.manager, $0.origin) }
      ),
      graph: graph,
      to: destination,
      shipped: Set(
        graph.nodes.filter { $0.versions.contains { names.contains($0.qualifiedName) } }
          .map(\.index)
      ),
      options: options,
      label: loaded.names.name
    )
  }

  /// The stages by which the app migrates a model, if it does.
  private func stages(of model: String) throws -> LoadedArchive.StagedMigration? {
    guard runtime == .staged else { return nil }
    let own = loaded.stagedMigrations.filter { $0.manager.model.name == model }
    guard own.count <= 1 else {
      throw CommandError(
        .badFile,
        "\(own.map(\.origin.fileName).joined(separator: " and ")) are both stages of \(model).",
        recovery: "An app has one staged migration for a model: keep one of the files."
      )
    }
    return own.first
  }

  /// Looks only at what a change touches.
  mutating func limit(to changes: GitChanges) { self.changes = changes }

  /// Adds the path of each shipped version that is older than the one wanted.
  mutating func addShippedVersions() {
    for index in parts.indices {
      let part = parts[index]
      for node in part.graph.nodes
      where node.index < part.destination.index && part.isShipped(node) && isTouched(node, in: part)
      {
        parts[index].add(node)
      }
    }
    if runtime == .staged {
      for part in parts where !part.hasStages && part.destination.index > 0 {
        findings.append(
          Finding(
            .stagesMissing,
            .note,
            message: "There are no stages of \(part.name), so that the app is taken to migrate it "
              + "straight to the current version.",
            remedy: "Write them as \(part.name).staged.yml beside the model."
          )
        )
      }
    }
  }

  /// Whether a change touches what decides on the path from a version.
  private func isTouched(_ node: VersionNode, in part: ModelCoverage) -> Bool {
    guard let changes else { return true }
    let between = Set(part.graph.order.between(node.index, part.destination.index))
    func path(_ text: String) -> String { session.console.resolved(text) }
    if let folder = loaded.archive.models.first(where: { $0.name == part.name })?.path,
      changes.touches(file: path(folder) + "/.xccurrentversion")
        || changes.hasRemovals(below: path(folder))
    {
      return true
    }
    if let file = loaded.configuration?.path, changes.touches(file: file) { return true }
    if changes.hasRemovedMapping { return true }
    return part.graph.nodes.filter { between.contains($0.index) || $0 == node }.contains { node in
      node.versions.contains { changes.touches(path($0.path)) }
    }
      || part.authoredEdges(among: between).flatMap(\.origins).contains {
        changes.touches(path($0.path))
      }
  }

  /// The policies and handlers of a plan that this program does not have.
  func unresolvedNames(_ plan: MigrationPlan) -> [Finding] {
    UnresolvedNames.findings(of: plan, registry: session.registry, name: \.name)
  }

  /// The many-to-many names of a plan's result that no model settles, unless a sample does.
  private func unprovenNames(_ plan: MigrationPlan, in part: ModelCoverage) -> [Finding] {
    let hasSample =
      loaded.samplePath(for: plan.destination, given: nil, console: session.console) != nil
    guard !plan.hops.isEmpty, !hasSample, part.hasUnsettledNames else { return [] }
    return NameSettlement(plan: plan, store: nil, sample: nil).findings
  }

  /// The report on all of it.
  ///
  /// - Parameter minimum: How many of a hundred versions must arrive, where the command line says so.
  func report(minimum: Int?) -> CoverageReport {
    let configuration = loaded.configuration
    var report = CoverageReport(runtime: runtime)
    report.threshold = configuration?.policy.threshold ?? .error
    report.minimumPercent = minimum ?? configuration?.policy.coverage
    report.findings = findings
    report.models = parts.enumerated().map { place, part in
      var model = part.result
      for index in model.paths.indices {
        if let plan = part.plans[index] {
          model.paths[index].findings += unresolvedNames(plan) + unprovenNames(plan, in: part)
        }
        model.paths[index].trial = trials[[place, index]]
        model.paths[index].accepted = model.paths[index].judged.compactMap { finding in
          configuration?.acceptances.first { $0.fits(finding) }.map {
            CoverageReport.Acceptance(finding: finding, reason: $0.reason)
          }
        }
      }
      return model
    }
    if let changes {
      report.models.removeAll(where: \.paths.isEmpty)
      report.changedSince = changes.reference
    }
    report.takeTotals()
    return report
  }
}
