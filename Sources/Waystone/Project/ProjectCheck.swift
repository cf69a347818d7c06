internal import MigrationPlanning
internal import ObjectModel
internal import SwiftDataImport

/// The part of a check that is not of mappings: the lock, new versions, and paths.
struct ProjectCheck {
  let audit: LockAudit
  /// Whether locked versions are checked as new ones are.
  let looksAtAll: Bool
  let losses: UnacceptedLosses

  /// The qualified names of the versions that are checked: those whose steps no user's store has taken.
  var newNames: Set<String> {
    let all = Set(project.archive.versions.map(\.qualifiedName))
    return looksAtAll ? all : all.subtracting(audit.settledNames)
  }

  /// The number of changes by which the steps before the current version drop data, before a first lock: they
  /// are in users' stores, and only counted.
  private var historyLosses: Int {
    guard audit.lock == nil, !looksAtAll else { return 0 }
    return project.archive.models.filter { !audit.hasUnknownOrder($0) }.reduce(0) { sum, model in
      let graph = VersionGraph(model, authored: project.authored)
      let settled = graph.consecutiveEdges.filter {
        audit.settledNames.contains(graph.arrival(of: $0).qualifiedName)
      }
      return sum + settled.flatMap(\.findings).count { ($0.risk ?? .exact) >= .lossy }
    }
  }

  private var project: Project { audit.project }

  /// The facts on versions in reports.
  var versions: CheckReport.Versions {
    let isLocked = audit.lock != nil
    let locked = audit.lockedNames
    let new = project.archive.versions.filter { !audit.settledNames.contains($0.qualifiedName) }
    return CheckReport.Versions(
      lockPath: audit.path,
      lockedCount: isLocked ? locked.count : nil,
      newVersions: new.map { project.names.name(of: $0) },
      shippedCount: project.archive.versions.count - new.count,
      historyLosses: historyLosses
    )
  }

  /// Returns the findings, each with the file of its version.
  ///
  /// - Throws: ``WaystoneError`` where several files are the stages of one model, or which version is
  ///   current cannot be read.
  func findings() throws(WaystoneError) -> [Finding] {
    let new = newNames
    let mappings = project.binding.findings.filter { $0.code == .unreadableForm }
    let unknown = project.archive.models.filter(audit.hasUnknownOrder)
    let ofUnknown = Set(
      unknown.flatMap(\.versions).map { project.names.name(of: $0) }
    )
    var findings = audit.archiveFindings { "no step of \($0) is checked" }
    findings += mappings
    findings += audit.findings.filter { finding in
      finding.code != .lockedOrderChanged || finding.place.version.map(ofUnknown.contains) != true
    }
    if let sources = project.sources {
      findings += SourceDrift(sources: sources, folder: project.folder).findings
      findings += try project.sampleFindings()
      findings += project.planFindings(project.runtime) + project.movedStoreFindings
      findings += project.lessonFindings
      findings +=
        CodingFindings(project)?.steps(isNew: { new.contains($0.qualifiedName) }) ?? []
    }
    for model in project.archive.models where !audit.hasUnknownOrder(model) {
      let found = try WaystoneError.converting { try self.findings(on: model, new) }
      findings += found + (try forks(of: model))
    }
    return findings
  }

  /// Returns findings on versions that each claim to be the next, and a current version that is
  /// disputed.
  private func forks(of model: VersionedModel) throws(WaystoneError) -> [Finding] {
    let next = try VersionHeads(model, audit)
    let claims = next.currentClaims
    var findings = claims.isEmpty ? [] : [CurrentClaims.finding(claims, in: model.path)]
    let heads = next.heads
    guard heads.count > 1, let last = heads.last else { return findings }
    let names = heads.map { project.names.name(of: $0.version) }
    findings.append(
      Finding(
        .severalHeads,
        .error,
        at: Finding.Place(file: last.version.contentsPath, version: names.last),
        message: "\(names.joined(separator: " and ")) each claim to be the next version after "
          + "\(project.names.name(of: last.base)).",
        remedy: "Look at `waystone heads`."
      )
    )
    return findings
  }

