internal import MigrationPlanning
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration

extension Project {
  /// What becomes of every version that was shipped: in the app itself, and with Waystone.
  ///
  /// With trials, a store of each path is migrated by the real engine; one that was given is read
  /// where it lies.
  ///
  /// - Throws: ``WaystoneError`` where the version wanted is none, the lock cannot be read, nothing is
  ///   at a store's path, its URL is of no file, or a trial is asked to stop. What is wrong with a version or a store is in
  ///   the report.
  /// - Complexity: A search over all paths of each model; a few passes over each store.
  public func coverage(
    _ options: CoverageOptions = CoverageOptions()
  ) throws(WaystoneError) -> CoverageReport {
    try WaystoneError.converting {
      var survey = try CoverageSurvey(of: self, options)
      survey.addShippedVersions()
      try survey.addStores(at: options.stores + options.storeURLs.map { try $0.filePath })
      if let trials = options.trials { try survey.run(trials) }
      return survey.report
    }
  }
}

/// Everything that coverage looks at, collected model by model.
struct CoverageSurvey {
  let project: Project
  let options: CoverageOptions
  let shipped: [ModelVersion]
  private let runtime: AppRuntime
  private let planning: PlanningOptions
  /// The models, and after them what stores have that are of no one version of them.
  var parts: [ModelCoverage] = []
  /// What came of the trials, by part and path.
  var trials: [[Int]: CoverageReport.Trial] = [:]
  var findings: [Finding]

  /// Charts the models.
  ///
  /// - Throws: ``WaystoneError`` where the version wanted is none, or an older one is.
  init(of project: Project, _ options: CoverageOptions) throws {
    self.project = project
    self.options = options
    runtime = options.runtime ?? project.configuration?.runtime ?? .direct
    shipped = try project.shippedVersions(lock: try project.lockFile())
    var planning = PlanningOptions()
    planning.acceptLoss = project.configuration?.policy.loss ?? .declared
    self.planning = planning
    findings = project.archive.findings + project.binding.findings
    let wanted = isForCurrent ? nil : try project.names.version(options.version.text)
    for model in project.archive.models where wanted.map({ $0.modelName == model.name }) ?? true {
      let graph = VersionGraph(model, authored: project.authored)
      let node =
        wanted.map { graph.node(hashes: $0.model.entityVersionHashes) } ?? graph.currentNode
      guard let destination = node else { continue }
      parts.append(try part(model.name, graph, to: destination, bundled: project.mapped.bundled))
    }
  }

  /// Whether each model's current version is wanted.
  var isForCurrent: Bool { options.version == .current }

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
      options: planning,
      label: project.names.name
    )
  }

  /// The stages by which the app migrates a model, if it does.
  private func stages(of model: String) throws -> MappedArchive.StagedMigration? {
    guard runtime == .staged else { return nil }
    let own = project.mapped.stagedMigrations.filter { $0.manager.model.name == model }
    guard own.count <= 1 else {
      throw WaystoneError(
        .badFile,
        "\(own.map(\.origin.fileName).joined(separator: " and ")) are both stages of \(model).",
        recovery: "An app has one staged migration for a model: keep one of the files."
      )
    }
    return own.first
  }

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
    guard let changes = options.changes else { return true }
    let between = Set(part.graph.order.between(node.index, part.destination.index))
    func path(_ text: String) -> String { project.folder.resolved(text) }
    if let folder = project.archive.models.first(where: { $0.name == part.name })?.path,
      changes.touches(file: path(folder) + "/.xccurrentversion")
        || changes.hasRemovals(below: path(folder))
    {
      return true
    }
    if let file = project.configuration?.path, changes.touches(file: file) { return true }
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
    UnresolvedNames.findings(of: plan, registry: project.registry, name: \.name)
  }

  /// The many-to-many names of a plan's result that no model settles, unless a sample does.
  private func unprovenNames(_ plan: MigrationPlan, in part: ModelCoverage) -> [Finding] {
    let hasSample = project.samplePath(for: plan.destination) != nil
    guard !plan.hops.isEmpty, !hasSample, part.hasUnsettledNames else { return [] }
    return NameSettlement(plan: plan, store: nil, sample: nil).findings
  }

  /// The report on all of it.
  var report: CoverageReport {
    let configuration = project.configuration
    var report = CoverageReport(runtime: runtime)
    report.threshold = configuration?.policy.threshold ?? .error
    report.minimumPercent = options.minimumPercent ?? configuration?.policy.coverage
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
            AcceptedFinding(finding: finding, reason: $0.reason)
          }
        }
      }
      return model
    }
    if let changes = options.changes {
      report.models.removeAll(where: \.paths.isEmpty)
      report.changedSince = changes.reference
    }
    report.takeTotals()
    return report
  }
}
