package import ObjectModel

/// The versions of one model in their order, and the edges between them.
///
/// Versions of the same hashes are one version of the graph (a ``VersionGroup``), which has one index.
/// Each ordered pair has an edge. Edges between consecutive versions, which make up the history, are
/// inferred with the graph; all others on access.
package struct VersionGraph: Sendable {
  /// An edge between two versions: a mapping, or the reasons why there is none.
  package struct Edge: Hashable, Sendable {
    /// The index of the version that it leaves.
    package let source: Int
    /// The index of the version that it leads to.
    package let destination: Int
    /// The kind of the edge.
    package let kind: EdgeKind
    /// The mapping that makes objects of the destination; nil where the edge is refused.
    package let mapping: MappingModel?
    /// The effects on the data.
    package var findings: [Finding]
    /// The reasons for a refusal; empty where there is a mapping.
    package let refusals: [Finding]
    /// The files that it comes from, where it is authored.
    package let origins: [AuthoredEdge.Origin]
    /// Whether one of its ends follows the other directly.
    package var isConsecutive: Bool

    /// An edge that is refused unless it has a mapping.
    package init(
      source: Int,
      destination: Int,
      kind: EdgeKind,
      mapping: MappingModel?,
      findings: [Finding],
      refusals: [Finding],
      origins: [AuthoredEdge.Origin] = []
    ) {
      self.source = source
      self.destination = destination
      self.kind = kind
      self.mapping = mapping
      self.findings = findings
      self.refusals = refusals
      self.origins = origins
      isConsecutive = abs(destination - source) == 1
    }

    /// An edge that is refused.
    init(refused refusals: [Finding], from source: VersionGroup, to destination: VersionGroup) {
      self.init(
        source: source.index,
        destination: destination.index,
        kind: .inferred,
        mapping: nil,
        findings: [],
        refusals: refusals
      )
    }

    /// Whether there is no mapping.
    package var isRefused: Bool { mapping == nil }
    /// The worst risk among the findings.
    package var risk: Risk { findings.compactMap(\.risk).max() ?? .exact }
  }

  /// The model whose versions they are; ``versionedModel`` has those that the graph knows.
  private let model: VersionedModel
  /// The versions in their order.
  package let nodes: [VersionGroup]
  /// The order of the versions.
  package let order: VersionOrder
  /// The edge from each version to those that follow it directly, by destination and then source: in a
  /// line, that from each version but the last to the next.
  package let consecutiveEdges: [Edge]

  let edgeSource: EdgeSource
  /// The authored edges, by the versions that they join.
  private let authoredEdges: [NodePair: AuthoredEdge]
  private let consecutiveIndexes: [NodePair: Int]

  /// The name of the model whose versions they are.
  package var modelName: String { model.name }
  /// The project's answers to the questions that versions leave open.
  package var questions: OpenQuestions { model.questions }

  /// Makes the graph of a model's versions, in the model's order.
  ///
  /// - Parameter authored: The authored edges; each replaces an inferred one.
  /// - Complexity: O(*v* · *p*) in versions and properties of one version.
  package init(_ model: VersionedModel, authored: [AuthoredEdge] = []) {
    self.init(model, nodes: Self.nodes(of: model), authored: authored)
  }

  /// Makes the graph of a model's versions, whose groups are known already.
  init(_ model: VersionedModel, nodes: [VersionGroup], authored: [AuthoredEdge]) {
    let order = VersionOrder(nodes, of: model)
    let inferred = InferredEdges(
      models: PreparedModel.models(model.versions),
      history: model,
      order: order
    )
    self.init(model, nodes, order, authored, EdgeSource(inferred))
  }

  /// Makes a graph of the same versions with other authored edges, which shares the inferred ones.
  init(_ graph: VersionGraph, nodes: [VersionGroup], authored: [AuthoredEdge]) {
    guard graph.inference != nil else {
      self.init(graph.versionedModel, nodes: nodes, authored: authored)
      return
    }
    self.init(graph.model, nodes, graph.order, authored, graph.edgeSource)
  }

  /// Returns the graph of the same versions for a store that has no row in any table: no step is refused
  /// since rows would have no value.
  package func ofEmptyStore() -> VersionGraph {
    guard let inference else { return self }
    let inferred = InferredEdges(
      models: inference.models,
      history: inference.history,
      order: inference.order,
      isOfEmptyStore: true
    )
    return VersionGraph(model, nodes, order, authored, EdgeSource(inferred))
  }

  /// Whether its edges are those of a store that has no row.
  package var isOfEmptyStore: Bool { inference?.isOfEmptyStore == true }

  /// Makes a graph of given versions whose edges another source makes than inference.
  package init(
    modelName: String,
    nodes: [VersionGroup],
    order: VersionOrder? = nil,
    edges: EdgeSource
  ) {
    let model = VersionedModel(name: modelName, versions: [])
    self.init(model, nodes, order ?? VersionOrder(count: nodes.count), [], edges)
  }

  private init(
    _ model: VersionedModel,
    _ nodes: [VersionGroup],
    _ order: VersionOrder,
    _ authored: [AuthoredEdge],
    _ edgeSource: EdgeSource
  ) {
    self.model = model
    self.nodes = nodes
    self.order = order
    self.edgeSource = edgeSource
    let indexes = Dictionary(nodes.map { ($0.hashes, $0.index) }, uniquingKeysWith: { $1 })
    let joined = authored.compactMap { edge -> (NodePair, AuthoredEdge)? in
      guard edge.modelName.map({ $0 == model.name }) ?? true, let first = indexes[edge.source],
        let last = indexes[edge.destination]
      else {
        return nil
      }
      // Hops know only the elements of composites, for edges of every origin.
      var expanded = edge
      expanded.mapping = CompositeExpansion(from: nodes[first].model, to: nodes[last].model)
        .expanded(edge.mapping)
      return (NodePair(source: first, destination: last), expanded)
    }
    let edges = Dictionary(joined, uniquingKeysWith: { first, _ in first })
    authoredEdges = edges
    let steps = order.steps
    consecutiveEdges = steps.map { pair in
      let (source, destination) = (nodes[pair.source], nodes[pair.destination])
      var edge =
        edges[pair].map { Self.edge($0, from: source, to: destination, model.questions) }
        ?? edgeSource.edge(source, destination)
      edge.isConsecutive = true
      return edge
    }
    consecutiveIndexes = Dictionary(uniqueKeysWithValues: zip(steps, steps.indices))
  }

  /// Returns the edge between two versions, in either direction.
  ///
  /// Versions of different branches have only authored edges.
  /// - Complexity: O(*p*) in the properties of both models, unless the versions are consecutive.
  package func edge(from source: VersionGroup, to destination: VersionGroup) -> Edge {
    let pair = NodePair(source: source.index, destination: destination.index)
    if let index = consecutiveIndexes[pair] { return consecutiveEdges[index] }
    if let edge = authoredEdge(source, destination) { return edge }
    guard order.areComparable(source.index, destination.index) else {
      let refusal = branchRefusal(from: source, to: destination)
      return Edge(refused: [refusal], from: source, to: destination)
    }
    var edge = edgeSource.edge(source, destination)
    edge.isConsecutive = order.isStep(source.index, destination.index)
    return edge
  }

  /// Returns the edges of the history between two versions, by destination and then source; of all
  /// branches where it has several.
  package func historyEdges(from source: Int, to destination: Int) -> [Edge] {
    if order.isLine {
      return source < destination ? Array(consecutiveEdges[source..<destination]) : []
    }
    let nodes = Set(order.between(source, destination))
    return consecutiveEdges.filter { nodes.contains($0.source) && nodes.contains($0.destination) }
  }

  /// Returns whether the edge between the versions of two indexes is authored.
  package func hasAuthoredEdge(_ pair: NodePair) -> Bool {
    !authoredEdges.isEmpty && authoredEdges[pair] != nil
  }

  /// The versions that authored edges join, in their order.
  package var authoredPairs: [NodePair] {
    authoredEdges.keys.sorted { ($0.source, $0.destination) < ($1.source, $1.destination) }
  }

  /// The authored edges, in the order of the versions that they join.
  package var authored: [AuthoredEdge] { authoredPairs.compactMap { authoredEdges[$0] } }

  /// All versions in their order.
  package var versionedModel: VersionedModel {
    let versions = nodes.flatMap { zip($0.positions, $0.versions) }.sorted { $0.0 < $1.0 }
    var known = VersionedModel(name: modelName, versions: [])
    known.versions = versions.map(\.1)
    known.parents = model.parents
    known.unreadable = model.unreadable
    known.questions = questions
    return known
  }

  private func authoredEdge(_ source: VersionGroup, _ destination: VersionGroup) -> Edge? {
    let pair = NodePair(source: source.index, destination: destination.index)
    return authoredEdges[pair].map { authored in
      var edge = Self.edge(authored, from: source, to: destination, questions)
      edge.isConsecutive = order.isStep(source.index, destination.index)
      return edge
    }
  }

  /// The versions as inference knows them; nil where the edges come from elsewhere.
  var inference: InferredEdges? { edgeSource.inference }

  /// Returns the summary of the edge between two versions, and its mapping in normal form.
  func entry(
    from source: VersionGroup,
    to destination: VersionGroup,
    cache: inout PairCache
  ) -> (entry: EdgeSummary, mapping: ComposedMapping?) {
    if let inferred = inference, source.doubtful.isEmpty,
      !hasAuthoredEdge(NodePair(source: source.index, destination: destination.index))
    {
      return inferred.entry(from: source, to: destination, cache: &cache)
    }
    let edge = edge(from: source, to: destination)
    return (EdgeSummary(edge), composedMapping(of: edge))
  }

  /// The edges between all ordered pairs, by source and then destination, refused ones included.
  ///
  /// - Complexity: O(*n*² · *p*) in versions and properties; each is made when it is reached, so that
  ///   the mappings of all pairs need not be held at once.
  package var edges: some Sequence<Edge> {
    nodes.lazy.flatMap { source in
      nodes.dropFirst(source.index + 1).lazy.filter { order.precedes(source.index, $0.index) }
        .map { edge(from: source, to: $0) }
    }
  }

  /// Returns the version at which a step ends: the first of the destination's after the source.
  ///
  /// Findings on the step name this version, and not later ones of the same hashes.
  package func arrival(of edge: Edge) -> ModelVersion {
    nodes[edge.destination].arrivalVersion(from: nodes[edge.source])
  }

  /// Returns the version that has exactly these hashes, if any.
  package func node(hashes: [String: VersionHash]) -> VersionGroup? {
    nodes.first { $0.hashes == hashes }
  }

  /// Returns the group of the version with this name, if any.
  package func node(named name: String) -> VersionGroup? {
    nodes.last { node in
      node.versions.contains { $0.name == name || $0.qualifiedName == name }
    }
  }

  /// The group of the version that the model names as its current one, else the last group; nil where
  /// the model names one that cannot be read.
  package var currentNode: VersionGroup? {
    nodes.last { node in node.versions.contains(where: \.isCurrent) }
      ?? (model.unreadable.contains(where: \.isCurrent) ? nil : nodes.last)
  }

  /// The findings on versions with the same hashes, and on consecutive ones that no edge joins.
  package var findings: [Finding] {
    let equal = nodes.filter { $0.versions.count > 1 }.map { node in
      Finding(
        .equalVersions,
        .note,
        at: Finding.Place(version: node.name),
        message:
          "Versions \(node.versions.map(\.name).capped) have the same hashes: "
          + "a store is of all of them.",
        remedy: "Nothing needs to be done; the last of them is used."
      )
    }
    let missing = consecutiveEdges.filter(\.isRefused).map { edge in
      let count = edge.refusals.count
      return Finding(
        .missingStep,
        .warning,
        at: Finding.Place(version: arrival(of: edge).name),
        message: "No edge leads from \(version: nodes[edge.source].name) to "
          + "\(version: arrival(of: edge).name)"
          + (count > 1 && edge.origins.isEmpty ? ": \(count) changes need a mapping. " : ". ")
          + Finding.Text(edge.refusals.map(\.statement)),
        advice: edge.origins.isEmpty
          ? "Write \(nodes[edge.destination].model.framework.ownMapping) for the step."
          : "Correct \(AuthoredEdge.shownNames(edge.origins.map(\.path)).joined(separator: " and "))."
      )
    }
    return equal + missing + branchFindings()
  }

  /// Returns the differences between versions of the same hashes.
  ///
  /// No store is migrated from one of them to another, so they have no immediate effect.
  /// - Complexity: O(*v* · *p*) in the group's versions and the properties of one.
  func unseenFindings(within node: VersionGroup) -> [Finding] {
    zip(node.versions, node.versions.dropFirst()).flatMap { old, new in
      questions.configurationUse
        .settled(MappingInference.infer(from: old.model, to: new.model).findings)
        .map { $0.placed(in: new.name) }
    }
  }

  static func nodes(of model: VersionedModel) -> [VersionGroup] {
    let versions = model.versions
    var positions: [[String: VersionHash]: [Int]] = [:]
    for (position, version) in versions.enumerated() {
      positions[version.model.entityVersionHashes, default: []].append(position)
    }
    let groups = positions.values.sorted { model.place(of: $0) < model.place(of: $1) }
    return groups.enumerated().map { index, group in
      VersionGroup(
        index: index,
        versions: group.map { versions[$0] },
        positions: group,
        last: versions[model.place(of: group)]
      )
    }
  }

  /// Makes an authored edge between two versions.
  private static func edge(
    _ authored: AuthoredEdge,
    from source: VersionGroup,
    to destination: VersionGroup,
    _ questions: OpenQuestions
  ) -> Edge {
    let (first, last) = (source.model, destination.model)
    let findings =
      authored.findings
      ?? MappingAudit.findings(of: authored.mapping, from: first, to: last)
      + MappingAudit.unseenFindings(of: authored.mapping, from: first, to: last)
    let all =
      questions.configurationUse.settled(findings)
      + MappingAudit.unseenEffects(of: authored.mapping)
    return Edge(
      source: source.index,
      destination: destination.index,
      kind: .authored,
      mapping: authored.refusals.isEmpty ? authored.mapping : nil,
      findings: authored.refusals.isEmpty ? all.map { $0.placed(in: destination.name) } : [],
      refusals: authored.refusals.map { $0.placed(in: destination.name) },
      origins: authored.origins
    )
  }
}

extension Finding {
  /// Returns the finding, placed at a step to a version.
  package func placed(in version: String) -> Finding {
    var finding = self
    finding.place.version = version
    return finding
  }
}
