import ObjectModel

/// The nodes between a source and a destination, and the edges that a plan could take there.
///
/// Positions count from the source, so that a downgrade is a route like any other.
struct Route {
  private let graph: VersionGraph
  private let nodes: [VersionNode]
  private var edges: [Candidate]

  /// An edge between two positions.
  private struct Candidate {
    let source: Int
    let destination: Int
    let edge: VersionGraph.Edge
    let findings: [Finding]
    let reason: String

    /// How many consecutive steps it passes over without being one itself or saying what it means.
    var bypassed: Int {
      destination - source == 1 || edge.kind == .authored ? 0 : destination - source
    }

    var cost: PlanCost {
      var cost = PlanCost()
      cost.hops = 1
      cost.undecided = bypassed
      cost.undeclaredLosses = findings.count { $0.risk == .undeclared }
      cost.unknownPreconditions = findings.count { $0.risk == .conditional }
      cost.lossyFindings = findings.count { $0.risk == .lossy }
      return cost
    }

    /// What the options have against it; nothing where they allow it.
    func objections(_ options: PlanningOptions) -> [Finding] {
      findings.filter { finding in
        switch options.acceptLoss {
        case _ where finding.code == .undecidedShortcut: !options.acceptUndecided
        case .none: finding.risk.map { $0 >= .lossy } ?? false
        case .declared: finding.risk == .undeclared
        case .any: false
        }
      }
    }
  }

  init(graph: VersionGraph, source: Int, destination: Int) {
    self.graph = graph
    let step = destination < source ? -1 : 1
    nodes = stride(from: source, through: destination, by: step).map { graph.nodes[$0] }
    edges = []
    for position in nodes.indices.dropLast() {
      let edge = graph.edge(from: nodes[position], to: nodes[position + 1])
      edges.append(
        Candidate(
          source: position,
          destination: position + 1,
          edge: edge,
          findings: edge.findings,
          reason: Self.reason(nodes[position], nodes[position + 1], edge)
        )
      )
    }
  }

  private static func reason(
    _ source: VersionNode,
    _ destination: VersionNode,
    _ edge: VersionGraph.Edge
  ) -> String {
    if source.isRecovered {
      return "The store's version is recovered from the store; \(destination.name) is the version "
        + "that it reaches with the least loss."
    }
    let reason = "\(source.name) and \(destination.name) are consecutive versions"
    return edge.origins.isEmpty ? "\(reason)." : "\(reason); \(edge.fileNames) says how."
  }

  /// Adds the edges that people wrote over several steps, and those that pass over a consecutive
  /// step without edge.
  mutating func addLongerEdges() {
    let blocked = edges.filter(\.edge.isRefused).map(\.source)
    for source in nodes.indices {
      let first = blocked.first { $0 >= source }
      for destination in nodes.indices where destination > source + 1 {
        if graph.hasAuthoredEdge(from: nodes[source], to: nodes[destination]) {
          edges.append(authoredEdge(source, destination))
        } else if let first, destination > first {
          edges.append(longerEdge(source, destination, over: first))
        }
      }
    }
  }

  private func authoredEdge(_ source: Int, _ destination: Int) -> Candidate {
    let edge = graph.edge(from: nodes[source], to: nodes[destination])
    return Candidate(
      source: source,
      destination: destination,
      edge: edge,
      findings: edge.findings,
      reason: "\(edge.fileNames) leads straight from \(nodes[source].name) to "
        + "\(nodes[destination].name)."
    )
  }

  private func longerEdge(_ source: Int, _ destination: Int, over step: Int) -> Candidate {
    let edge = graph.edge(from: nodes[source], to: nodes[destination])
    let gap = "\(nodes[step].name) to \(nodes[step + 1].name)"
    let finding = Finding(
      .undecidedShortcut,
      .warning,
      at: Finding.Place(version: nodes[destination].name),
      message: "The edge from \(nodes[source].name) to \(nodes[destination].name) passes over the "
        + "step from \(gap), which has none: whether it means the same is undecided.",
      remedy: "Write a mapping for the step from \(gap), or accept undecided edges."
    )
    return Candidate(
      source: source,
      destination: destination,
      edge: edge,
      findings: [finding] + edge.findings,
      reason: "No edge leads from \(gap); this one passes over the step."
    )
  }

