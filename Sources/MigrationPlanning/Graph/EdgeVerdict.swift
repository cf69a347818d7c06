import ObjectModel

/// A verdict on an edge: whether it does the same to every object as the history between its ends.
package enum EdgeVerdict: Hashable, Sendable {
  /// The edge does the same to every object, or the user declared it.
  case equivalent
  /// The edge loses, restores or changes the values that these differences name; never empty.
  ///
  /// - Parameter hidden: A further difference, in code that cannot be compared.
  case notEquivalent([MappingDifference], hidden: MappingDifference? = nil)
  /// The verdict is not known.
  case unknown(Reason)

  /// The reason why a verdict is unknown.
  package enum Reason: Hashable, Sendable {
    /// The history has a step without an edge, between the versions of these indexes.
    case missingStep(from: Int, to: Int)
    /// The history has a policy, a handler or SQL, which equals only itself.
    case opaque(MappingDifference)
    /// The history has branches that meet and do different things.
    case branchesDisagree(BranchConflict)
    /// The edge leads to an older version, which has no history as a reference.
    case downgrade
  }
}

extension VersionGraph {
  /// Returns the mapping of an edge in normal form; nil where it is refused.
  func composedMapping(of edge: Edge) -> ComposedMapping? {
    edge.mapping.map {
      ComposedMapping($0, from: nodes[edge.source], to: nodes[edge.destination], kind: edge.kind)
    }
  }

  /// Returns the resolved mapping of an edge; nil where it is refused.
  func resolved(_ edge: Edge) -> ResolvedMapping? {
    edge.mapping.map {
      ResolvedMapping($0, from: nodes[edge.source], to: nodes[edge.destination], kind: edge.kind)
    }
  }

  /// Returns the verdict on an edge.
  ///
  /// - Returns: Nil for an edge that is refused.
  /// - Complexity: O(*n* · *p*) in the versions between its ends and the properties of one version.
  package func verdict(on edge: Edge) -> EdgeVerdict? {
    guard !edge.isRefused else { return nil }
    if edge.isConsecutive || edge.kind == .authored { return .equivalent }
    if let verdict = givenVerdict(edge.source, edge.destination) { return verdict }
    guard order.precedes(edge.source, edge.destination) else { return .unknown(.downgrade) }
    let histories = HistoryMappings(self, from: edge.source, through: edge.destination)
    return histories[edge.destination].flatMap { verdict(on: edge, $0) }
  }

  /// Returns the edges from a version to all later ones with their verdicts, in the order of versions;
  /// none that are refused.
  ///
  /// - Complexity: O(*n* · *p*) in the later versions and the properties of one version.
  package func verdicts(from source: VersionGroup) -> [(edge: Edge, verdict: EdgeVerdict)] {
    let histories = HistoryMappings(self, from: source.index)
    return nodes.compactMap { node in
      guard node != source, let history = histories[node.index] else { return nil }
      let edge = edge(from: source, to: node)
      return verdict(on: edge, history).map { (edge, $0) }
    }
  }

  /// Returns the certain differences between an authored edge and the history between its ends.
  ///
  /// Both are equivalent by declaration, so a user's data depends on which of them is taken.
  /// - Complexity: As ``verdict(on:)``.
  package func disagreements(of edge: Edge) -> [MappingDifference] {
    guard edge.kind == .authored, !edge.isConsecutive, edge.source < edge.destination,
      let mapping = composedMapping(of: edge)
    else { return [] }
    let histories = HistoryMappings(self, from: edge.source, through: edge.destination)
    guard case .mapping(let reference)? = histories[edge.destination] else { return [] }
    return reference.differences(from: mapping).filter { $0.kind != .unknown }
  }

  private func verdict(on edge: Edge, _ history: HistoryMappings.Result) -> EdgeVerdict? {
    guard let mapping = composedMapping(of: edge) else { return nil }
    if edge.isConsecutive || edge.kind == .authored { return .equivalent }
    return givenVerdict(edge.source, edge.destination) ?? Self.verdict(on: mapping, history)
  }

  /// Returns the verdict on a mapping, compared with the history between the same ends.
  static func verdict(on mapping: ComposedMapping, _ history: HistoryMappings.Result) -> EdgeVerdict
  {
    switch history {
    case .missing(let reason): return .unknown(reason)
    case .mapping(let reference):
      let differences = reference.differences(from: mapping)
      guard let first = differences.first else { return .equivalent }
      if first.kind == .unknown { return .unknown(.opaque(first)) }
      return .notEquivalent(
        differences.filter { $0.kind != .unknown },
        hidden: differences.first { $0.kind == .unknown }
      )
    }
  }
}
