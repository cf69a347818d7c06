import ObjectModel

extension VersionGraph {
  /// The steps of the history that lead to an earlier version, because a later version reverts to it.
  ///
  /// No path takes them: a store does not show whether it is of the version before or after. The users
  /// of the version between took them.
  /// - Complexity: O(*v*) in versions, and an inference for each such step.
  package var revertedSteps: [Edge] {
    var places: [Int: VersionGroup] = [:]
    for node in nodes { for position in node.positions { places[position] = node } }
    let model = versionedModel
    return model.versions.indices.flatMap { position in
      model.parentPositions(of: position).compactMap { parent in
        guard let first = places[parent], let last = places[position], first.index > last.index
        else { return nil }
        let edge = edge(from: first, to: last)
        guard edge.kind != .authored else { return edge }
        let (old, new) = (model.versions[parent], model.versions[position])
        let step = MappingInference.infer(from: old.model, to: new.model)
        return Edge(
          source: first.index,
          destination: last.index,
          kind: step.kind,
          mapping: step.mapping,
          findings: step.findings.map { $0.placed(in: new.name) },
          refusals: step.refusals.map { $0.placed(in: new.name) }
        )
      }
    }
  }
}
