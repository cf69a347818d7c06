import ObjectModel

extension VersionGraph {
  /// Returns the first violated invariant of the graph; nil where all hold.
  ///
  /// Versions are at their indexes in the order of their positions, no two share their hashes, and each
  /// consecutive edge is a step of the order and is either refused or mapped.
  package func checkInvariants() -> String? {
    var seen: Set<[String: VersionHash]> = []
    var last = -1
    for (index, node) in nodes.enumerated() {
      if node.index != index { return "Node \(node.label) stands at \(index), not \(node.index)." }
      if node.versions.isEmpty { return "Node \(index) has no version." }
      if node.versions.contains(where: { $0.model.entityVersionHashes != node.hashes }) {
        return "Node \(node.label) has versions that hash differently."
      }
      if !seen.insert(node.hashes).inserted { return "Two nodes hash like \(node.label)." }
      let position = node.position
      guard position > last else {
        return "Node \(node.label) is out of order."
      }
      last = position
    }
    let steps = order.steps
    if order.parents.count != nodes.count || consecutiveEdges.count != steps.count {
      return "There are \(consecutiveEdges.count) consecutive edges for \(steps.count) steps."
    }
    for (edge, step) in zip(consecutiveEdges, steps) {
      let index = "\(edge.source) to \(edge.destination)"
      if edge.source != step.source || edge.destination != step.destination || !edge.isConsecutive {
        return "Edge \(index) is not the step from \(step.source) to \(step.destination)."
      }
      if step.source >= step.destination { return "Step \(index) leads back." }
      if edge.isRefused == edge.refusals.isEmpty {
        return "Edge \(index) must have either a mapping or a reason for having none."
      }
    }
    return nil
  }
}
