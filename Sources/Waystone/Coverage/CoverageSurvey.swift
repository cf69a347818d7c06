internal import MigrationPlanning
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration

extension Project {
  /// Returns the outcome of every version that was shipped: in the app itself, and with Waystone.
  ///
  /// With trials, a store of each path is migrated by the real engine; a given one is read at its path.
  ///
  /// - Throws: ``WaystoneError`` where the version wanted is none, the lock cannot be read, a sample of
  ///   `waystone.yml` cannot be used, nothing is at a store's path, its URL is of no file, or a trial
  ///   is asked to stop. Errors of a version or a store are in the report.
  /// - Complexity: A search over all paths of each model; a few passes over each store.
  public func coverage(
    _ options: CoverageOptions = CoverageOptions()
  ) throws(WaystoneError) -> CoverageReport {
    try WaystoneError.converting {
      try checkSamples()
      var survey = try CoverageSurvey(of: self, options)
      survey.addShippedVersions()
      try survey.addStores(at: options.stores + options.storeURLs.map { try $0.filePath })
      if let trials = options.trials { try survey.run(trials) }
      return try survey.report()
    }
  }

  /// Returns the versions of each model and the steps between them, without the outcome of any.
  ///
  /// - Throws: ``WaystoneError`` where the lock, a mapping or `waystone.yml` cannot be used.
  /// - Complexity: As ``coverage(_:)`` without trials.
  public func versionMap() throws(WaystoneError) -> CoverageReport {
    var options = CoverageOptions()
    options.allEdges = true
    return try WaystoneError.converting { try CoverageSurvey(of: self, options).report() }
  }
}

/// A survey of a project for coverage, collected model by model.
struct CoverageSurvey {
  let project: Project
  let options: CoverageOptions
  let shipped: [ModelVersion]
  private let names: VersionNames
  private let audit: LockAudit
  private let sample: (VersionGroup) throws -> [String: [String]]?
  private let losses: UnacceptedLosses
  private let runtime: AppRuntime
  private let planning: PlanningOptions
  /// The coverage of each model, then that of each graph of stores that no model has.
  var parts: [ModelCoverage] = []
  /// The results of the trials, by part and path.
  var trials: [[Int]: CoverageReport.Trial] = [:]
  var findings: [Finding] = []

  /// Charts the models.
  ///
  /// - Throws: ``WaystoneError`` where the version wanted is none, or an older one is.
  init(of project: Project, _ options: CoverageOptions) throws {
    let audit = try LockAudit(project)
    try self.init(
      audit,
      losses: UnacceptedLosses(project, settled: audit.settledNames),
      models: project.archive.models,
      options,
      sample: { try project.sample(for: $0) }
    )
  }

  /// Charts some models of a project that is held against its lock already.
  ///
  /// - Parameter sample: Returns the columns of each table of a store that Core Data made at a version.
  /// - Throws: ``WaystoneError`` as ``init(of:_:)``.
  init(
    _ audit: LockAudit,
    losses: UnacceptedLosses,
    models: [VersionedModel],
    _ options: CoverageOptions,
    sample: @escaping (VersionGroup) throws -> [String: [String]]?
  ) throws {
    self.sample = sample
    project = audit.project
    self.audit = audit
    self.losses = losses
    self.options = options
    names = project.names
    runtime = options.runtime ?? project.runtime
    shipped = audit.shipped
    var planning = PlanningOptions()
    planning.acceptLoss = project.configuration?.policy.loss ?? .declared
    self.planning = planning
    let wanted = isForCurrent ? nil : try names.version(options.version.text)
    for model in models where wanted.map({ $0.modelName == model.name }) ?? true {
      var graph = VersionGraph(model, authored: project.authored)
      guard let version = wanted ?? graph.currentNode?.appVersion else { continue }
      // Steps lead to the columns that are wanted, which versions of the same hashes need not have.
      let kept = options.allEdges ? model : model.keepingColumns(of: version)
      if kept.versions.count < model.versions.count {
        graph = VersionGraph(kept, authored: project.authored)
      }
      guard let destination = graph.node(hashes: version.model.entityVersionHashes) else {
        continue
      }
      let bundled = project.mapped.bundled
      let all = model.versions
      parts.append(
        try part(model.name, graph, to: destination, as: version, among: all, bundled: bundled)
      )
    }
  }

