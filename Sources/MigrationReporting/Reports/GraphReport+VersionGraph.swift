package import MigrationPlanning
package import ObjectModel

extension GraphReport {
  /// The graphs of an archive's models, edges between all ordered pairs of versions included.
  ///
  /// - Parameters:
  ///   - showsPaths: Whether the least path between every two versions is told too.
  ///   - name: The name by which a version is called.
  /// - Complexity: O(*n*² · *p*) in the nodes of a graph and the properties of a version.
  package init(
    graphs: [VersionGraph],
    findings: [Finding],
    showsPaths: Bool = false,
    name: (ModelVersion) -> String
  ) throws(PlanningError) {
    self.init(nodes: [], edges: [], findings: findings)
    if showsPaths { paths = [] }
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
      for edge in survey.entries {
        var shown = Edge(
          from: names[edge.source],
          to: names[edge.destination],
          kind: edge.isRefused ? nil : edge.kind.rawValue,
          isConsecutive: edge.isConsecutive,
          worst: edge.risks.worst,
          reasons: edge.refusals.map { $0.sentence(about: $0.place.version) }
        )
        shown.mappings = edge.origins.map(\.path)
        shown.policies = edge.policyNames
        shown.verdict = edge.verdict
        shown.cost = edge.cost
        edges.append(shown)
      }
      let planner = MigrationPlanner(graph: graph, survey: survey)
      let table = try planner.paths()
      self.findings += graph.disagreementFindings() + graph.unexercisedFindings(table)
      if showsPaths { paths?.append(contentsOf: table.paths.map { $0.nodes.map { names[$0] } }) }
    }
  }
}
