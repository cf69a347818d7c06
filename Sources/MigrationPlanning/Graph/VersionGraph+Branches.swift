package import ObjectModel

extension VersionGraph {
  /// Returns findings on branches that meet and map objects of a common ancestor differently.
  ///
  /// - Complexity: O(*n* · *p*) for each two branches that meet, in versions and properties of a
  ///   version.
  package func branchFindings() -> [Finding] {
    guard !order.isLine else { return [] }
    var findings: [Finding] = []
    for (node, parents) in order.parents.enumerated() where parents.count > 1 {
      let sources = Set(
        parents.indices.flatMap { index in
          parents[(index + 1)...].flatMap { order.commonAncestors(parents[index], $0) }
        }
      )
      for source in sources.sorted() {
        guard
          case .missing(.branchesDisagree(let conflict))? = HistoryMappings(
            self,
            from: source,
            through: node
          )[node], conflict.node == node
        else { continue }
        findings.append(finding(conflict, from: source))
      }
    }
    return findings
  }

  /// Returns a disagreement between branches, for objects of a version.
  func finding(_ conflict: BranchConflict, from source: Int) -> Finding {
    let difference = conflict.difference
    let (first, second) = (nodes[conflict.first].name, nodes[conflict.second].name)
    return Finding(
      .branchesDisagree,
      .warning,
      at: Finding.Place(
        version: nodes[conflict.node].name,
        entity: difference.entityName.isEmpty ? nil : difference.entityName,
        property: difference.propertyName
      ),
      message: "The branches over \(first) and \(second) meet in "
        + "\(version: nodes[conflict.node].name) and "
        + "do not agree on \(difference.place) of objects from \(version: nodes[source].name): "
        + "\(difference.reference ?? "nothing") over \(first), \(difference.other ?? "nothing") over "
        + "\(second).",
      advice:
        "Choose a branch: --via \(first.shellWord) or --via \(second.shellWord). Or write mappings "
        + "that agree."
    )
  }

  /// Returns the refusal of an edge between versions of different branches.
  func branchRefusal(from source: VersionGroup, to destination: VersionGroup) -> Finding {
    let common = order.commonAncestors(source.index, destination.index).map { nodes[$0].name }
    let meeting = nodes.first {
      order.precedes(source.index, $0.index) && order.precedes(destination.index, $0.index)
    }
    return Finding(
      .differentBranches,
      .error,
      at: Finding.Place(version: destination.name),
      message:
        "\(version: destination.name) is on another branch than \(version: source.name): neither follows from "
        + "the other"
        + (common.isEmpty ? "." : "; both follow from \(common.joined(separator: " and "))."),
      advice: meeting.map {
        "Name a version in which the branches have met, such as \(version: $0.name), or correct `order:` in "
          + "waystone.yml."
      }
        ?? "Name a version that follows from \(version: source.name), or correct `order:` in waystone.yml."
    )
  }
}
