import ObjectModel

/// Finds the shortest safe path from one version to another.
///
/// The chain of consecutive versions is the reference meaning of a model's history, and the planner
/// walks it. A longer edge can silently mean something else than the walk, so it is taken only over
/// a consecutive step that has no edge; what it then means is undecided, and the options must
/// accept that.
public struct MigrationPlanner: Sendable {
  /// The versions and the ways between them.
  public let graph: VersionGraph

  /// A planner for a graph.
  public init(graph: VersionGraph) { self.graph = graph }

  /// The least plan by ``PlanCost``, and of equal ones that with the lexicographically smallest
  /// sequence of nodes.
  ///
  /// - Returns: A plan without hops where source and destination are one node.
  /// - Throws: ``PlanningError`` where no path leads there, or none that the options allow.
  /// - Complexity: O(*n*) where every consecutive step has an edge, else O(*n*²) inferences, in the
  ///   nodes between source and destination.
  public func plan(
    from source: VersionNode,
    to destination: VersionNode,
    options: PlanningOptions = PlanningOptions()
  ) throws(PlanningError) -> MigrationPlan {
    for node in [source, destination]
    where !graph.nodes.indices.contains(node.index) || graph.nodes[node.index] != node {
      throw PlanningError(
        .unknownVersion(node.name),
        message: "Version \(node.name) is not one of the model \(graph.modelName).",
        recovery: "Name a version of that model."
      )
    }
    if destination.index < source.index, !options.allowDowngrade {
      throw PlanningError(
        .downgrade,
        message: "\(destination.label) is older than \(source.label).",
        recovery: "Name a later version."
      )
    }
    var route = Route(graph: graph, source: source.index, destination: destination.index)
    route.addLongerEdges()
    let hops = try route.hops(options: options)
    return MigrationPlan(
      source: source,
      destination: destination,
      hops: hops,
      findings: hops.isEmpty ? graph.findings.filter { $0.place.version == source.name } : []
    )
  }

  /// The least plan for a store whose version was identified.
  ///
  /// - Throws: ``PlanningError`` also where the store is not of just one version of the model.
  public func plan(
    for identification: VersionIdentification,
    to destination: VersionNode,
    options: PlanningOptions = PlanningOptions()
  ) throws(PlanningError) -> MigrationPlan {
    try plan(from: node(of: identification), to: destination, options: options)
  }

  /// The node of a store's version.
  ///
  /// - Throws: ``PlanningError`` where the store is not of just one version of the model.
  public func node(
    of identification: VersionIdentification
  ) throws(PlanningError) -> VersionNode {
    switch identification.match {
    case .exact, .equalVersions:
      let hashes = identification.versions.last?.model.entityVersionHashes ?? [:]
      if let node = graph.node(hashes: hashes) { return node }
      let name = identification.versions.last?.qualifiedName ?? ""
      throw PlanningError(
        .unknownVersion(name),
        message: "The store's version \(name) is not one of the model \(graph.modelName).",
        recovery: "Plan with the model that has it."
      )
    case .merged:
      let names = identification.versions.map(\.qualifiedName)
      throw PlanningError(
        .mergedModels(names),
        message: "The store holds entities of several models: \(names.joined(separator: ", ")).",
        recovery: "Put the models together as one, version by version; plans over several models "
          + "are not made."
      )
    case .configuration(let name):
      let version = identification.versions.last?.qualifiedName ?? ""
      throw PlanningError(
        .configurationOnly(name ?? ""),
        message: "The store holds only some entities of \(version)"
          + (name.map { ", those of the configuration \($0)." } ?? "."),
        recovery: "Make a model of just these entities, version by version; plans for one "
          + "configuration are not made."
      )
    case .nearest, .none:
      let candidate = identification.nearest.first
      let names = candidate?.differences.map(\.entityName) ?? []
      throw PlanningError(
        .unknownStoreVersion(nearest: candidate?.version.qualifiedName, differing: names),
        message: candidate.map {
          "No version has the store's entities; the nearest is \($0.version.qualifiedName), which "
            + "differs in \(names.joined(separator: ", "))."
        } ?? "No version has an entity of the store.",
        recovery: "Add the model version with which the store was written."
      )
    }
  }
}
