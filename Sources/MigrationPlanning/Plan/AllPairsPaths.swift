package import ObjectModel

/// The least path between every two versions of a graph.
package struct AllPairsPaths: Sendable {
  /// A path and its cost.
  package struct Path: Hashable, Sendable {
    /// The indexes of the versions where it stops, both ends included.
    package let nodes: [Int]
    /// The cost of the path.
    package let cost: PlanCost
  }

  /// The paths by source and then destination, those that exist.
  package let paths: [Path]
}

extension MigrationPlanner {
  /// Returns the least path that the options allow from each version to each later one.
  ///
  /// They are the paths of single plans, without their mappings. Options that name versions count where
  /// a version is between the ends of a path.
  /// - Complexity: As ``EdgeCache/entries``, and O(*n*³) in versions.
  package func paths(options: PlanningOptions = PlanningOptions()) throws(PlanningError)
    -> AllPairsPaths
  {
    guard graph.nodes.count > 1 else { return AllPairsPaths(paths: []) }
    let route = try SearchSpace(
      graph: graph,
      survey: survey,
      nodes: VersionSlice(graph, Array(graph.nodes.indices)),
      options: options
    )
    let search = ShortestPaths(count: route.nodes.count) { route.cost($0, $1, .allowed) }
    let conflicts = route.conflictingPairs()
    var byEnds: [[Int]: AllPairsPaths.Path] = [:]
    for end in graph.nodes.indices.dropFirst() {
      let distances = search.distances(to: end)
      for start in 0..<end where !conflicts.contains(NodePair(source: start, destination: end)) {
        if let cost = distances[start], let path = search.path(from: start, to: end, distances) {
          byEnds[[start, end]] = AllPairsPaths.Path(nodes: path, cost: cost)
        }
      }
    }
    return AllPairsPaths(
      paths: graph.nodes.indices.flatMap { start in
        graph.nodes.indices.dropFirst(start + 1).compactMap { byEnds[[start, $0]] }
      }
    )
  }
}

extension VersionGraph {
  /// Returns findings on authored edges that are on no path to the current version.
  package func unexercisedFindings(_ table: AllPairsPaths) -> [Finding] {
    guard let current = currentNode else { return [] }
    var taken: Set<NodePair> = []
    for path in table.paths where path.nodes.last == current.index {
      for (source, destination) in zip(path.nodes, path.nodes.dropFirst()) {
        taken.insert(NodePair(source: source, destination: destination))
      }
    }
    return authoredPairs.filter { !taken.contains($0) }.map { pair in
      let edge = edge(from: nodes[pair.source], to: nodes[pair.destination])
      return Finding(
        .unexercisedEdge,
        .note,
        at: Finding.Place(file: edge.origins.first?.path, version: nodes[pair.destination].name),
        message: "No version's path to \(current.name) takes the edge from "
          + "\(version: nodes[pair.source].name) to \(version: nodes[pair.destination].name), which "
          + "\(edge.fileNames) says how to take.",
        advice: "Look at `waystone explain \(argument: nodes[pair.source].name) "
          + "\(argument: nodes[pair.destination].name)`, or remove it."
      )
    }
  }
}
