internal import MigrationPlanning
internal import ObjectModel

/// What `check` says of a project beside its mappings: its lock, its new versions, its paths.
struct ProjectCheck {
  let audit: LockAudit
  /// Whether locked versions are looked at as new ones are.
  let looksAtAll: Bool
  let losses: UnacceptedLosses

  /// The qualified names of the versions that are looked at: those that are not locked.
  var newNames: Set<String> {
    let all = Set(project.archive.versions.map(\.qualifiedName))
    return looksAtAll || audit.lock == nil ? all : all.subtracting(audit.lockedNames)
  }

  private var project: Project { audit.project }

  /// What reports say of the versions.
  var versions: CheckReport.Versions {
    let isLocked = audit.lock != nil
    let locked = audit.lockedNames
    return CheckReport.Versions(
      lockPath: audit.path,
      lockedCount: isLocked ? locked.count : nil,
      newVersions: project.archive.versions.filter { !locked.contains($0.qualifiedName) }
        .map { project.names.name(of: $0) },
      shippedCount: audit.shipped.count
    )
  }

  /// The findings, each with the file of its version.
  ///
  /// - Throws: ``WaystoneError`` where several files are the stages of one model.
  func findings() throws(WaystoneError) -> [Finding] {
    let new = newNames
    let mappings = project.binding.findings.filter { $0.code == .unreadableForm }
    var findings = project.archive.findings + mappings + audit.findings
    for model in project.archive.models {
      findings += try self.findings(on: model, new) + forks(of: model)
    }
    return findings
  }

  /// Versions that each claim to be the next, and a current version that is disputed.
  private func forks(of model: VersionedModel) -> [Finding] {
    let next = VersionHeads(model, audit)
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
  ) throws(WaystoneError) -> [Finding] {
    let graph = VersionGraph(model, authored: project.authored)
    let files = Dictionary(
      model.versions.map { ($0.name, $0.contentsPath) },
      uniquingKeysWith: { first, _ in first }
    )
    func isNew(_ name: String?) -> Bool {
      name.map { new.contains("\(model.name)/\($0)") } ?? true
    }
    let lint = ModelLint.findings(in: model)
    // An edge tells of a step's edits too, which are told of once.
    func place(_ finding: Finding) -> [String?] {
      let node = finding.place.version.flatMap { graph.node(named: $0) }
      return [finding.code.rawValue, node?.name, finding.place.entity, finding.place.property]
    }
    let told = Set(lint.map(place))
    // What a mapping does is told of the mapping; stages say nothing of that themselves.
    let steps = graph.consecutiveEdges.filter { edge in
      isNew(graph.nodes[edge.destination].name) && edge.origins.allSatisfy { $0.form == .stage }
    }.flatMap { edge in
      losses.isNew(graph.nodes[edge.destination].version)
        ? losses.raised(edge.findings) : edge.findings
    }.filter { !told.contains(place($0)) }
    let graphFindings = graph.findings.filter {
      $0.code != .equalVersions && isNew($0.place.version)
    }
    var options = PlanningOptions()
    options.acceptLoss = project.configuration?.policy.loss ?? .declared
    let runtime = project.configuration?.runtime ?? .direct
    let stranded = StrandedVersions(
      graph: graph,
      shipped: Set(audit.shipped.map(\.qualifiedName)),
      options: options,
      names: project.names,
      app: AppMigration(
        graph: graph,
        bundled: project.mapped.bundled,
        runtime: runtime,
        stages: try project.stages(of: model.name, runtime).map { ($0.manager, $0.origin) }
      )
    )
    let lost = stranded.findings(newNames: audit.lock == nil ? [] : new)
    return (lint.filter { isNew($0.place.version) } + graphFindings + steps).map { finding in
      var finding = finding
      if let name = finding.place.version, let file = files[name] {
        finding.place.file = finding.place.file ?? file
        finding.place.version = shown(name, of: model)
      }
      return finding
    } + lost
  }

  private func shown(_ name: String, of model: VersionedModel) -> String {
    model.versions.first { $0.name == name }.map { project.names.name(of: $0) } ?? name
  }
}

extension CheckReport {
  /// Takes out what the project accepts, and adds what it accepts in vain.
  mutating func accept(_ acceptances: [Configuration.Acceptance], in path: String) {
    var used: Set<Int> = []
    func reason(_ finding: Finding) -> String? {
      var result: String?
      for (index, acceptance) in acceptances.enumerated() where acceptance.fits(finding) {
        used.insert(index)
        result = result ?? acceptance.reason
      }
      return result
    }
    func split(_ findings: inout [Finding], file: String? = nil) {
      findings.removeAll { finding in
        var whole = finding
        whole.place.file = finding.place.file ?? file
        guard let reason = reason(whole) else { return false }
        accepted.append(AcceptedFinding(finding: whole, reason: reason))
        return true
      }
    }
    for index in mappings.indices {
      split(&mappings[index].findings, file: mappings[index].path)
    }
    split(&findings)
    // What coverage finds is its own to accept.
    let others = FindingCode.allCases.filter {
      $0.rawValue.hasPrefix("WS72") || $0 == .appKeepsMore
    }
    for (index, acceptance) in acceptances.enumerated()
    where !used.contains(index) && !others.contains(acceptance.code) {
      findings.append(
        Finding(
          .acceptanceFitsNothing,
          .warning,
          at: Finding.Place(file: path, line: acceptance.line),
          message: "\(acceptance.text) is accepted, and there is no such finding.",
          remedy: "Remove the entry, or correct its code, place or version."
        )
      )
    }
  }
}
