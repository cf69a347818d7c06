import ObjectModel

/// The versions between a source and a destination, with the edges that a path search may use.
///
/// Positions count from the source, so a downgrade is searched like an upgrade.
struct SearchSpace {
  let graph: VersionGraph
  let options: PlanningOptions
  let nodes: VersionSlice
  let survey: EdgeCache
  /// The answers of the store's rows, where the plan is for a store.
  let evidence: StoreEvidence?
  /// The branches that the options choose where several meet.
  let choice: BranchChoice
  private let wishes: PathConstraints
  /// The ``reachableBySteps`` positions, where the options follow the history.
  private var isReachable: [[Bool]] = []

  /// Makes a search space.
  ///
  /// - Throws: ``PlanningError`` where the options name a version that is not between the two.
  init(
    graph: VersionGraph,
    survey: EdgeCache?,
    nodes: VersionSlice,
    options: PlanningOptions,
    evidence: StoreEvidence? = nil
  ) throws(PlanningError) {
    self.graph = graph
    self.options = options
    self.evidence = evidence
    self.nodes = nodes
    wishes = try PathConstraints(options, nodes, graph)
    choice = wishes.choice(among: nodes)
    // A survey made before knows of no choice between branches.
    if let survey, graph.order.isLine || choice.isEmpty {
      self.survey = survey
    } else {
      self.survey = graph.survey(choice)
    }
    if options.followsHistory { isReachable = reachableBySteps }
  }

  /// Makes the search space from the first version of a line to another, with options that name no
  /// version.
  init(graph: VersionGraph, survey: EdgeCache, through last: Int, options: PlanningOptions) {
    self.graph = graph
    self.options = options
    self.survey = survey
    evidence = nil
    nodes = VersionSlice(graph, Array(0...last))
    wishes = PathConstraints()
    choice = BranchChoice()
  }

  /// The versions where it begins and ends.
  var ends: (source: VersionGroup, destination: VersionGroup) {
    (nodes[0], nodes[nodes.count - 1])
  }

  /// Returns the edge between two positions, as far as the data is known.
  func entry(_ source: Int, _ destination: Int) -> EdgeSummary? {
    guard var entry = survey.entry(from: nodes[source].index, to: nodes[destination].index) else {
      return nil
    }
    evidence?.refine(&entry)
    return entry
  }

  /// Returns the cost of an edge, preferences included.
  func cost(_ source: Int, _ destination: Int, _ entry: EdgeSummary) -> PlanCost {
    var cost = entry.cost
    cost.neglectedPreferences = wishes.neglected(by: source, destination)
    return cost
  }

  /// Returns the reason why the options exclude an edge that exists; nil where they allow it.
  func barrier(
    _ source: Int,
    _ destination: Int,
    _ entry: EdgeSummary
  ) -> Barrier? {
    if let barrier = wishBarrier(source, destination) { return barrier }
    switch entry.verdict {
    case .notEquivalent where !wishes.accepts(source, destination): return .notEquivalent
    case .unknown where !options.acceptUnknown: return .unknown
    default: break
    }
    switch options.acceptLoss {
    case .none where entry.risks.lossy + entry.risks.undeclared + entry.risks.used > 0: return .loss
    case .declared where entry.risks.undeclared > 0: return .loss
    default: return nil
    }
  }

  /// Returns the reason why the options exclude an edge, independent of its effects.
  private func wishBarrier(_ source: Int, _ destination: Int) -> Barrier? {
    if let barrier = wishes.barrier(source, destination) { return barrier }
    guard options.followsHistory,
      !graph.order.isStep(nodes[source].index, nodes[destination].index),
      isReachable[source][destination]
    else { return nil }
    return .history
  }

