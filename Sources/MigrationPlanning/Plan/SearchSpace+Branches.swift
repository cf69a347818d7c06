import ObjectModel

extension SearchSpace {
  /// The positions of one history; through first parents where branches meet.
  var history: [Int] {
    guard let first = nodes.indexes.first, let last = nodes.indexes.last else { return [] }
    let history =
      first <= last
      ? graph.order.history(from: first, to: last)
      : graph.order.history(from: last, to: first).map { $0.reversed() }
    let positions = Dictionary(uniqueKeysWithValues: zip(nodes.indexes, nodes.indices))
    return (history ?? []).compactMap { positions[$0] }
  }

  /// Returns the indexes of the versions strictly between two positions, in all histories.
  func between(_ source: Int, _ destination: Int) -> ArraySlice<Int> {
    let (first, last) = (nodes.indexes[source], nodes.indexes[destination])
    return graph.order.between(min(first, last), max(first, last)).dropFirst().dropLast()
  }

  /// The conflict of branches that meet between the first version and the last, unless the options
  /// choose between them.
  var conflict: BranchConflict? {
    guard !graph.order.isLine, let first = nodes.first?.index, let last = nodes.last?.index,
      first < last
    else { return nil }
    let histories = VersionGraph.HistoryMappings(graph, from: first, through: last, choice)
    guard case .missing(.branchesDisagree(let conflict))? = histories[last] else { return nil }
    return conflict
  }

  /// Returns the pairs of versions between which branches meet that do not agree.
  func conflictingPairs() -> Set<NodePair> {
    guard !graph.order.isLine else { return [] }
    var pairs: Set<NodePair> = []
    for source in nodes.map(\.index) {
      let histories = VersionGraph.HistoryMappings(graph, from: source, choice)
      for node in nodes.map(\.index) {
        guard case .missing(.branchesDisagree)? = histories[node] else { continue }
        pairs.insert(NodePair(source: source, destination: node))
      }
    }
    return pairs
  }

  /// Returns the error for branches that conflict without a choice.
  func disagreement(_ conflict: BranchConflict) -> PlanningError {
    let finding = graph.finding(conflict, from: nodes.first?.index ?? 0)
    let ends = [conflict.first, conflict.second].map { graph.nodes[$0].name }
    let meeting = graph.nodes[conflict.node].name
    return PlanningError(
      code: .branchesDisagree(at: meeting, over: ends),
      statement: finding.statement,
      advice: "Choose the branch whose meaning counts: --via, --avoid or --prefer a version that "
        + "only one of them has, such as --via \(ends[0].shellWord).",
      blockedSteps: [
        PlanningError.BlockedStep(
          source: nodes.first?.name ?? "",
          destination: meeting,
          reasons: [finding]
        )
      ]
    )
  }
}
