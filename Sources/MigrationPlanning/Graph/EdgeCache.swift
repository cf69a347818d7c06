import ObjectModel
import Synchronization

/// A cache of edge summaries (verdict, risks, refusals), computed on first access.
///
/// It leaves out mappings and words. For most edges a bound is enough (``bound(from:to:)``), which costs
/// next to nothing.
package final class EdgeCache: Sendable {
  /// The summaries and bounds computed so far.
  private struct State {
    var cache = PairCache()
    var bounds: EdgeLowerBounds?
    var entries: [NodePair: EdgeSummary] = [:]
    var steps: [NodePair: (entry: EdgeSummary, mapping: ComposedMapping?)] = [:]
    /// The histories from the versions that were requested last, the latest first.
    var histories: [(source: Int, histories: VersionGraph.HistoryMappings)] = []
    /// The histories from the beginnings of parts of long ones.
    var rests: [NodePair: VersionGraph.HistoryMappings.Result] = [:]
  }

  /// The graph whose edges they are.
  let graph: VersionGraph
  /// The branches that are the reference where several meet.
  private let choice: BranchChoice
  private let state: Mutex<State>
  /// The possible losses of edges, for stores of the versions asked about last.
  private let losses: RecentValues<Int, PossibleLosses>

  /// The number of versions whose histories are kept, so that a search continues where it stopped.
  private static let historyCount = 8

  /// Makes an empty cache for a graph.
  ///
  /// - Complexity: O(*n* · *e*) in versions and entities.
  init(_ graph: VersionGraph, _ choice: BranchChoice) {
    self.graph = graph
    self.choice = choice
    state = Mutex(State(bounds: EdgeLowerBounds(graph)))
    losses = RecentValues(capacity: max(4, Self.mappingCount / max(1, graph.nodes.count)))
  }

  /// The number of versions whose mappings are kept for stores, over all their versions.
  private static let mappingCount = 4_096

  /// Returns the losses that edges of a line may bring to stores of a version.
  ///
  /// - Complexity: O(*n* · *p*) in versions and the properties of one version, where they are not
  ///   cached yet.
  func possibleLosses(from source: Int) -> PossibleLosses {
    losses.value(of: source) { PossibleLosses(graph, from: source) }
  }

  /// Returns the edge between two versions, in either direction; nil where neither follows from the
  /// other.
  ///
  /// - Complexity: O(1) for an edge that was asked about before, else O(*n* · *e*) in the versions
  ///   between and the entities, and the properties of those that changed.
  package func entry(from source: Int, to destination: Int) -> EdgeSummary? {
    let nodes = graph.nodes.indices
    guard source != destination, nodes.contains(source), nodes.contains(destination),
      graph.order.areComparable(source, destination)
    else { return nil }
    return state.withLock { entry(NodePair(source: source, destination: destination), &$0) }
  }

  /// All edges by source and then destination, refused ones included.
  ///
  /// - Complexity: O(*n*² · *e*) in versions and entities, and the properties of those that changed.
  package var entries: [EdgeSummary] {
    pairs.compactMap { entry(from: $0.source, to: $0.destination) }
  }

  /// The number of ``entries``.
  ///
  /// - Complexity: O(*n*²) in versions.
  package var entryCount: Int { pairs.count }

  /// The edges between consecutive versions and the authored edges, by source and then destination.
  ///
  /// - Complexity: O(*n*² + *n* · *e*) in versions and entities.
  package var givenEntries: [EdgeSummary] {
    pairs.filter { graph.order.isStep($0.source, $0.destination) || graph.hasAuthoredEdge($0) }
      .compactMap { entry(from: $0.source, to: $0.destination) }
  }

  /// The ends of all edges, by source and then destination.
  private var pairs: [NodePair] {
    graph.nodes.indices.flatMap { source in
      graph.nodes.indices.dropFirst(source + 1)
        .filter { graph.order.areComparable(source, $0) }
        .map { NodePair(source: source, destination: $0) }
    }
  }

  /// Returns a lower bound on the edge to a later version; nil for steps, authored edges and branches.
  ///
  /// - Complexity: O(*e*) in entities, once those that changed were compared.
  package func bound(from source: Int, to destination: Int) -> EdgeLowerBound? {
    guard !graph.hasAuthoredEdge(NodePair(source: source, destination: destination)) else {
      return nil
    }
    return state.withLock { $0.bounds?.bound(from: source, to: destination) }
  }

  private func entry(_ pair: NodePair, _ state: inout State) -> EdgeSummary {
    if let known = state.entries[pair] { return known }
    let (low, high) = (min(pair.source, pair.destination), max(pair.source, pair.destination))
    let isStep = graph.order.isStep(low, high)
    let edge = isStep ? step(pair, &state) : look(pair, &state)
    var entry = edge.entry
    entry.isConsecutive = isStep
    entry.stepCount = graph.order.stepCount(from: low, to: high) ?? 1
    entry.verdict = graph.verdict(
      on: edge.mapping,
      from: pair.source,
      to: pair.destination,
      isReference: isStep || entry.kind == .authored
    ) { history(pair, &state) }
    state.entries[pair] = entry
    return entry
  }

  private func look(
    _ pair: NodePair,
    _ state: inout State
  ) -> (entry: EdgeSummary, mapping: ComposedMapping?) {
    graph.entry(
      from: graph.nodes[pair.source],
      to: graph.nodes[pair.destination],
      cache: &state.cache
    )
  }

  private func step(
    _ pair: NodePair,
    _ state: inout State
  ) -> (entry: EdgeSummary, mapping: ComposedMapping?) {
    if let known = state.steps[pair] { return known }
    let step = look(pair, &state)
    state.steps[pair] = step
    return step
  }

  /// Returns the history between two versions; the first is the earlier one.
  ///
  /// A long history of inferred steps is composed of parts, which histories from other versions share.
  /// Composing is associative, but for the names of opaque values.
  private func history(_ pair: NodePair, _ state: inout State) -> VersionGraph.HistoryMappings
    .Result?
  {
    let mark = (pair.source / Self.partLength + 1) * Self.partLength
    // A history that is almost complete continues step by step.
    let reached = state.histories.first { $0.source == pair.source }?.histories.last ?? mark
    guard max(mark, reached) + Self.partLength < pair.destination,
      state.bounds?.isInferred(pair) == true
    else { return stepwiseHistory(pair, &state) }
    let head = stepwiseHistory(NodePair(source: pair.source, destination: mark), &state)
    return head?.then(
      rest(NodePair(source: mark, destination: pair.destination), &state),
      from: pair.source,
      to: pair.destination
    )
  }

  /// The number of steps in each part of a long history.
  private static let partLength = 32

  /// Returns the history from the beginning of a part.
  private func rest(_ pair: NodePair, _ state: inout State) -> VersionGraph.HistoryMappings.Result?
  {
    if let known = state.rests[pair] { return known }
    let rest = history(pair, &state)
    state.rests[pair] = rest
    return rest
  }

  /// Returns the history between two versions, composed step by step.
  private func stepwiseHistory(_ pair: NodePair, _ state: inout State) -> VersionGraph
    .HistoryMappings
    .Result?
  {
    var histories: VersionGraph.HistoryMappings
    if let place = state.histories.firstIndex(where: { $0.source == pair.source }) {
      histories = state.histories.remove(at: place).histories
    } else {
      if state.histories.count == Self.historyCount { state.histories.removeLast() }
      histories = VersionGraph.HistoryMappings(
        graph.order,
        from: pair.source,
        graph.nodes[pair.source].model,
        choice
      )
    }
    histories.extend(through: pair.destination) {
      let step = step($0, &state)
      return .step(step.mapping, isInferred: step.entry.kind == .inferred)
    }
    state.histories.insert((pair.source, histories), at: 0)
    return histories[pair.destination]
  }
}

extension VersionGraph {
  /// Makes a cache of edge summaries, each computed on first access.
  package func survey() -> EdgeCache { survey(BranchChoice()) }

  /// Makes a cache whose reference is the history over the chosen branches.
  func survey(_ choice: BranchChoice) -> EdgeCache { EdgeCache(self, choice) }
}