  /// The findings on the project as a whole, which no outcome of a version changes.
  private var projectFindings: [Finding] {
    var findings = audit.archiveFindings { "what becomes of the versions of \($0) is not told" }
    findings += project.binding.findings
    guard let sources = project.sources else { return findings }
    // The sources of today need not agree with the stores of users.
    let drift = audit.findings + SourceDrift(sources: sources, folder: project.folder).findings
    findings += drift.filter { $0.code.has(.drift) }
    findings += project.planFindings(runtime)
    findings += project.movedStoreFindings
    let stores = options.stores + options.storeURLs.compactMap { try? $0.filePath }
    let settled = audit.settledNames
    findings +=
      CodingFindings(project, stores: stores)?.steps { !settled.contains($0.qualifiedName) } ?? []
    return findings
  }

  /// Whether each model's current version is wanted.
  var isForCurrent: Bool { options.version == .current }

  /// Returns a model's part without paths.
  ///
  /// - Parameters:
  ///   - version: The version of the destination that is wanted; its current one where it is nil.
  ///   - versions: All versions of the model, oldest first; those of the graph where it is nil.
  func part(
    _ name: String,
    _ graph: VersionGraph,
    to destination: VersionGroup,
    as version: ModelVersion? = nil,
    among versions: [ModelVersion]? = nil,
    bundled: [AuthoredEdge]?
  ) throws -> ModelCoverage {
    let shippedNames = Set(shipped.map(\.qualifiedName))
    return ModelCoverage(
      name: name,
      app: try project.appMigration(of: name, graph, bundled: bundled, runtime),
      graph: graph,
      to: destination,
      as: version ?? destination.appVersion,
      among: versions ?? graph.versionedModel.versions,
      shipped: Set(
        graph.nodes.filter { $0.versions.contains { shippedNames.contains($0.qualifiedName) } }
          .map(\.index)
      ),
      planning: planning,
      options: options,
      label: names.name,
      sample: try sample(destination)
    )
  }