  /// The hops of the least path that the options allow.
  func hops(options: PlanningOptions) throws(PlanningError) -> [Hop] {
    let allowed = edges.filter { !$0.edge.isRefused && $0.objections(options).isEmpty }
    if let path = search(allowed).cheapestPath() { return hops(along: path) }
    let possible = edges.filter { !$0.edge.isRefused }
    if let path = search(possible).cheapestPath() { throw notAllowed(path, options) }
    throw unreachable(search(allowed).furthestPosition(), options)
  }

  private func search(_ candidates: [Candidate]) -> PathSearch {
    PathSearch(
      count: nodes.count,
      steps: candidates.map {
        PathSearch.Step(source: $0.source, destination: $0.destination, cost: $0.cost)
      }
    )
  }

  private func candidate(_ source: Int, _ destination: Int) -> Candidate? {
    edges.first { $0.source == source && $0.destination == destination }
  }

  private func hops(along path: [Int]) -> [Hop] {
    zip(path, path.dropFirst()).compactMap { source, destination in
      guard let candidate = candidate(source, destination), let mapping = candidate.edge.mapping
      else { return nil }
      return Hop(
        source: nodes[source],
        destination: nodes[destination],
        kind: candidate.edge.kind,
        mapping: mapping,
        findings: candidate.findings,
        reason: candidate.reason,
        cost: candidate.cost,
        origins: candidate.edge.origins
      )
    }
  }

  private func notAllowed(_ path: [Int], _ options: PlanningOptions) -> PlanningError {
    let barred = zip(path, path.dropFirst()).compactMap { candidate($0, $1) }
      .filter { !$0.objections(options).isEmpty }
    let steps = barred.map { blocked($0, $0.objections(options)) }
    let isUndecided = steps.contains { $0.reasons.contains { $0.code == .undecidedShortcut } }
    let isLossy = steps.contains { $0.reasons.contains { $0.code != .undecidedShortcut } }
    let wanted = [isUndecided ? "undecided edges" : nil, isLossy ? "loss" : nil]
      .compactMap { $0 }.joined(separator: " and ")
    return PlanningError(
      .notAllowed,
      message: "The only way from \(nodes.first?.label ?? "") to \(nodes.last?.label ?? "") has "
        + "\(wanted), which the options do not accept.",
      recovery: "Accept \(wanted), or write mappings for the steps named.",
      blockedSteps: steps
    )
  }

  private func unreachable(_ furthest: Int, _ options: PlanningOptions) -> PlanningError {
    let next = edges.filter { $0.source == furthest }.sorted { $0.destination < $1.destination }
    let steps = next.map {
      blocked($0, $0.edge.isRefused ? $0.edge.refusals : $0.objections(options))
    }
    let step = steps.first.map { "the step from \($0.source) to \($0.destination)" } ?? "that step"
    return PlanningError(
      .unreachable(furthest: nodes[furthest].name),
      message: "No path leads from \(nodes.first?.label ?? "") to \(nodes.last?.label ?? ""); "
        + "the furthest version within reach is \(nodes[furthest].label).",
      recovery: "Write a mapping for \(step), or name \(nodes[furthest].name) as the destination.",
      blockedSteps: steps
    )
  }

  private func blocked(_ candidate: Candidate, _ reasons: [Finding]) -> PlanningError.BlockedStep {
    PlanningError.BlockedStep(
      source: nodes[candidate.source].name,
      destination: nodes[candidate.destination].name,
      reasons: reasons
    )
  }
}

extension VersionGraph.Edge {
  /// The names of the files that it comes from, for sentences.
  fileprivate var fileNames: String { origins.map(\.fileName).joined(separator: ", ") }
}
