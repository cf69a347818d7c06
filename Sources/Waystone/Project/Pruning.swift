internal import MigrationPlanning
internal import ObjectModel

/// A simulation of a model without some of its versions, for the stores that users have.
struct Pruning {
  /// An effect of removing versions, on stores of one that stays.
  struct Effect {
    /// The version of the stores.
    let version: ModelVersion
    /// The differences of the path's mapping; empty where there would be no path.
    let differences: [MappingDifference]
    /// Whether no path would be left.
    let isStranded: Bool
  }

  let model: VersionedModel
  let authored: [AuthoredEdge]
  /// The qualified names of versions that stores are of.
  let used: Set<String>

  private let current: VersionGroup
  private let graph: VersionGraph
  private let meanings: [Int: ComposedMapping]

  /// - Returns: Nil for a model without versions.
  init?(_ model: VersionedModel, authored: [AuthoredEdge], used: Set<String>) throws {
    self.model = model
    self.authored = authored
    self.used = used
    graph = VersionGraph(model, authored: authored)
    guard let node = graph.currentNode else { return nil }
    current = node
    meanings = try graph.meanings(to: node)
  }

  /// Returns whether stores are of the version, or of one with the same hashes.
  func isUsed(_ version: ModelVersion) -> Bool { used.contains(version.qualifiedName) }

  /// Returns whether a version is the one that stores are brought to, or later.
  func isAhead(_ version: ModelVersion) -> Bool {
    guard let node = graph.node(hashes: version.model.entityVersionHashes) else { return false }
    return version.isCurrent || node.index > current.index
      || node.index == current.index && node.version == version
  }

  /// Returns the version that represents all versions of this one's hashes, where it is another.
  func twin(of version: ModelVersion) -> ModelVersion? {
    guard let node = graph.node(hashes: version.model.entityVersionHashes),
      node.version != version
    else { return nil }
    return node.version
  }

  /// Returns whether stores of a version would fit none if versions were removed.
  func wouldBeUnknown(_ version: ModelVersion, without names: Set<String>) -> Bool {
    !model.versions.contains {
      !names.contains($0.name)
        && $0.model.entityVersionHashes == version.model.entityVersionHashes
    }
  }

  /// Returns the effects on stores of the versions that stay: their paths that would be gone or different.
  ///
  /// - Parameter names: The names of the versions that would be removed.
  func effects(without names: Set<String>) throws -> [Effect] {
    var rest = model
    rest.versions.removeAll { names.contains($0.name) }
    let pruned = VersionGraph(rest, authored: authored)
    guard let target = pruned.node(hashes: current.hashes) else { return [] }
    let others = try pruned.meanings(to: target)
    var effects: [Effect] = []
    for node in graph.nodes[..<current.index] {
      guard let mapping = meanings[node.index],
        let version = node.versions.last(where: isUsed),
        let left = pruned.node(hashes: node.hashes)
      else { continue }
      guard let other = others[left.index] else {
        effects.append(Effect(version: version, differences: [], isStranded: true))
        continue
      }
      let differences = mapping.differences(from: other)
      if !differences.isEmpty {
        effects.append(Effect(version: version, differences: differences, isStranded: false))
      }
    }
    return effects
  }

  /// Returns the files of mappings that no path takes from a version with stores to the current one.
  func idleFiles() throws -> [String] {
    let paths = try MigrationPlanner(graph: graph).paths().paths
    var taken: Set<String> = []
    for path in paths where path.nodes.last == current.index {
      guard let source = path.nodes.first, graph.nodes[source].versions.contains(where: isUsed)
      else { continue }
      for (first, second) in zip(path.nodes, path.nodes.dropFirst()) {
        let edge = graph.edge(from: graph.nodes[first], to: graph.nodes[second])
        taken.formUnion(edge.origins.map(\.path))
      }
    }
    let hashes = Set(graph.nodes.map(\.hashes))
    let own = authored.filter { hashes.contains($0.source) && hashes.contains($0.destination) }
    return Set(own.flatMap { $0.origins.map(\.path) }).subtracting(taken)
      .sorted(by: ByteOrder.precedes)
  }
}
