import ObjectModel

/// A simulation of the app's own migration of stores of older versions, by Core Data's means.
///
/// Between two versions Core Data takes the mapping model of the app's bundle that has the hashes of
/// both; else it infers one by its lightweight rules; else it fails. It has neither hop files nor the
/// wider rules of ``EdgeKind/extended``; it runs stages where the app migrates by them. The simulation
/// compares the result with the history's, and so finds a migration that succeeds and loses data.
package struct AppMigration: Sendable {
  /// The graph of all edges, including those that the app does not have.
  package let graph: VersionGraph
  /// The edges that Core Data could take.
  let known: VersionGraph
  /// The names by which the versions carry properties.
  private let names: CarriedNames
  let runtime: AppRuntime
  /// The stages by which the app migrates, where it does.
  let stages: StagedMigrationManager?
  /// The names of two schemas of the app's migration plan that have the same hashes; empty where all differ.
  private let equalSchemas: [String]
  /// The names of the schemas whose sources contradict themselves, so that it is not known which models
  /// they have.
  private let unclearSchemas: Set<String>
  /// Whether it goes straight from a store's version to its own, by that version's model.
  package let isStraight: Bool
  /// The simulations with a stand-in for each default that the app computes; empty where there are
  /// none.
  private let withStandIns: [AppMigration]

  /// The migrations of one model's app.
  ///
  /// - Parameters:
  ///   - graph: The versions with all edges.
  ///   - bundled: The edges of the mapping models that the app's bundle has; nil where those edges
  ///     of the graph count that come from mapping models alone.
  ///   - runtime: The app's own kind of migration.
  ///   - stages: The stages, with the file that they come from, where it migrates by stages.
  ///   - equalSchemas: The names of two schemas of the app's plan that have the same hashes.
  ///   - unclearSchemas: The names of the schemas whose sources contradict themselves.
  /// - Complexity: As the graph's own.
  package init(
    graph: VersionGraph,
    bundled: [AuthoredEdge]? = nil,
    runtime: AppRuntime,
    stages: (manager: StagedMigrationManager, origin: AuthoredEdge.Origin)? = nil,
    equalSchemas: [String] = [],
    unclearSchemas: Set<String> = []
  ) {
    withStandIns =
      graph.versionedModel.standingInForComputedDefaults.map { model in
        [
          AppMigration(
            graph: VersionGraph(model, authored: graph.authored),
            bundled: bundled,
            runtime: runtime,
            stages: stages,
            equalSchemas: equalSchemas
          )
        ]
      } ?? []
    self.equalSchemas = equalSchemas
    self.unclearSchemas = unclearSchemas
    self.graph = graph
    names = CarriedNames(graph)
    self.runtime = runtime
    self.stages = stages?.manager
    let edges =
      runtime.isStaged ? stages.map { $0.manager.edges(origin: $0.origin) } ?? bundled : bundled
    let nodes = VersionGraph.nodes(of: graph.versionedModel)
    // An app that migrates straight infers by the models that it opens stores with. One that migrates
    // step by step has each version's own.
    isStraight = runtime.isStraight || runtime == .staged && stages == nil
    known = VersionGraph(
      graph,
      nodes: isStraight ? nodes.map(\.ofApp) : nodes,
      authored: (edges ?? graph.authored.filter { $0.origins.allSatisfy(\.form.isCoreData) })
        .filter { edge in
          !runtime.isOfSwiftData || !edge.origins.contains(where: \.form.isCoreData)
        }
    )
  }

  /// Whether the app migrates by stages.
  package var hasStages: Bool { stages != nil }

  /// Returns the outcome of the app's migration of a store from one version to another.
  ///
  /// - Parameter survey: The edges of the graph, for callers that ask often.
  /// - Complexity: O(*n* · *p*) in the versions between the two and the properties of one; O(1) besides
  ///   making one edge, where the survey has the verdict on it.
  package func outcome(
    from source: VersionGroup,
    to destination: VersionGroup,
    survey: EdgeCache? = nil
  ) -> AppOutcome {
    let words = AppOutcomeText(
      source: source,
      destination: destination,
      graph: graph,
      names: names,
      runtime: runtime
    )
    if runtime == .swiftDataPlan, equalSchemas.count > 1 { return words.endsAtStart(equalSchemas) }
    let unclear = (source.versions + destination.versions).map(\.name).first(
      where: unclearSchemas.contains
    )
    if let unclear { return words.unclearSchema(unclear) }
    if source == destination {
      return AppOutcome(
        kind: .arrives,
        nodes: [source.index],
        summary: "Opens the store as it is.",
        findings: []
      )
    }
    guard graph.order.precedes(source.index, destination.index) else {
      return source.index < destination.index ? words.otherBranch : words.newer
    }
    if source.isRecovered { return words.unknownVersion }
    let steps: [VersionGraph.Edge]
    do throws(StagedMigrationManager.Obstacle) {
      steps = try self.steps(from: source, to: destination)
    } catch {
      return words.notStaged(error)
    }
    guard !steps.isEmpty else { return words.notStaged(.otherPlaces) }
    for (index, step) in steps.enumerated() {
      if let end = words.end(at: step, after: Array(steps[..<index])) { return end }
    }
    if steps.contains(where: \.isRefused), !steps.allSatisfy({ isOfHistory($0) }) {
      // Where nothing depends on the values, the outcome is the same with stand-ins.
      if let other = withStandIns.first, other.graph.nodes.count == graph.nodes.count {
        let outcome = other.outcome(
          from: other.graph.nodes[source.index],
          to: other.graph.nodes[destination.index]
        )
        if outcome.kind != .unknown, outcome.kind != .fails { return outcome }
      }
      return words.computedDefaults(by: steps)
    }
    let outcome = words.arrival(by: steps, verdict(on: steps, from: source, survey))
    // It is not documented whether SwiftData takes lightweight stages in a row one by one, or all as one.
    let isSkipping = steps.contains { !isStep($0) && $0.kind != .authored }
    return runtime == .swiftDataPlan && isSkipping && !outcome.kind.isArrival
      ? words.undocumentedStages(outcome) : outcome
  }

  /// Returns a step as the app knows it: by its own mapping models, else as Core Data infers it.
  package func inferred(_ step: VersionGraph.Edge) -> VersionGraph.Edge {
    known.edge(from: known.nodes[step.source], to: known.nodes[step.destination])
  }

  /// Returns the edges that the app would take, one after the other, whether or not they exist.
  func steps(
    from source: VersionGroup,
    to destination: VersionGroup
  ) throws(StagedMigrationManager.Obstacle) -> [VersionGraph.Edge] {
    switch (runtime, stages) {
    case (.progressive, _):
      let history = graph.order.history(from: source.index, to: destination.index) ?? []
      return zip(history, history.dropFirst()).map {
        known.edge(from: known.nodes[$0], to: known.nodes[$1])
      }
    case (.swiftDataPlan, nil): throw .unknownStages
    case (.staged, let stages?), (.swiftDataPlan, let stages?):
      var steps: [VersionGraph.Edge] = []
      for step in try stages.steps(from: source.position, to: destination.position) {
        guard let first = known.nodes.first(where: { $0.position == step.source }),
          let last = known.nodes.first(where: { $0.position == step.destination })
        else { throw .otherPlaces }
        steps.append(known.edge(from: first, to: last))
      }
      return steps
    case (.direct, _), (.swiftData, _), (.staged, nil):
      return [known.edge(from: known.nodes[source.index], to: known.nodes[destination.index])]
    }
  }

  /// Returns the verdict on the app's steps, taken one after the other.
  ///
  /// An authored edge is its own reference, because the user declared it; all others are compared with
  /// the history between their ends.
  private func verdict(
    on steps: [VersionGraph.Edge],
    from source: VersionGroup,
    _ survey: EdgeCache?
  ) -> EdgeVerdict {
    if steps.allSatisfy(isOfHistory) { return .equivalent }
    if steps.count == 1, let step = steps.first, !hasAuthoredEdge(step), arrivesByHistory(step),
      let verdict = survey?.entry(from: step.source, to: step.destination)?.verdict
    {
      return verdict
    }
    var mapping = ComposedMapping(identityOf: source.model)
    var history = VersionGraph.HistoryMappings.Result.mapping(mapping)
    for step in steps {
      guard let own = known.composedMapping(of: step) else { continue }
      mapping = mapping.then(own)
      if step.kind == .authored {
        history = history.then(own, from: step.source, to: step.destination)
      } else {
        history = history.then(
          VersionGraph.HistoryMappings(graph, from: step.source, through: step.destination)[
            step.destination
          ],
          from: step.source,
          to: step.destination
        )
      }
    }
    return VersionGraph.verdict(on: mapping, history)
  }

  /// Returns whether a step does the same as the history by definition: it is authored, or one of the
  /// history's steps.
  private func isOfHistory(_ edge: VersionGraph.Edge) -> Bool {
    edge.kind == .authored || isStep(edge)
  }

  /// Returns whether an inferred step is a consecutive one without an authored edge.
  private func isStep(_ edge: VersionGraph.Edge) -> Bool {
    edge.isConsecutive && !hasAuthoredEdge(edge) && arrivesByHistory(edge)
  }

  /// Returns whether the app's model is that of the version at which the history's step ends.
  private func arrivesByHistory(_ edge: VersionGraph.Edge) -> Bool {
    let (source, destination) = (known.nodes[edge.source], known.nodes[edge.destination])
    return destination.arrivalPosition(from: source) == destination.historyPosition(from: source)
  }

  private func hasAuthoredEdge(_ edge: VersionGraph.Edge) -> Bool {
    graph.hasAuthoredEdge(NodePair(source: edge.source, destination: edge.destination))
  }
}
