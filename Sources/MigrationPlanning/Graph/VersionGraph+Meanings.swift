import ObjectModel

extension VersionGraph {
  /// What the least safe path from each earlier version does on its way to one version.
  ///
  /// Where each step between neighbours is possible and nothing leads over several of them by hand,
  /// that is what the walk does, so that no path is searched.
  /// - Parameter options: What the paths may contain.
  /// - Returns: The ways by the index of the node that they leave; none where there is no path.
  /// - Throws: ``PlanningError`` where the options name a version that is not there.
  /// - Complexity: O(*n* · *p*) in the nodes before and the properties of one version; else also as
  ///   ``survey()``.
  package func meanings(
    to destination: VersionGroup,
    options: PlanningOptions = PlanningOptions()
  ) throws(PlanningError) -> [Int: ComposedMapping] {
    var meanings = [destination.index: ComposedMapping(identityOf: destination.model)]
    for (source, next) in try firstSteps(to: destination, options: options) {
      // A least path goes on as the least path from wherever it stops.
      guard let rest = meanings[next],
        let step = normalMapping(of: edge(from: nodes[source], to: nodes[next]))
      else { continue }
      meanings[source] = step.followed(by: rest)
    }
    return meanings
  }

  /// The first step of the path from each node, the nearest node first.
  private func firstSteps(
    to destination: VersionGroup,
    options: PlanningOptions
  ) throws(PlanningError) -> [(source: Int, next: Int)] {
    let isPlain =
      options == PlanningOptions() && order.isLine
      && consecutiveEdges[..<destination.index].allSatisfy {
        !$0.isRefused && $0.risk < .undeclared
      }
      && authoredPairs.allSatisfy { $0.destination == $0.source + 1 }
    if isPlain { return (0..<destination.index).reversed().map { ($0, $0 + 1) } }
    let paths = try MigrationPlanner(graph: self).paths(options: options).paths
    return paths.compactMap { path in
      guard path.nodes.count > 1, path.nodes.last == destination.index else { return nil }
      return (path.nodes[0], path.nodes[1])
    }.sorted { $0.source > $1.source }
  }
}