  /// Returns a lower bound on an edge's cost, before it is evaluated.
  ///
  /// - Returns: Nil where the edge must be evaluated; no cost where it is certain that it may not be
  ///   taken.
  func estimate(
    _ source: Int,
    _ destination: Int,
    _ scope: LazyPathSearch.Scope
  ) -> (cost: PlanCost?, isCertain: Bool)? {
    if scope == .allowed, wishBarrier(source, destination) != nil { return (nil, true) }
    let (first, last) = (nodes[source].index, nodes[destination].index)
    guard first < last, let bound = survey.bound(from: first, to: last) else { return nil }
    switch bound.verdict {
    case .refused: return (nil, true)
    case .notEquivalent where scope == .allowed && !wishes.accepts(source, destination):
      return (nil, true)
    case .unknown where scope == .allowed && !options.acceptUnknown: return (nil, true)
    case .open, .notEquivalent, .unknown: break
    }
    let risks = evidence?.leastRisks(from: first, to: last) ?? bound.risks
    var cost = bound.leastCost(over: last - first, risks)
    if scope == .allowed, options.acceptLoss == .none, cost.lossyFindings > 0 { return (nil, true) }
    cost.neglectedPreferences = wishes.neglected(by: source, destination)
    return (cost, false)
  }

  /// Returns the cost of an edge; nil where it does not exist, or may not be taken.
  func cost(_ source: Int, _ destination: Int, _ scope: LazyPathSearch.Scope) -> PlanCost? {
    guard let entry = entry(source, destination), !entry.isRefused else { return nil }
    if scope == .allowed, barrier(source, destination, entry) != nil { return nil }
    return cost(source, destination, entry)
  }

  /// A reason why the options exclude an edge.
  enum Barrier: Hashable {
    case via(String)
    case avoided(String)
    case history
    case notEquivalent
    case unknown
    case loss
  }

  /// A row for each position: whether existing steps lead to each other one.
  ///
  /// The store's rows change nothing about the ends of edges.
  private var reachableBySteps: [[Bool]] {
    var steps = [[Int]](repeating: [], count: nodes.count)
    for source in nodes.indices {
      for next in nodes.indices.dropFirst(source + 1)
      where graph.order.isStep(nodes[source].index, nodes[next].index) {
        let edge = survey.entry(from: nodes[source].index, to: nodes[next].index)
        if edge?.isRefused == false { steps[source].append(next) }
      }
    }
    return nodes.indices.map { source in
      var isReached = [Bool](repeating: false, count: nodes.count)
      isReached[source] = true
      for place in source..<nodes.count where isReached[place] {
        for next in steps[place] { isReached[next] = true }
      }
      return isReached
    }
  }

  /// Returns the hops of the least path that the options allow.
  ///
  /// - Parameter searches: A cache of the searches of other plans, which may contain this one.
  func hops(_ searches: PathSearchCache? = nil) throws(PlanningError) -> [Hop] {
    if let conflict { throw disagreement(conflict) }
    if let searches, isPart {
      let (first, last) = (ends.source.index, ends.destination.index)
      switch searches.answer(from: first, to: last, options) {
      case .allowed(let path): return hops(along: path.map { $0 - first }, known: searches)
      case .possible(let path): throw notAllowed(path.map { $0 - first })
      case .none(let furthest): throw unreachable(furthest - first)
      }
    }
    var search = LazyPathSearch(self, .allowed)
    if let path = search.cheapestPath() { return least(path, &search) }
    var possible = LazyPathSearch(self, .possible)
    if let path = possible.cheapestPath() { throw notAllowed(path) }
    throw unreachable(search.furthestPosition())
  }

  /// Whether a search from the first version of all finds the same path.
  private var isPart: Bool {
    evidence == nil && graph.order.isLine && ends.source.index <= ends.destination.index
      && !options.namesVersions && !options.followsHistory
  }

  /// Returns the hops of the least path by their own effects on the rows; the search compared the
  /// effects after the history.
  private func least(_ path: [Int], _ search: inout LazyPathSearch) -> [Hop] {
    var best = hops(along: path)
    guard evidence != nil, best.cost != search.cheapestPaths(1).first?.cost else { return best }
    let paths = search.cheapestPaths(Self.candidateCount).map(\.positions)
    for other in paths + [[0, nodes.count - 1], history]
    where other != path && exists(other, allowed: true) {
      let made = hops(along: other)
      if made.cost < best.cost { best = made }
    }
    return best
  }

  /// The number of paths that are compared by the effects of their own hops on the rows.
  private static let candidateCount = 8

