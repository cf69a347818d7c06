internal import MigrationPlanning
internal import ObjectModel
package import Waystone

extension CoverageReport {
  /// The graphs as a Mermaid flowchart, the edges of chosen paths thick.
  package var mermaid: String { graph.mermaid }

  /// The graphs in Graphviz' language, the edges of chosen paths thick.
  package var dot: String { graph.dot }

  /// The graphs of all models as one; names with the model's where there are several.
  private var graph: GraphReport {
    var graph = GraphReport(nodes: [], edges: [], findings: [])
    for model in models {
      let own = model.graph(namePrefix: models.count > 1 ? "\(model.name)/" : "")
      graph.nodes += own.nodes
      graph.edges += own.edges
    }
    return graph
  }
}

extension CoverageReport.Model {
  /// The graph with the edges of chosen paths marked.
  var graph: GraphReport { graph(namePrefix: "") }

  fileprivate func graph(namePrefix prefix: String) -> GraphReport {
    var chosen: Set<[Int]> = []
    for path in paths {
      let stops = path.nodes ?? []
      for (source, destination) in zip(stops, stops.dropFirst()) {
        chosen.insert([source, destination])
      }
    }
    return GraphReport(
      nodes: nodes.map { node in
        GraphReport.Node(names: node.names.map { prefix + $0 }, isCurrent: node.isCurrent)
      },
      edges: edges.map { edge in
        var shown = GraphReport.Edge(
          from: prefix + name(of: edge.source),
          to: prefix + name(of: edge.destination),
          edge.summary
        )
        shown.drawnRisk = edge.drawnRisk
        shown.isChosen = chosen.contains([edge.source, edge.destination])
        return shown
      },
      findings: []
    )
  }
}
