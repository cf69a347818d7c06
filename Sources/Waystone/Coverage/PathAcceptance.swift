internal import MigrationPlanning
internal import ObjectModel

/// What a project accepts of one path.
struct PathAcceptance {
  /// What `waystone.yml` accepts.
  let acceptances: [Configuration.Acceptance]
  let path: CoverageReport.Path
  /// The model's part, with its versions and steps.
  let part: ModelCoverage
  let names: VersionNames

  /// Why a finding may pass; nil where nobody accepts it.
  ///
  /// That a version does not arrive is accepted where each of its causes is: by the code and place that
  /// ``Project/check(_:)`` tells of.
  func reason(_ finding: Finding) -> String? {
    if let own = acceptances.first(where: { $0.fits(finding) }) { return own.reason }
    if finding.code == .appLosesSilently { return identifierReason(finding) }
    let causes = path.causes(of: finding)
    guard !causes.isEmpty, !acceptances.isEmpty else { return nil }
    var reasons: [String] = []
    for cause in causes {
      let found = self.reasons(cause, of: finding)
      guard !found.isEmpty else { return nil }
      for reason in found where !reasons.contains(reason) { reasons.append(reason) }
    }
    return reasons.joined(separator: " ")
  }

  /// Why a loss may pass whose cause is a renaming identifier that a version on the way lacks.
  private func identifierReason(_ loss: Finding) -> String? {
    let graph = part.graph
    let nodes = graph.order.between(path.source, path.destination).filter { $0 != path.source }
    var cause = loss
    cause.code = .canonicalNamesDisagree
    for version in nodes.flatMap({ graph.nodes[$0].versions }) {
      cause.place.version = names.name(of: version)
      if let own = acceptances.first(where: { $0.fits(cause) }) { return own.reason }
    }
    return nil
  }

  /// The causes of a finding that nobody accepts, each with what to accept: at the version, and by
  /// the code, that `check` tells of, too.
  func openCauses(of finding: Finding) -> [(cause: Finding, accepted: Finding)] {
    path.causes(of: finding).flatMap { cause in
      placed(cause).filter { acceptance(of: $0.finding, in: finding) == nil }.map { placed in
        var accepted = placed.finding
        if let step = placed.step, isStranded(step, finding) {
          accepted.code = .shippedVersionStranded
          if finding.code == .shippedWithoutPath { accepted.change = Finding.noPath }
        }
        return (cause, accepted)
      }
    }
  }

  /// Whether a step keeps versions from getting on: in Waystone, or in an app that does not read
  /// its files.
  private func isStranded(_ step: VersionGraph.Edge, _ finding: Finding) -> Bool {
    step.isRefused
      || finding.code == .appFails && step.origins.contains { !$0.form.isCoreData }
  }

  /// Why a cause may pass, at each step that has it; none where one of them is not accepted.
  private func reasons(_ cause: Finding, of finding: Finding) -> [String] {
    let found = placed(cause).map { acceptance(of: $0.finding, in: finding)?.reason }
    return found.contains(nil) ? [] : found.compactMap(\.self)
  }

  /// A cause at the version of each step that has it; at its own where none has.
  ///
  /// A cause of a way over several versions is told of its last one. What people accept is told of the step.
  private func placed(_ cause: Finding) -> [(step: VersionGraph.Edge?, finding: Finding)] {
    let graph = part.graph
    let steps = graph.walkEdges(from: path.source, to: path.destination).filter { step in
      part.causes(at: step).contains {
        $0.code == cause.code && $0.place.subject == cause.place.subject
      }
    }
    guard !steps.isEmpty else { return [(nil, cause)] }
    return steps.map { step in
      var placed = cause
      placed.place.version = names.name(of: graph.arrival(of: step))
      return (step, placed)
    }
  }

  /// What accepts a cause at its version, by the code of its own or as what keeps versions from getting on.
  ///
  /// That there is no path at all is more than that the app has none, and has to be accepted as that.
  private func acceptance(of cause: Finding, in finding: Finding) -> Configuration.Acceptance? {
    var stranded = cause
    stranded.code = .shippedVersionStranded
    stranded.change = Finding.noPath
    let isOfApp = finding.code != .shippedWithoutPath
    return acceptances.first { acceptance in
      acceptance.fits(cause) || acceptance.fits(stranded)
        || isOfApp && acceptance.change == nil && acceptance.fitsPlace(of: stranded)
    }
  }
}