  /// Returns whether all edges of a path exist.
  ///
  /// - Parameter allowed: Whether the options must allow them too.
  func exists(_ path: [Int], allowed: Bool) -> Bool {
    zip(path, path.dropFirst()).allSatisfy { source, destination in
      guard let entry = entry(source, destination), !entry.isRefused else { return false }
      return !allowed || barrier(source, destination, entry) == nil
    }
  }

  /// Asks the rows about the edges of some paths; returns whether a cost changed.
  func learn(_ paths: [[Int]]) -> Bool {
    guard let evidence else { return false }
    return paths.reduce(false) { hasLearned, path in
      let steps = zip(path, path.dropFirst()).filter { entry($0, $1)?.isRefused == false }
      return evidence.learn(steps.map { (nodes[$0], nodes[$1]) }) || hasLearned
    }
  }

  /// Returns the least paths over all edges that exist, whether or not the options allow them.
  func possiblePaths(_ limit: Int) -> [ShortestPaths.Path] {
    var search = LazyPathSearch(self, .possible)
    return search.cheapestPaths(limit)
  }

  /// Returns the hops along a path; edges that do not exist are left out.
  ///
  /// - Parameter searches: The searches whose plans had some of these hops.
  func hops(along path: [Int], known searches: PathSearchCache? = nil) -> [Hop] {
    var composed =
      evidence == nil ? nil : path.first.map { ComposedMapping(identityOf: nodes[$0].model) }
    return zip(path, path.dropFirst()).compactMap { source, destination in
      if let known = searches?.hop(from: nodes[source], to: nodes[destination]) { return known }
      let edge = graph.edge(from: nodes[source], to: nodes[destination])
      guard var entry = entry(source, destination), let mapping = edge.mapping else { return nil }
      var findings = edge.findings
      var size: HopSize?
      if let evidence {
        // The mapping of the hops before it, which may differ from the history.
        findings = evidence.findings(of: edge, after: composed)
        size = evidence.size(of: edge, after: composed)
        entry.risks = RiskCounts(of: findings)
        entry.estimatedBytes = Int(clamping: size?.bytes ?? 0)
        composed = graph.composedMapping(of: edge).flatMap { composed?.then($0) }
      }
      let hop = Hop(
        source: nodes[source],
        destination: nodes[destination],
        kind: edge.kind,
        mapping: mapping,
        findings: graph.findings(of: entry.verdict, on: edge) + findings,
        reason: reason(source, destination, edge, entry),
        cost: cost(source, destination, entry),
        origins: edge.origins,
        size: size
      )
      searches?.keep(hop)
      return hop
    }
  }

  /// Returns a sentence on why a plan takes an edge.
  private func reason(
    _ source: Int,
    _ destination: Int,
    _ edge: VersionGraph.Edge,
    _ entry: EdgeSummary
  ) -> String {
    let (first, last) = (nodes[source], nodes[destination])
    if entry.isConsecutive {
      if first.isRecovered {
        return "The store's version is recovered from the store; \(last.name) is the version that "
          + "it reaches with the least loss."
      }
      let reason = "\(first.name) and \(last.name) are consecutive versions"
      return edge.origins.isEmpty ? "\(reason)." : "\(reason); \(edge.fileNames) says how."
    }
    if first.isRecovered, entry.verdict == .equivalent {
      return
        "The store's version is recovered from the store; from there the edge does the same as the "
        + "path through \(between(source, destination).first.map { graph.nodes[$0].name } ?? "")."
    }
    if edge.kind == .authored {
      return "\(edge.fileNames) leads straight from \(first.name) to \(last.name)."
    }
    let between = between(source, destination)
    let names =
      between.count > 3
      ? "the \(between.count) versions between"
      : between.map { graph.nodes[$0].name }.joined(separator: ", ")
    switch entry.verdict {
    case .unknown(.missingStep(let from, let to)):
      return "No edge leads from \(graph.nodes[from].name) to \(graph.nodes[to].name); this one "
        + "passes over the step."
    case .unknown:
      return "It is accepted although it is unknown whether it does the same as the history."
    case .notEquivalent:
      return "It is accepted although it does not do the same as the path through \(names)."
    case .equivalent, nil: return "It does the same as the path through \(names)."
    }
  }
}
