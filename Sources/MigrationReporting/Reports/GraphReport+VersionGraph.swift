package import MigrationPlanning
package import ObjectModel

extension GraphReport {
  /// The graphs of an archive's models, edges between all ordered pairs of versions included.
  ///
  /// - Parameter name: The name by which a version is called.
  /// - Complexity: O(*n*² · *p*) in the nodes of a graph and the properties of a version.
  package init(
    graphs: [VersionGraph],
    findings: [Finding],
    name: (ModelVersion) -> String
  ) {
    self.init(nodes: [], edges: [], findings: findings)
    for graph in graphs {
      let names = graph.nodes.map { name($0.version) }
      for node in graph.nodes {
        nodes.append(
          Node(
            names: node.versions.reversed().map(name),
            isCurrent: node == graph.currentNode
          )
        )
      }
      for edge in graph.edges {
        var shown = Edge(
          from: names[edge.source],
          to: names[edge.destination],
          kind: edge.isRefused ? nil : edge.kind.rawValue,
          isConsecutive: edge.isConsecutive,
          worst: edge.risk,
          reasons: edge.refusals.map { $0.sentence(about: $0.place.version) }
        )
        shown.mappings = edge.origins.map(\.path)
        shown.policies = edge.mapping?.policyNames ?? []
        edges.append(shown)
      }
    }
  }
}
