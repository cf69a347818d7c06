import ObjectModel

/// A search for the shortest safe path from one version to another.
///
/// The history, step by step, is the reference. All edges are candidates: an equivalent one, which does
/// the same to every object as the history, is taken where it is cheaper; one that is not equivalent is
/// taken only if the options name its versions; an unknown one is taken if the options accept that, and
/// only where there is no better one.
package struct MigrationPlanner: Sendable {
  /// The graph of versions and edges.
  package let graph: VersionGraph
  /// The cache of edge summaries; nil where each plan evaluates edges anew.
  let survey: EdgeCache?
  /// The cache of path searches that many plans share; nil for a single plan.
  private let searches: PathSearchCache?

  /// A planner for a graph.
  ///
  /// - Parameter survey: The graph's edges, for callers that make many plans.
  package init(graph: VersionGraph, survey: EdgeCache? = nil) {
    self.graph = graph
    self.survey = survey
    searches = survey.map { PathSearchCache(graph: graph, survey: $0) }
  }

  /// Returns the least plan by ``PlanCost``, and of equal ones that with the lexicographically smallest
  /// sequence of versions.
  ///
  /// - Returns: A plan without hops where source and destination have the same hashes.
  /// - Throws: ``PlanningError`` where no path leads there, or none that the options allow.
  /// - Complexity: O(*n*² · *e*) in the versions between source and destination and their entities, and
  ///   the properties of entities that changed.
  package func plan(
    from source: VersionGroup,
    to destination: VersionGroup,
    options: PlanningOptions = PlanningOptions()
  ) throws(PlanningError) -> MigrationPlan {
    try plan(from: source, to: destination, options: options, evidence: nil)
  }

  /// Returns the least plan for a store, by the evidence of its rows.
  ///
  /// The questions of later hops are asked at the store's own version. Where a plan takes an accepted
  /// edge that is not equivalent, its findings are about the rows after that edge, while the search
  /// compared the rows after the history.
  /// - Throws: ``PlanningError`` where no path leads there, or none that the options allow.
  /// - Complexity: As without a store, and the questions about the edges of the least path and of
  ///   those that might have been less.
  package func plan(
    from source: VersionGroup,
    to destination: VersionGroup,
    options: PlanningOptions,
    evidence: StoreEvidence?
  ) throws(PlanningError) -> MigrationPlan {
    try plan(
      along: route(from: source, to: destination, options: options, evidence: evidence)
    )
  }

  /// Returns the least plan in a search space.
  ///
  /// - Throws: ``PlanningError`` where no path leads there, or none that the options allow.
  func plan(along route: SearchSpace) throws(PlanningError) -> MigrationPlan {
    let (source, destination) = route.ends
    let hops = try route.hops(searches)
    return MigrationPlan(
      source: source,
      destination: destination,
      hops: hops,
      findings: (hops.isEmpty
        ? graph.findings.filter { $0.place.version == source.name }
          + graph.unseenFindings(within: source) : [])
        + (route.evidence?.danglingLinks(along: hops) ?? [])
    )
  }

  /// Returns the plan that stops at given versions and at no others, at any cost.
  ///
  /// A resumed run keeps the path that it began with, which the evidence at that time chose.
  ///
  /// - Parameter names: The names of all versions on the path, both ends included.
  /// - Throws: ``PlanningError`` where one of them is no version on the path, or two are joined by no
  ///   edge.
  package func plan(
    along names: [String],
    from source: VersionGroup,
    to destination: VersionGroup,
    options: PlanningOptions,
    evidence: StoreEvidence? = nil
  ) throws(PlanningError) -> MigrationPlan {
    let route = try route(
      from: source,
      to: destination,
      options: options,
      evidence: evidence
    )
    let positions = names.compactMap { name in
      route.nodes.firstIndex { $0.name == name }
    }
    let hops = route.hops(along: positions)
    guard positions.count == names.count, hops.count == max(0, names.count - 1),
      names.first == source.name, names.last == destination.name
    else {
      throw PlanningError(
        code: .unknownVersion(names.capped),
        statement: "The path \(names.capped) is not one of the model "
          + "\(graph.modelName) any more.",
        advice: "Restore the models, or start anew with migrate --restart."
      )
    }
    return MigrationPlan(source: source, destination: destination, hops: hops, findings: [])
  }

  /// Returns the versions and edges between two versions.
  func route(
    from source: VersionGroup,
    to destination: VersionGroup,
    options: PlanningOptions,
    evidence: StoreEvidence? = nil
  ) throws(PlanningError) -> SearchSpace {
    try SearchSpace(
      graph: graph,
      survey: survey,
      nodes: nodes(from: source, to: destination, options: options),
      options: options,
      evidence: evidence
    )
  }

  /// Returns the versions between two versions, in the direction from one to the other.
  private func nodes(
    from source: VersionGroup,
    to destination: VersionGroup,
    options: PlanningOptions
  ) throws(PlanningError) -> VersionSlice {
    for node in [source, destination]
    where !graph.nodes.indices.contains(node.index) || graph.nodes[node.index] != node {
      throw PlanningError(
        code: .unknownVersion(node.name),
        statement: "Version \(node.name) is not one of the model \(graph.modelName).",
        advice: "Name a version of that model."
      )
    }
    let order = graph.order
    guard order.areComparable(source.index, destination.index) else {
      let reason = graph.branchRefusal(from: source, to: destination)
      throw PlanningError(
        code: .differentBranches,
        statement: reason.statement,
        advice: reason.advice,
        blockedSteps: [
          .init(source: source.name, destination: destination.name, reasons: [reason])
        ]
      )
    }
    let isBack = destination.index < source.index
    if isBack, !options.allowDowngrade {
      if let doubt = graph.questions.orderDoubt,
        doubt.severity == .error || destination == graph.currentNode
      {
        throw PlanningError(code: .downgrade, statement: doubt.statement, advice: doubt.advice)
      }
      throw PlanningError(
        code: .downgrade,
        statement:
          "In the order of versions \(version: destination) comes before \(version: source).",
        advice: "Name a later version, or accept an earlier one: --downgrade."
      )
    }
    return VersionSlice(
      graph,
      isBack
        ? order.between(destination.index, source.index).reversed()
        : order.between(source.index, destination.index)
    )
  }

  /// Returns the least plan for a store whose version was identified.
  ///
  /// - Throws: ``PlanningError`` also where the store is not of just one version of the model.
  package func plan(
    for identification: VersionIdentification,
    to destination: VersionGroup,
    options: PlanningOptions = PlanningOptions()
  ) throws(PlanningError) -> MigrationPlan {
    try plan(from: node(of: identification), to: destination, options: options)
  }

  /// Returns the version group of a store.
  ///
  /// - Throws: ``PlanningError`` where the store is not of just one version of the model.
  package func node(
    of identification: VersionIdentification
  ) throws(PlanningError) -> VersionGroup {
    switch identification.match {
    case .exact, .equalVersions:
      let hashes = identification.versions.last?.model.entityVersionHashes ?? [:]
      if let node = graph.node(hashes: hashes) { return node }
      let name = identification.versions.last?.qualifiedName ?? ""
      throw PlanningError(
        code: .unknownVersion(name),
        statement: "The store's version \(name) is not one of the model \(graph.modelName).",
        advice: "Plan with the model that has it."
      )
    case .merged:
      let names = identification.versions.map(\.qualifiedName)
      throw PlanningError(
        code: .mergedModels(names),
        statement: "The store holds entities of several models: \(names.joined(separator: ", ")).",
        advice: "Put the models together as one, version by version; plans over several models "
          + "are not made."
      )
    case .configuration(let name):
      let version = identification.versions.last?.qualifiedName ?? ""
      throw PlanningError(
        code: .configurationOnly(name ?? ""),
        statement: "The store holds only some entities of \(version)"
          + (name.map { ", those of the configuration \($0)." } ?? "."),
        advice: identification.versions.last?.isOfSwift == true
          ? "Set `configurations: used` in waystone.yml: each store of the app is then a model of its own."
          : "Make a model of just these entities, version by version; plans for one "
            + "configuration are not made."
      )
    case .nearest, .none:
      let candidate = identification.nearest.first
      let names = candidate?.differences.map(\.entityName) ?? []
      // A version that differs in all entities is as far away as any other.
      let isNear = candidate.map {
        !Set(names).isSuperset(of: $0.version.model.entities.map(\.name))
      }
      let near = isNear == true ? candidate : nil
      throw PlanningError(
        code: .unknownStoreVersion(
          nearest: near?.version.qualifiedName,
          differing: near == nil ? [] : names
        ),
        statement: near.map {
          "No version has the store's entities; the nearest is \($0.version.qualifiedName), which "
            + "differs in \(names.joined(separator: ", "))."
        } ?? "No version has an entity of the store as it is there.",
        advice: "Add the model version with which the store was written"
          + (near == nil ? "; `waystone inspect` says whose tables and columns it has." : ".")
      )
    }
  }
}
