import ObjectModel

extension VersionGraph {
  /// The first broken promise of the graph, or nil where all hold.
  ///
  /// Nodes stand at their indexes in the order of their last versions, no two share their hashes,
  /// and each consecutive edge leads from its place to the next and is either refused or mapped.
  public func checkInvariants() -> String? {
    var seen: Set<[String: VersionHash]> = []
    var last = -1
    for (index, node) in nodes.enumerated() {
      if node.index != index { return "Node \(node.label) stands at \(index), not \(node.index)." }
      if node.versions.isEmpty { return "Node \(index) has no version." }
      if node.versions.contains(where: { $0.model.entityVersionHashes != node.hashes }) {
        return "Node \(node.label) has versions that hash differently."
      }
      if !seen.insert(node.hashes).inserted { return "Two nodes hash like \(node.label)." }
      guard let position = node.positions.last, position > last else {
        return "Node \(node.label) is out of order."
      }
      last = position
    }
    if consecutiveEdges.count != Swift.max(0, nodes.count - 1) {
      return "There are \(consecutiveEdges.count) consecutive edges for \(nodes.count) nodes."
    }
    for (index, edge) in consecutiveEdges.enumerated() {
      if edge.source != index || edge.destination != index + 1 {
        return "Edge \(index) leads from \(edge.source) to \(edge.destination)."
      }
      if edge.isRefused == edge.refusals.isEmpty {
        return "Edge \(index) must have either a mapping or a reason for having none."
      }
    }
    return nil
  }
}
