import ObjectModel

/// The source of a graph's edges: Core Data's lightweight rules, or another, such as a sketch.
package struct EdgeSource: Sendable {
  /// The edge between two versions, with its mapping and all its findings.
  let edge: @Sendable (VersionGroup, VersionGroup) -> VersionGraph.Edge
  /// The verdict on the edge between two versions; nil where a comparison of mappings gives it.
  let verdict: @Sendable (VersionGroup, VersionGroup) -> EdgeVerdict?
  /// The versions as inference knows them; nil for another source.
  let inference: InferredEdges?

  /// A source of two closures, each given the source and the destination of an edge.
  package init(
    edge: @escaping @Sendable (VersionGroup, VersionGroup) -> VersionGraph.Edge,
    verdict: @escaping @Sendable (VersionGroup, VersionGroup) -> EdgeVerdict?
  ) {
    self.edge = edge
    self.verdict = verdict
    inference = nil
  }

  init(_ inferred: InferredEdges) {
    edge = { inferred.edge(from: $0, to: $1) }
    verdict = { _, _ in nil }
    inference = inferred
  }
}

/// The edges by Core Data's lightweight rules.
struct InferredEdges: Sendable {
  /// All versions in their order, of one pool.
  let models: [PreparedModel]
  /// The same versions with those that cannot be read.
  let history: VersionedModel
  /// The order of the versions.
  let order: VersionOrder
  /// Whether they are for a store without rows.
  let isOfEmptyStore: Bool
  /// The edges made last, which both a plan and an app may take.
  private let recent = RecentValues<Key, VersionGraph.Edge>(capacity: 4)

  /// The key of a cached edge: its ends, and the positions of the versions that decide it.
  private struct Key: Hashable {
    let ends: NodePair
    /// The positions of the versions at which the edge starts and ends, and of the version that the
    /// history has.
    let positions: [Int]
  }

  init(
    models: [PreparedModel],
    history: VersionedModel,
    order: VersionOrder,
    isOfEmptyStore: Bool = false
  ) {
    self.models = models
    self.history = history
    self.order = order
    self.isOfEmptyStore = isOfEmptyStore
  }

  func edge(from source: VersionGroup, to destination: VersionGroup) -> VersionGraph.Edge {
    // The changes of a recovered version are that version's own.
    guard !source.isRecovered, source.doubtful.isEmpty else { return make(source, destination) }
    let key = Key(
      ends: NodePair(source: source.index, destination: destination.index),
      positions: [
        source.position, destination.arrivalPosition(from: source),
        destination.historyPosition(from: source),
      ]
    )
    return recent.value(of: key) { make(source, destination) }
  }

  private func make(_ source: VersionGroup, _ destination: VersionGroup) -> VersionGraph.Edge {
    if let refusal = gap(from: source, to: destination) {
      return VersionGraph.Edge(refused: [refusal], from: source, to: destination)
    }
    let arrival = destination.arrivalPosition(from: source)
    let result = MappingInference.infer(
      from: models[source.position],
      to: models[arrival],
      span: source.index > destination.index
        ? .downgrade : order.isStep(source.index, destination.index) ? .step : .shortcut,
      isOfEmptyStore: isOfEmptyStore
    )
    let identifiers =
      order.isStep(source.index, destination.index)
      ? RenamingHistory(versions: history.versions) : nil
    // Findings are large, and there are many: they are changed in place.
    var findings = history.questions.configurationUse.settled(result.findings)
    for index in findings.indices {
      if let identifiers {
        findings[index] = identifiers.informed(findings[index], from: source.position, to: arrival)
      }
      findings[index].place.version = destination.name
    }
    let edge = VersionGraph.Edge(
      source: source.index,
      destination: destination.index,
      kind: result.kind,
      mapping: result.mapping,
      findings: findings,
      refusals: result.refusals.map { $0.placed(in: destination.name) }
    )
    return edge.leaving(source, for: destination.name)
  }

  /// Returns the summary of an edge, and its mapping in normal form; nil where it is refused.
  ///
  /// Entities that are equal cost next to nothing.
  func entry(
    from source: VersionGroup,
    to destination: VersionGroup,
    cache: inout PairCache
  ) -> (entry: EdgeSummary, mapping: ComposedMapping?) {
    let arrival = destination.arrivalPosition(from: source)
    if gap(from: source, to: destination) != nil {
      return (EdgeSummary(edge(from: source, to: destination)), nil)
    }
    let inference = MappingInference(
      source: models[source.position],
      destination: models[arrival],
      onlyCounts: true,
      isOfEmptyStore: isOfEmptyStore,
      cache: &cache
    )
    let refusals = inference.collector.refusals
    let counts = inference.collector.counts
    let entry = EdgeSummary(
      source: source.index,
      destination: destination.index,
      kind: inference.kind,
      risks: source.isRecovered ? counts.withoutDeclaration : counts,
      refusals: refusals.map { $0.placed(in: destination.name) }
    )
    guard refusals.isEmpty else { return (entry, nil) }
    let mapping = ComposedMapping(
      inference,
      from: source.model,
      to: destination.model,
      arrivingAt: destination.arrivalModel(from: source),
      isShared: arrival == destination.position,
      cache: &cache
    )
    return (entry, mapping)
  }

  /// Returns a refusal where a version between two others cannot be read, because its declarations
  /// decide the history.
  private func gap(from source: VersionGroup, to destination: VersionGroup) -> Finding? {
    let missing = history.unreadable(
      between: source.position,
      and: destination.historyPosition(from: source)
    )
    guard let first = missing.first else { return nil }
    let names = missing.map(\.name).joined(separator: ", ")
    return Finding(
      .unreadableVersion,
      .error,
      at: Finding.Place(version: destination.name),
      message:
        "\(names) between \(version: source.name) and \(version: destination.name) cannot be read, so what the "
        + "step means is unknown. \(first.reason)",
      advice:
        "Restore \(names) from version control, or write \(destination.model.framework.ownMapping) from "
        + "\(version: source.name) to \(version: destination.name)."
    )
  }
}

/// A pair of versions, by their places in the order.
package struct NodePair: Hashable, Sendable {
  /// The one that comes first.
  package let source: Int
  /// The other one.
  package let destination: Int

  /// The versions at two places.
  package init(source: Int, destination: Int) {
    self.source = source
    self.destination = destination
  }
}