  private func findings(
    on model: VersionedModel,
    _ new: Set<String>
  ) throws -> [Finding] {
    let survey = try survey(of: model)
    let graph = survey.parts.first?.graph ?? VersionGraph(model, authored: project.authored)
    let files = Dictionary(
      model.versions.map { ($0.name, $0.contentsPath) },
      uniquingKeysWith: { first, _ in first }
    )
    func isNew(_ name: String?) -> Bool {
      name.map { new.contains(model.qualifiedName(of: $0)) } ?? true
    }
    let lint =
      losses.raised(lint: ModelLint.findings(in: model), on: model)
      + model.versions.filter { isNew($0.name) }.flatMap { $0.obstacles(.warning) }
    // An edge reports a step's edits too, and each is reported once.
    func place(_ finding: Finding) -> [String?] {
      let place = finding.place
      return [finding.code.rawValue, place.version, place.entity, place.property]
    }
    let linted = Set(lint.map(place))
    // Effects of a mapping are reported at the mapping; stages report none themselves.
    let steps = (graph.consecutiveEdges + graph.revertedSteps).filter { edge in
      isNew(graph.arrival(of: edge).name) && edge.origins.allSatisfy { $0.form == .stage }
    }.flatMap { losses.findings(on: $0, in: graph) }.filter { !linted.contains(place($0)) }
    // A Renaming ID that names nothing, on an item that kept its name, is reported by the step that it
    // breaks.
    let broken = Set(
      graph.consecutiveEdges.flatMap { edge in
        edge.findings.filter { $0.code == .canonicalNamesDisagree }.flatMap { finding in
          [edge.source, edge.destination].map {
            [graph.nodes[$0].name, finding.place.entity, finding.place.property]
          }
        }
      }
    )
    let ownFindings = lint.filter {
      isNew($0.place.version)
        && !($0.code == .renamingIdentifierNamesNothing && broken.contains(Array(place($0)[1...])))
    }
    var options = PlanningOptions()
    options.acceptLoss = project.configuration?.policy.loss ?? .declared
    let app =
      try survey.parts.first?.app
      ?? project.appMigration(
        of: model.name,
        graph,
        bundled: project.mapped.bundled,
        project.runtime
      )
    let stranded = UnreachableVersions(
      graph: graph,
      shipped: Set(audit.shipped.map(\.qualifiedName)),
      options: options,
      names: project.names,
      isNew: losses.isNew,
      app: app,
      reliance: project.reliance
    ).findings(newNames: audit.lock == nil ? [] : new)
    // A step that no version gets over is reported with the versions.
    let impossible = Set(
      graph.consecutiveEdges.filter { stranded.steps.contains([$0.source, $0.destination]) }
        .map { graph.arrival(of: $0).name }
    )
    let graphFindings = graph.findings.filter {
      $0.code != .equalVersions && isNew($0.place.version)
        && !($0.code == .missingStep && $0.place.version.map(impossible.contains) == true)
    }
    let ofApp = graph.consecutiveEdges.flatMap { losses.findings(of: app, on: $0) }
    var found = ownFindings + graphFindings + steps + ofApp
    // Errors already have advice of their own.
    let failing = Set(found.filter { $0.severity == .error }.map(place))
    let doubts =
      project.reliance.includesApp
      ? AppDoubts(graph: graph, app: app, isNew: losses.isNew)
        .findings(besides: stranded.steps)
        .filter { !failing.contains(place($0)) }
      : []
    let doubted = Set(doubts.map(place))
    found.removeAll { doubted.contains(place($0)) }
    let mirrored = mirrored(model)
    // A relationship that CloudKit does not mirror without an inverse is reported as that.
    let inverses = Set(mirrored.filter { $0.code == .mirroredMissingInverse }.map(\.place))
    found.removeAll { $0.code == .missingInverse && inverses.contains($0.place) }
    let reported = found + doubts + mirrored
    let all = reported + (try gaps(of: survey, besides: reported, stranded.sources))
    let asked = all.filter { $0.code == .configurationChanged && $0.severity == .note }
    return all.filter { !asked.contains($0) }.map { finding in
      var finding = finding
      if let name = finding.place.version, let file = files[name] {
        finding.place.file = finding.place.file ?? file
        finding.place.version = shown(name, of: model)
      }
      return finding
    } + stranded.found + question(about: asked, on: model)
  }

  /// Returns coverage's survey of a model, without paths so far.
  private func survey(of model: VersionedModel) throws -> CoverageSurvey {
    var options = CoverageOptions()
    options.describesEdges = false
    return try CoverageSurvey(audit, losses: losses, models: [model], options) { version in
      // A sample that is of another version has a finding of its own.
      try? project.sample(for: version)
    }
  }