  /// Adds the path of each shipped version but the one wanted.
  mutating func addShippedVersions() {
    let shippedNames = Set(shipped.map(\.qualifiedName))
    for index in parts.indices where !hasUnknownOrder(parts[index]) {
      let part = parts[index]
      for node in part.graph.nodes where part.isShipped(node) && isTouched(node, in: part) {
        // For a version older than the current one, only versions older than it are surveyed.
        guard isForCurrent || node.index <= part.destination.index else { continue }
        let versions = node.byPlace.filter { shippedNames.contains($0.qualifiedName) }
        // Versions of other columns than those of the one wanted have an outcome of their own.
        let rows = node == part.destination ? [versions, part.others] : [versions]
        for versions in rows {
          let row = versions.filter {
            shippedNames.contains($0.qualifiedName)
              && $0.qualifiedName != part.wanted.qualifiedName
          }
          guard !row.isEmpty else { continue }
          parts[index].add(
            node,
            versions: row.map { (names.name(of: $0), $0) },
            refusals: project.binding.unreadMappings
          )
        }
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

  /// Returns whether the order of a part's versions is unknown, and with it what becomes of each.
  private func hasUnknownOrder(_ part: ModelCoverage) -> Bool {
    project.archive.models.first { $0.name == part.name }.map(audit.hasUnknownOrder) ?? false
  }

  /// Returns whether a change touches the files that decide on the path from a version.
  private func isTouched(_ node: VersionGroup, in part: ModelCoverage) -> Bool {
    guard let changes = options.changes else { return true }
    let between = Set(part.graph.order.between(node.index, part.destination.index))
    func path(_ text: String) -> String { project.folder.resolved(text) }
    let folders = project.archive.models.first { $0.name == part.name }?.paths ?? []
    if folders.contains(where: { changes.concernsAll(of: $0, in: project) }) { return true }
    return part.graph.nodes.filter { between.contains($0.index) || $0 == node }.contains { node in
      node.versions.contains { changes.touches(path($0.path)) }
    }
      || part.authoredEdges(among: between).flatMap(\.origins).contains {
        changes.touches(path($0.path))
      }
  }

  /// The losses of steps into versions that no user has yet, where they were changed.
  private var newLosses: [Finding] {
    parts.filter { !hasUnknownOrder($0) }.flatMap { part in
      let versions = part.graph.versionedModel.versions
      return losses.findings(in: part.graph, upTo: part.destination, app: part.app).compactMap {
        finding in
        guard let index = versions.firstIndex(where: { $0.name == finding.place.version }) else {
          return finding
        }
        let step = versions[max(0, index - 1)...index]
        if let changes = options.changes, !isTouched(step, by: changes, in: part) { return nil }
        var finding = finding
        finding.place.file = finding.place.file ?? versions[index].contentsPath
        finding.place.version = names.name(of: versions[index])
        return finding
      }
    }
  }

  /// Returns whether a change touches the files that decide on a step: its versions, a mapping of it, or a
  /// file that concerns all.
  private func isTouched(
    _ step: ArraySlice<ModelVersion>,
    by changes: ChangedFiles,
    in part: ModelCoverage
  ) -> Bool {
    let folders = project.archive.models.first { $0.name == part.name }?.paths ?? []
    if folders.contains(where: { changes.concernsAll(of: $0, in: project) }) { return true }
    let hashes = step.map(\.model.entityVersionHashes)
    let nodes = part.graph.nodes.filter { hashes.contains($0.version.model.entityVersionHashes) }
    let files =
      step.map(\.path)
      + part.authoredEdges(among: Set(nodes.map(\.index))).flatMap(\.origins).map(\.path)
    return files.contains { changes.touches(project.folder.resolved($0)) }
  }

  /// Returns the policies and handlers of a plan that this program does not have.
  func unresolvedNames(_ plan: MigrationPlan) -> [Finding] {
    UnresolvedNames.findings(of: plan, registry: project.registry, name: \.name)
  }

  /// The least severity of a finding that is a gap.
  var threshold: Finding.Severity { project.configuration?.policy.threshold ?? .error }

  /// Returns the models with the paths so far, judged: the severities by the release's dependence on them,
  /// the findings that the project accepts, and those that are open.
  ///
  /// The judgement decides what a gap is, for ``Project/coverage(_:)`` and ``Project/check(_:)`` alike.
  func judgedModels() throws -> [CoverageReport.Model] {
    let acceptances = project.configuration?.acceptances ?? []
    return try parts.enumerated().map { place, part in
      var model = try part.result()
      for index in model.paths.indices {
        if let plan = part.plans[index] {
          let more = unresolvedNames(plan) + part.unprovenNames[index]
          // The findings of many long paths are large: they are copied only where some are added.
          if !more.isEmpty { model.paths[index].findings += more }
        }
        model.paths[index].weigh(by: project.reliance, isTried: options.trials != nil)
        model.paths[index].trial = trials[[place, index]]
        model.paths[index].sayWhatAcceptanceLacks(acceptances)
        let path = model.paths[index]
        let judged = path.judged { code, severity in
          severity >= threshold || code.has(.neverSilent)
        }
        let acceptance = PathAcceptance(
          acceptances: acceptances,
          path: path,
          part: part,
          names: names
        )
        model.paths[index].accepted = judged.compactMap(acceptance.accepted)
        let accepted = Set(model.paths[index].accepted.map(\.finding))
        for finding in judged where !accepted.contains(finding) {
          let open = acceptance.openCauses(of: finding)
          model.paths[index].openCauses += open.map(\.cause)
          guard finding.severity >= threshold else { continue }
          model.paths[index].acceptable += open.map(\.accepted)
        }
      }
      return model
    }
  }

  /// Returns the report on all of it.
  func report() throws -> CoverageReport {
    let configuration = project.configuration
    var report = CoverageReport(runtime: runtime)
    report.reliance = project.reliance
    report.isRuntimeAssumed =
      runtime == .direct && options.runtime == nil && configuration?.runtime == nil
    report.threshold = threshold
    report.minimumPercent = options.minimumPercent ?? configuration?.policy.coverage
    report.wantsTrials = options.trials != nil
    report.findings = projectFindings + findings
    for finding in (audit.missingFindings + newLosses).reversed() {
      if let acceptance = configuration?.acceptances.first(where: { $0.fits(finding) }) {
        report.accepted.insert(AcceptedFinding(finding: finding, reason: acceptance.reason), at: 0)
      } else {
        report.findings.insert(finding, at: 0)
      }
    }
    report.models = try judgedModels()
    for (place, part) in parts.enumerated() {
      guard let own = project.archive.models.first(where: { $0.name == part.name }) else {
        continue
      }
      let opening = InPlaceOpening(
        model: own,
        graph: part.graph,
        paths: report.models[place].paths,
        names: names
      )
      report.findings += [opening.finding].compactMap(\.self)
    }
    // The findings of a path are reported once.
    report.findings.removeAll { finding in
      finding.code == .unfinishedMapping
        && report.models.contains { model in
          model.paths.contains { path in
            path.findings.contains { $0.code == finding.code && $0.statement == finding.statement }
          }
        }
    }
    if let changes = options.changes {
      report.models.removeAll(where: \.paths.isEmpty)
      report.changedSince = changes.reference
    }
    report.takeTotals()
    return report
  }
}
