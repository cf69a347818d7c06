import ObjectModel

extension VersionOrder {
  /// Makes the order of groups in which each follows the groups of its versions' parents.
  ///
  /// A version that a later one of its group follows, as where an app reverted to it, gives its place
  /// to that later one; the versions in between then follow its parents. The branches meet at a group
  /// whose versions are of different branches.
  /// - Parameter model: The versions, where they branched with their parents.
  init(_ nodes: [VersionGroup], of model: VersionedModel) {
    guard model.parents != nil else {
      self.init(count: nodes.count)
      return
    }
    let parents = model.versions.indices.map { model.parentPositions(of: $0) }
    let versions = VersionOrder(parents: parents)
    var nodeOf = [Int](repeating: 0, count: parents.count)
    for node in nodes {
      for position in node.positions { nodeOf[position] = node.index }
    }
    func isPassedOn(_ position: Int) -> Bool {
      nodes[nodeOf[position]].positions.contains { versions.precedes(position, $0) }
    }
    /// Returns the groups before another one that have some versions, or the ancestors of these.
    func resolved(_ positions: [Int], before node: Int) -> Set<Int> {
      var found: Set<Int> = []
      var seen: Set<Int> = []
      var rest = positions
      while let position = rest.popLast() {
        guard seen.insert(position).inserted else { continue }
        if nodeOf[position] < node {
          found.insert(nodeOf[position])
        } else {
          rest += parents[position]
        }
      }
      return found
    }
    self.init(
      parents: nodes.map { node in
        node.positions.filter { !isPassedOn($0) }
          .reduce(into: Set<Int>()) { $0.formUnion(resolved(parents[$1], before: node.index)) }
          .sorted()
      }
    )
  }
}
