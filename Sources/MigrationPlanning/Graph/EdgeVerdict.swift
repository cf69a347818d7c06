import ObjectModel

/// Whether an edge means what the walk over all versions between its ends means.
package enum EdgeVerdict: Hashable, Sendable {
  /// It does the same to every object, or a person declared that it is meant.
  case equivalent
  /// It loses, brings back or changes what these differences name; never empty.
  case notEquivalent([MappingDifference])
  /// Nobody can say.
  case unknown(Reason)

  /// Why nobody can say whether an edge is equivalent.
  package enum Reason: Hashable, Sendable {
    /// The walk has a step without an edge, between the nodes of these indexes.
    case missingStep(from: Int, to: Int)
    /// A policy, a handler or SQL takes part in the walk, which equals only itself.
    case opaque(MappingDifference)
    /// Branches meet on the way, and the walks over them do different things.
    case branchesDisagree(BranchConflict)
    /// It leads to an older version, where no walk is the reference.
    case downgrade
  }
}

extension VersionGraph {
  /// What an edge does in normal form; nil where it is refused.
  func normalMapping(of edge: Edge) -> ComposedMapping? {
    edge.mapping.map {
      ComposedMapping($0, from: nodes[edge.source], to: nodes[edge.destination], kind: edge.kind)
    }
  }

  /// What the mapping of an edge means; nil where it is refused.
  func resolved(_ edge: Edge) -> ResolvedMapping? {
    edge.mapping.map {
      ResolvedMapping($0, from: nodes[edge.source], to: nodes[edge.destination], kind: edge.kind)
    }
  }

  /// Whether an edge means what the walk between its ends means.
  ///
  /// - Returns: Nil for an edge that is refused.
  /// - Complexity: O(*n* · *p*) in the nodes between its ends and the properties of one version.
  package func verdict(on edge: Edge) -> EdgeVerdict? {
    guard !edge.isRefused else { return nil }
    if edge.isConsecutive || edge.kind == .authored { return .equivalent }
    if let verdict = givenVerdict(edge.source, edge.destination) { return verdict }
    guard order.precedes(edge.source, edge.destination) else { return .unknown(.downgrade) }
    let walks = HistoryMappings(self, from: edge.source, through: edge.destination)
    return walks[edge.destination].flatMap { verdict(on: edge, $0) }
  }

  /// The edges from a node to all later ones with their verdicts, in the order of nodes; none that
  /// are refused.
  ///
  /// - Complexity: O(*n* · *p*) in the later nodes and the properties of one version.
  package func verdicts(from source: VersionGroup) -> [(edge: Edge, verdict: EdgeVerdict)] {
    let walks = HistoryMappings(self, from: source.index)
    return nodes.compactMap { node in
      guard node != source, let walk = walks[node.index] else { return nil }
      let edge = edge(from: source, to: node)
      return verdict(on: edge, walk).map { (edge, $0) }
    }
  }

  /// In what an authored edge differs from the walk between its ends, as far as that is certain.
  ///
  /// Both are equivalent by declaration, so that a user's data depends on which of them is taken.
  /// - Complexity: As ``verdict(on:)``.
  package func disagreements(of edge: Edge) -> [MappingDifference] {
    guard edge.kind == .authored, !edge.isConsecutive, edge.source < edge.destination,
      let way = normalMapping(of: edge)
    else { return [] }
    let walks = HistoryMappings(self, from: edge.source, through: edge.destination)
    guard case .way(let reference)? = walks[edge.destination] else { return [] }
    return reference.differences(from: way).filter { $0.kind != .unknown }
  }

  private func verdict(on edge: Edge, _ walk: HistoryMappings.Result) -> EdgeVerdict? {
    guard let way = normalMapping(of: edge) else { return nil }
    if edge.isConsecutive || edge.kind == .authored { return .equivalent }
    return givenVerdict(edge.source, edge.destination) ?? Self.verdict(on: way, walk)
  }

  /// Whether a way does what a walk between the same ends does.
  static func verdict(on way: ComposedMapping, _ walk: HistoryMappings.Result) -> EdgeVerdict {
    switch walk {
    case .missing(let reason): return .unknown(reason)
    case .way(let reference):
      let differences = reference.differences(from: way)
      guard let first = differences.first else { return .equivalent }
      if first.kind == .unknown { return .unknown(.opaque(first)) }
      return .notEquivalent(differences.filter { $0.kind != .unknown })
    }
  }
}
