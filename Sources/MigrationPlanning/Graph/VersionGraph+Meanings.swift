import ObjectModel

extension VersionGraph {
  /// Returns the mappings of the least safe paths from each earlier version to one version.
  ///
  /// Where each step is possible and no authored edge skips any of them, they are the histories, and no
  /// path is searched.
  /// - Parameter options: The limits on the paths.
  /// - Returns: The mappings by the index of their source; none where there is no path.
  /// - Throws: ``PlanningError`` where the options name a version that does not exist.
  /// - Complexity: O(*n* · *p*) in the versions before and the properties of one version; else also as
  ///   ``survey()``.
  package func meanings(
    to destination: VersionGroup,
    options: PlanningOptions = PlanningOptions()
  ) throws(PlanningError) -> [Int: ComposedMapping] {
    var meanings = [destination.index: ComposedMapping(identityOf: destination.model)]
    for (source, next) in try firstSteps(to: destination, options: options) {
      // A least path goes on as the least path from wherever it stops.
      guard let rest = meanings[next],
        let step = composedMapping(of: edge(from: nodes[source], to: nodes[next]))
      else { continue }
      meanings[source] = step.then(rest)
    }
    return meanings
  }

  /// Returns the first step of the path from each version, the nearest version first.
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