  /// Returns the gaps of shipped versions on the way into a new current version that no finding on a single
  /// version or step reports.
  ///
  /// Coverage decides what a gap is. Once the current version is locked it is with users, and only coverage
  /// reports what becomes of older stores.
  ///
  /// - Parameter stranded: The indexes of the versions that are reported to reach no current version.
  private func gaps(
    of survey: CoverageSurvey,
    besides reported: [Finding],
    _ stranded: Set<Int>
  ) throws -> [Finding] {
    guard let part = survey.parts.first, losses.isNew(part.destination.appVersion, in: part.graph)
    else { return [] }
    let current = part.destination.appVersion
    let file = current.contentsPath
    var survey = survey
    survey.addShippedVersions()
    return try survey.gaps().filter { $0.finding.severity == .error }.filter { gap in
      // A step without a mapping leaves the app's outcome unknown, too.
      !gap.finding.code.has(.hasCauses)
        || !stranded.contains(gap.source)
    }
    .filter { !$0.isReported(by: reported) }.map { gap in
      var finding = gap.finding
      // The version that may be edited, not the one that users have.
      finding.place.file = finding.place.file ?? file
      return finding
    }
  }

  /// Returns the findings on parts of the model that CloudKit does not mirror, without relationships whose
  /// inverse is unknown.
  private func mirrored(_ model: VersionedModel) -> [Finding] {
    let undecided = Set(
      project.archive.findings.filter { $0.code == .undecidedInverse }.map(\.place.subject)
    )
    let new = newNames
    // A version with the hashes of another one may still differ in the rules of CloudKit.
    return CloudKitEvidence(project).findings(
      on: model,
      settled: { audit.settledNames.contains($0.qualifiedName) },
      isNew: { new.contains($0.qualifiedName) }
    ).filter { $0.code != .mirroredMissingInverse || !undecided.contains($0.place.subject) }
  }

  /// Returns the question whether the app opens stores by configuration, once for a model; nothing
  /// where no new version has an entity that leaves one.
  private func question(about changes: [Finding], on model: VersionedModel) -> [Finding] {
    guard let first = changes.first?.place.version,
      let version = model.versions.first(where: { $0.name == first })
    else { return [] }
    let count = Set(changes.compactMap(\.place.entity)).count
    return [
      Finding(
        .configurationChanged,
        .warning,
        at: Finding.Place(file: version.contentsPath, version: shown(first, of: model)),
        message: "\(count == 1 ? "1 entity leaves" : "\(count) entities leave") a configuration of "
          + "\(model.name). If the app opens a store by that configuration alone, Core Data drops its "
          + "rows there.",
        remedy: "If the app opens each store with all entities, write in waystone.yml: "
          + "`configurations: none`. If it opens stores by configuration: `configurations: used`."
      )
    ]
  }

  private func shown(_ name: String, of model: VersionedModel) -> String {
    model.versions.first { $0.name == name }.map { project.names.name(of: $0) } ?? name
  }
}

extension ProjectCheck {
  /// Returns whether an acceptance is of a finding of other commands, or of a step that is not checked
  /// because users have its version.
  func isElsewhere(_ acceptance: Configuration.Acceptance) -> Bool {
    if acceptance.code.has(.coverage) { return true }
    return project.archive.models.contains { model in
      let graph = VersionGraph(model, authored: project.authored)
      func fits(_ finding: Finding) -> Bool {
        var finding = finding
        finding.place.version = finding.place.version.map { shown($0, of: model) }
        return acceptance.fits(finding)
      }
      func fits(_ edge: VersionGraph.Edge) -> Bool {
        let version = graph.arrival(of: edge).name
        return (edge.findings + edge.refusals).contains { fits($0.placed(in: version)) }
      }
      if ModelLint.findings(in: model).contains(where: fits)
        || (graph.consecutiveEdges + graph.revertedSteps).contains(where: fits)
      {
        return true
      }
      // Losses of single steps are reported of a path's hop, at the version where the hop ends.
      let ends = graph.nodes.filter { node in
        node == graph.currentNode
          || node.versions.contains { version in
            acceptance.version.map { version.qualifiedName.hasSuffix($0) } == true
          }
      }
      return ends.contains { end in
        graph.nodes[..<end.index].contains { source in
          graph.order.precedes(source.index, end.index) && fits(graph.edge(from: source, to: end))
        }
      }
    }
  }
}
