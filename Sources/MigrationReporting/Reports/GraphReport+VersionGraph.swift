package import MigrationPlanning
package import ObjectModel

extension GraphReport {
  /// Makes a report on the graphs of an archive's models.
  ///
  /// - Parameters:
  ///   - showsLonger: Whether inferred edges over several versions are shown, however many there are.
  ///   - showsPaths: Whether the least path between each two versions is shown, too.
  ///   - name: The name by which a version is called.
  /// - Complexity: O(*n*² · *p*) in the versions of a graph and the properties of a version; O(*n*² +
  ///   *n* · *p*) where neither shortcuts nor paths are shown and no edge is authored.
  package init(
    graphs: [VersionGraph],
    findings: [Finding],
    showsPaths: Bool = false,
    showsLonger: Bool,
    name: (ModelVersion) -> String
  ) throws(PlanningError) {
    self.init(nodes: [], edges: [], findings: findings)
    if showsPaths { paths = [] }
    let showsLonger = showsLonger || graphs.reduce(0) { $0 + $1.nodes.count } <= Self.fewNodes
    for graph in graphs {
      let names = graph.nodes.map { name($0.version) }
      for node in graph.nodes {
        nodes.append(
          Node(
            names: node.byPlace.map(name),
            isCurrent: node == graph.currentNode
          )
        )
      }
      let survey = graph.survey()
      let entries = showsLonger ? survey.entries : survey.givenEntries
      if !showsLonger { omittedEdgeCount += survey.entryCount - entries.count }
      edges += entries.map { Edge(from: names[$0.source], to: names[$0.destination], $0) }
      self.findings += graph.disagreementFindings()
      // Only authored edges may be on no path to the current version.
      guard showsPaths || !graph.authoredPairs.isEmpty else { continue }
      let table = try MigrationPlanner(graph: graph, survey: survey).paths()
      self.findings += graph.unexercisedFindings(table)
      if showsPaths { paths?.append(contentsOf: table.paths.map { $0.nodes.map { names[$0] } }) }
    }
  }
}
