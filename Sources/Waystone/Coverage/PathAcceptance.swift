internal import MigrationPlanning
internal import ObjectModel

/// The acceptances of a project that apply to one path.
struct PathAcceptance {
  /// The acceptances of `waystone.yml`.
  let acceptances: [Configuration.Acceptance]
  let path: CoverageReport.Path
  /// The model's part, with its versions and steps.
  let part: ModelCoverage
  let names: VersionNames

  /// Returns a finding with the reason for which it may pass; nil where it is not accepted.
  ///
  /// A finding that a version does not arrive is accepted where each of its causes is: by the code and place
  /// that ``Project/check(_:)`` reports. The refusal of a store's run is never accepted here: an acceptance
  /// is of the models, and the run would stop all the same.
  func accepted(_ finding: Finding) -> AcceptedFinding? {
    guard !path.refusals.contains(finding) else { return nil }
    if let own = acceptances.first(where: { $0.fits(finding) }) {
      return AcceptedFinding(finding: finding, reason: own.reason)
    }
    if finding.code == .appLosesSilently {
      return lostIdentifier(finding).map { Self.accepted(finding, by: [$0]) }
    }
    let causes = path.causes(of: finding)
    guard !causes.isEmpty, !acceptances.isEmpty else { return nil }
    var found: [Configuration.Acceptance] = []
    for cause in causes {
      let own = placed(cause).map { acceptance(of: $0.finding, in: finding) }
      guard !own.isEmpty, !own.contains(nil) else { return nil }
      found += own.compactMap(\.self)
    }
    return Self.accepted(finding, by: found)
  }

  /// Returns a finding with the acceptances of its causes.
  private static func accepted(
    _ finding: Finding,
    by acceptances: [Configuration.Acceptance]
  ) -> AcceptedFinding {
    func joined(_ texts: [String], _ separator: String) -> String {
      var seen: Set<String> = []
      return texts.filter { seen.insert($0).inserted }.joined(separator: separator)
    }
    return AcceptedFinding(
      finding: finding,
      reason: joined(acceptances.map(\.reason), " "),
      entry: joined(acceptances.map(\.text), ", ")
    )
  }

  /// Returns the acceptance of a loss whose cause is a renaming identifier that a version on the path lacks.
  private func lostIdentifier(_ loss: Finding) -> Configuration.Acceptance? {
    if acceptances.isEmpty { return nil }
    let graph = part.graph
    let nodes = graph.order.between(path.source, path.destination).filter { $0 != path.source }
    var cause = loss
    cause.code = .canonicalNamesDisagree
    for version in nodes.flatMap({ graph.nodes[$0].versions }) {
      cause.place.version = names.name(of: version)
      if let own = acceptances.first(where: { $0.fits(cause) }) { return own }
    }
    return nil
  }

  /// Returns the causes of a finding that are not accepted, each with the finding to accept: at the version,
  /// and by the code, that `check` reports too.
  func openCauses(of finding: Finding) -> [(cause: Finding, accepted: Finding)] {
    path.causes(of: finding).flatMap { cause in
      placed(cause).filter { acceptance(of: $0.finding, in: finding) == nil }.map { placed in
        var accepted = placed.finding
        // A cause of no single step concerns the app, which takes several at once.
        if placed.step.map({ isStranded($0, finding) }) ?? (finding.code == .appFails) {
          accepted.code = .shippedVersionStranded
          if finding.code == .shippedWithoutPath { accepted.change = Finding.noPath }
        }
        return (cause, accepted)
      }
    }
  }

  /// Returns whether a step keeps versions from getting on: in Waystone, or in an app that does not read its
  /// files.
  private func isStranded(_ step: VersionGraph.Edge, _ finding: Finding) -> Bool {
    step.isRefused
      || finding.code == .appFails && step.origins.contains { !$0.form.isCoreData }
  }

  /// Returns a cause at the version of each step that has it; at its own where none has.
  ///
  /// A cause of an edge over several versions is reported at the last one. The finding to accept is that of
  /// the step.
  private func placed(_ cause: Finding) -> [(step: VersionGraph.Edge?, finding: Finding)] {
    let graph = part.graph
    let steps = part.steps(reporting: cause, from: path.source, to: path.destination)
    guard !steps.isEmpty else { return [(nil, cause)] }
    return steps.map { step in
      var placed = cause
      // The app goes to its own model, which may have lost a Renaming ID that the history's version has.
      let isOfApp =
        cause.disputesIdentifier && step.destination == path.destination
        && !step.findings.contains {
          $0.code == cause.code && $0.place.subject == cause.place.subject
        }
      placed.place.version = names.name(
        of: isOfApp ? graph.nodes[step.destination].appVersion : graph.arrival(of: step)
      )
      return (step, placed)
    }
  }

  /// Returns the acceptance of a cause at its version, by its own code or as the reason why versions do
  /// not arrive.
  ///
  /// The absence of any path is more than its absence in the app, and has to be accepted by itself.
  private func acceptance(of cause: Finding, in finding: Finding) -> Configuration.Acceptance? {
    var stranded = cause
    stranded.code = .shippedVersionStranded
    stranded.change = Finding.noPath
    let isOfApp = finding.code != .shippedWithoutPath
    return acceptances.first { acceptance in
      acceptance.fits(stranded)
        || isOfApp
          && (acceptance.fits(cause)
            || acceptance.change == nil && acceptance.fitsPlace(of: stranded))
    }
  }
}

extension CoverageReport.Path {
  /// Adds to each refusal that an acceptance fits that the acceptance does not lift it.
  mutating func sayWhatAcceptanceLacks(_ acceptances: [Configuration.Acceptance]) {
    for refusal in refusals.indices {
      let finding = refusals[refusal]
      guard let own = acceptances.first(where: { $0.fits(finding) }) else { continue }
      refusals[refusal].advice +=
        " `accept: \(own.code.rawValue)` in waystone.yml lets the models pass, and not the rows of this store."
      for index in findings.indices where findings[index] == finding {
        findings[index] = refusals[refusal]
      }
    }
  }
}
