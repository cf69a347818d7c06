internal import MigrationPlanning
internal import ObjectModel

/// The losses, certain or possible, of steps into versions that no user has yet.
///
/// Such a loss can still be corrected, so it is an error until it is corrected or accepted. The losses of a
/// locked version are in users' stores already; `policy: {loss: declared}` applies to them alone.
struct UnacceptedLosses {
  /// The qualified names of the versions that users have.
  private let known: Set<String>
  /// The qualified names of the versions that users cannot have.
  ///
  /// Neither they nor versions of the same hashes are settled.
  private let newNames: Set<String>
  /// Whether the app opens old stores with the current version's model at once.
  private let isStraight: Bool
  /// The migrator of users' stores.
  private let reliance: Reliance

  /// - Parameter settled: The qualified names of the versions whose steps users' stores have taken.
  init(_ project: Project, settled: Set<String>) {
    let versions = project.archive.versions
    let stored = Set(
      versions.filter { settled.contains($0.qualifiedName) }
        .map { [$0.modelName, $0.model.versionChecksum] }
    )
    newNames = Set(
      versions.filter { !stored.contains([$0.modelName, $0.model.versionChecksum]) }
        .map(\.qualifiedName)
    )
    known = settled
    isStraight = project.runtime != .progressive
    reliance = project.reliance
  }

  /// Returns whether no user can have stores of a version.
  func isNew(_ version: ModelVersion) -> Bool { newNames.contains(version.qualifiedName) }

  /// Returns whether no user's store has taken the steps into a version.
  func isNew(_ version: ModelVersion, in graph: VersionGraph) -> Bool {
    isNew(version)
      || (graph.consecutiveEdges + graph.revertedSteps).contains {
        isNew($0, in: graph) && graph.arrival(of: $0).name == version.name
      }
  }

  /// Returns whether no user's store has taken a step: it leads into a version that no user can have, or back
  /// to the hashes of an earlier one, with no version that users have after it.
  private func isNew(_ step: VersionGraph.Edge, in graph: VersionGraph) -> Bool {
    if isNew(graph.arrival(of: step)) { return true }
    func positions(_ node: VersionGroup) -> [Int] {
      zip(node.positions, node.versions).filter { known.contains($0.1.qualifiedName) }.map(\.0)
    }
    guard let first = positions(graph.nodes[step.source]).min(),
      let last = positions(graph.nodes[step.destination]).max()
    else { return false }
    return first > last
  }

  /// Returns the findings on a step or a mapping into a new version, with its losses, certain or possible, as
  /// errors.
  ///
  /// - Parameters:
  ///   - model: The model of the new version.
  ///   - isApps: Whether the app takes the step, too: it reads no hop file.
  func raised(
    _ findings: [Finding],
    into model: ManagedObjectModel,
    isApps: Bool = true
  ) -> [Finding] {
    findings.map { finding in
      guard finding.severity > .note,
        let advice = advice(on: finding, into: model, isApps: isApps)
      else { return finding }
      var finding = finding
      finding.severity = .error
      finding.risk = max(finding.risk ?? .exact, .conditional)
      finding.advice = "\(finding.advice) \(advice)"
      return finding
    }
  }

  /// Returns the findings of a lint on versions, with losses as errors: a missing identifier is the app's
  /// loss as soon as the app opens old stores with that version, whether or not users have stores of the same
  /// hashes.
  func raised(lint findings: [Finding], on model: VersionedModel) -> [Finding] {
    findings.flatMap { finding -> [Finding] in
      guard let version = model.versions.first(where: { $0.name == finding.place.version }),
        !known.contains(version.qualifiedName),
        // An app that goes version by version has the identifier of each.
        isStraight && reliance.includesApp || finding.code != .canonicalNamesDisagree
      else { return [finding] }
      return raised([finding], into: version.model)
    }
  }

  /// Returns the advice on accepting a finding; nil for one without a loss.
  private func advice(
    on finding: Finding,
    into model: ManagedObjectModel,
    isApps: Bool
  ) -> String? {
    let mayPass = "accept it with a reason in waystone.yml."
    if finding.risk.map({ $0 >= .lossy }) == true { return "If the loss is meant, \(mayPass)" }
    // A mapping that reads a property of some objects only drops that of the others.
    if finding.risk == .conditional, finding.code.has(.drop) {
      return "If the loss is meant, \(mayPass)"
    }
    // Links without room go in a run, too, once the user accepts it.
    guard
      isApps && reliance.includesApp
        || finding.code == .becomesToOne && finding.risk == .conditional
    else {
      return nil
    }
    switch finding.code {
    case _ where finding.code.has(.identifierDispute):
      return "If the app keeps the data in a trial, \(mayPass)"
    case .requiredWithoutDefault where finding.effectInApp != nil:
      return "If Waystone alone migrates the stores, set `relies-on: waystone` in waystone.yml."
    // The rows are gone from a store that has one configuration's entities alone.
    case .configurationChanged: return "If the app has no such store, \(mayPass)"
    case .countsTightened:
      // The app keeps rows of a to-many that do not fit, until they are saved.
      let property = finding.place.entity.flatMap { entity in
        finding.place.property.flatMap { model.property($0, of: entity)?.property }
      }
      guard property?.relationship?.isToMany == false else { return nil }
      return "If all rows fit, \(mayPass)"
    default: return finding.effectInApp == nil ? nil : "If all rows fit, \(mayPass)"
    }
  }

