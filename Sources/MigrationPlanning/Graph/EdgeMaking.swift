import ObjectModel

/// Whatever gives a graph the edges that nobody wrote.
package protocol EdgeMaking: Sendable {
  /// The edge between two nodes, with its mapping and all its findings.
  func edge(from source: VersionNode, to destination: VersionNode) -> VersionGraph.Edge

  /// The verdict on an edge, where the maker rather than a comparison of mappings gives it.
  func verdict(from source: VersionNode, to destination: VersionNode) -> EdgeVerdict?
}

/// Where a graph has its edges from.
enum EdgeSource: Sendable {
  /// Core Data's lightweight rules.
  case inference(InferredEdges)
  /// Something else, such as a sketch.
  case maker(any EdgeMaking)

  func edge(from source: VersionNode, to destination: VersionNode) -> VersionGraph.Edge {
    switch self {
    case .inference(let inferred): inferred.edge(from: source, to: destination)
    case .maker(let maker): maker.edge(from: source, to: destination)
    }
  }

  /// The verdict on an edge, where no comparison of mappings gives it.
  func verdict(from source: VersionNode, to destination: VersionNode) -> EdgeVerdict? {
    if case .maker(let maker) = self {
      maker.verdict(from: source, to: destination)
    } else {
      nil
    }
  }
}

/// Edges by Core Data's lightweight rules.
struct InferredEdges: Sendable {
  /// All versions in their order, of one pool.
  let models: [PreparedModel]

  func edge(from source: VersionNode, to destination: VersionNode) -> VersionGraph.Edge {
    let result = MappingInference.infer(
      from: models[source.position],
      to: models[destination.arrivalPosition(from: source)]
    )
    let edge = VersionGraph.Edge(
      source: source.index,
      destination: destination.index,
      kind: result.kind,
      mapping: result.mapping,
      findings: result.findings.map { $0.placed(in: destination.name) },
      refusals: result.refusals.map { $0.placed(in: destination.name) }
    )
    return edge.leaving(source, for: destination.name)
  }

  /// The same without mapping and words; entities that are equal cost next to nothing.
  func outline(
    from source: VersionNode,
    to destination: VersionNode,
    cache: inout PairCache
  ) -> EdgeOutline {
    let arrival = destination.arrivalPosition(from: source)
    let inference = MappingInference(
      source: models[source.position],
      destination: models[arrival],
      onlyCounts: true,
      cache: &cache
    )
    let refusals = inference.collector.refusals
    let counts = inference.collector.counts
    var outline = EdgeOutline(
      source: source.index,
      destination: destination.index,
      kind: inference.kind,
      risks: source.isRecovered ? counts.withoutDeclaration : counts,
      refusals: refusals.map { $0.placed(in: destination.name) }
    )
    if refusals.isEmpty {
      outline.way = NormalMapping(
        inference,
        from: source.model,
        to: destination.model,
        arrivingAt: destination.arrivalModel(from: source),
        isShared: arrival == destination.position,
        cache: &cache
      )
    }
    return outline
  }
}

/// An edge without its mapping and the words of its findings, which a search does without.
struct EdgeOutline {
  let source: Int
  let destination: Int
  let kind: EdgeKind
  let risks: RiskCounts
  let refusals: [Finding]
  /// The files that it comes from, where people wrote it.
  var origins: [AuthoredEdge.Origin] = []
  /// The policies that it names.
  var policyNames: [String] = []
  /// What it does in normal form; nil where it is refused.
  var way: NormalMapping?

  init(
    source: Int,
    destination: Int,
    kind: EdgeKind,
    risks: RiskCounts,
    refusals: [Finding]
  ) {
    self.source = source
    self.destination = destination
    self.kind = kind
    self.risks = risks
    self.refusals = refusals
  }

  init(_ edge: VersionGraph.Edge, way: NormalMapping?) {
    self.init(
      source: edge.source,
      destination: edge.destination,
      kind: edge.kind,
      risks: RiskCounts(of: edge.findings),
      refusals: edge.refusals
    )
    origins = edge.origins
    policyNames = edge.mapping?.policyNames ?? []
    self.way = way
  }
}

/// Two nodes by their places in the order.
struct NodePair: Hashable {
  let source: Int
  let destination: Int
}
