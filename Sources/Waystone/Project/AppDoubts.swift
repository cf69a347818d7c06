internal import MigrationPlanning
internal import ObjectModel

/// The steps into new versions where the app's behaviour is unknown, or where the app alone loses data
/// because it does not read the files that define the step.
struct AppDoubts {
  let graph: VersionGraph
  /// The simulation of the app itself.
  let app: AppMigration
  /// Whether no user can have stores of a version, so that it may still be edited.
  let isNew: (ModelVersion) -> Bool

  /// Returns the findings, as severe as those of ``Project/coverage(_:)`` on the same step.
  ///
  /// Where changes of the step are the reason, each is reported at its own place, where an acceptance of it
  /// counts for both.
  ///
  /// - Parameter reported: The indexes of the versions of steps that are reported as impossible already.
  /// - Complexity: O(*n*) in the steps into new versions, as many searches as there are mappings.
  func findings(besides reported: Set<[Int]>) -> [Finding] {
    graph.consecutiveEdges.filter { edge in
      isNew(graph.arrival(of: edge)) && !reported.contains([edge.source, edge.destination])
        // With stages, an app need not stop at a version before its current one.
        && (!app.hasStages || edge.destination == graph.currentNode?.index)
    }
    .flatMap(findings(on:))
  }

  private func findings(on edge: VersionGraph.Edge) -> [Finding] {
    let outcome = app.outcome(
      from: graph.nodes[edge.source],
      to: graph.nodes[edge.destination]
    )
    switch outcome.kind {
    case .arrives, .otherDefaults, .keeps, .fails: return []
    // Losses by Renaming IDs are reported at these.
    case .loses:
      return edge.origins.isEmpty ? [] : outcome.findings.map { placed($0, on: edge) }
    case .unknown: break
    }
    // Doubts about names have a place, and are reported there already.
    guard
      let doubt = outcome.findings.first(where: {
        $0.code == .appOutcomeUnknown && $0.place.entity == nil
      })
    else { return [] }
    let causes = outcome.findings.filter { $0.code != .appOutcomeUnknown }
    return causes.isEmpty ? [placed(doubt, on: edge)] : causes.map { joined($0, doubt, on: edge) }
  }

  /// Returns a finding on the app's outcome for a store of the step's source, placed in the file that may be
  /// edited.
  private func placed(_ finding: Finding, on edge: VersionGraph.Edge) -> Finding {
    var finding = finding
    finding.place.file = graph.arrival(of: edge).contentsPath
    return finding
  }

  /// Returns a finding on a change of the step that makes the app's outcome unknown.
  private func joined(
    _ cause: Finding,
    _ doubt: Finding,
    on edge: VersionGraph.Edge
  ) -> Finding {
    var finding = cause.placed(in: graph.arrival(of: edge).name)
    finding.severity = doubt.severity
    finding.risk = max(cause.risk ?? .exact, .unknown)
    finding.statement +=
      " What the app does with stores of \(version: graph.nodes[edge.source].name) is unknown."
    // Advice that nothing needs to be done holds for Waystone alone.
    finding.advice =
      cause.severity > .note ? "\(cause.advice) \(doubt.advice)" : doubt.advice
    return finding
  }
}