  /// Returns the losses, certain or possible, of a model's inferred and authored steps into new versions, and
  /// of new versions that have the hashes of another, so that stores go from one to the other without a step.
  ///
  /// The app's losses for want of an identifier are left out here; they are reported at each version that the
  /// app opens.
  ///
  /// - Parameter last: The version up to which steps count.
  func findings(
    in graph: VersionGraph,
    upTo last: VersionGroup,
    app: AppMigration
  ) -> [Finding] {
    let steps = (graph.consecutiveEdges + graph.revertedSteps).filter { edge in
      // A store whose version no archive has is no evidence about the project's own steps.
      edge.destination <= last.index && isNew(edge, in: graph)
        && !graph.nodes[edge.source].isRecovered
    }
    .flatMap { findings(on: $0, in: graph) + findings(of: app, on: $0) }
    func place(_ finding: Finding) -> [String?] {
      [finding.code.rawValue, finding.place.version, finding.place.subject]
    }
    let reported = Set(steps.map(place))
    let model = graph.versionedModel
    let reached = Set(model.versions.prefix { $0.name != last.name }.map(\.name) + [last.name])
    func isOpen(_ finding: Finding) -> Bool {
      finding.severity == .error && finding.code != .canonicalNamesDisagree
        && finding.place.version.map(reached.contains) ?? true
    }
    let edits = ModelLint.findingsBetweenEqualVersions(of: model)
      .filter { $0.severity < .error && !reported.contains(place($0)) }
    return (steps + raised(lint: edits, on: model)).filter(isOpen)
  }

  /// Returns the possible losses of the app's own step into a new version, as errors, where Waystone takes a
  /// hop file, which the app does not read.
  ///
  /// Steps that the app fails at, or whose outcome is unknown, are reported elsewhere; and so are data that a
  /// hop file carries and the app drops.
  func findings(of app: AppMigration, on edge: VersionGraph.Edge) -> [Finding] {
    let version = app.graph.arrival(of: edge)
    guard isNew(version), edge.origins.contains(where: { $0.form == .hopFile }) else { return [] }
    let own = app.inferred(edge)
    guard reliance.includesApp, !own.isRefused, own.kind != .extended else { return [] }
    let files = edge.origins.filter { $0.form == .hopFile }.map(\.fileName)
    // Values that differ from the hop file's are reported as such.
    let nodes = app.graph.nodes
    let reported = Set(
      app.outcome(from: nodes[edge.source], to: nodes[edge.destination]).findings
        .filter { $0.code == .appLosesSilently }.map(\.place.subject)
    )
    let asking = own.findings
      .filter { $0.effectInApp != nil && !reported.contains($0.place.subject) }
      .map { $0.placed(in: version.name) }
    return raised(asking, into: version.model).filter { $0.severity == .error }.map { finding in
      var finding = finding
      finding.statement += " The app does not read \(files.joined(separator: ", "))."
      return finding
    }
  }

  /// Returns the findings on a step into a new version, placed at that version, with losses as errors.
  func findings(on edge: VersionGraph.Edge, in graph: VersionGraph) -> [Finding] {
    let version = graph.arrival(of: edge)
    let findings = edge.findings.map { $0.placed(in: version.name) }
    let isApps = edge.origins.allSatisfy { $0.form != .hopFile }
    return isNew(edge, in: graph) ? raised(findings, into: version.model, isApps: isApps) : findings
  }
}

extension Finding {
  /// Whether it names what a step loses, or may lose, and fails for it.
  package var isLoss: Bool { severity == .error && risk.map { $0 >= .conditional } == true }

  /// Whether it reports that stores of a version cannot be migrated at all.
  fileprivate var isStranded: Bool { code == .shippedVersionStranded && severity == .error }
}

extension [Finding] {
  /// Unknown orders first, then the versions without a path, the losses, errors, warnings and notes,
  /// each in the order in which they were.
  package var worstFirst: [Finding] {
    let rest = filter { !$0.isLoss && !$0.isStranded && !$0.leavesOrderOpen }
    let bySeverity = Finding.Severity.allCases.reversed().flatMap { severity in
      rest.filter { $0.severity == severity }
    }
    return filter(\.leavesOrderOpen) + filter(\.isStranded) + filter(\.isLoss) + bySeverity
  }
}
