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
    verdict(
      on: composedMapping(of: edge),
      from: edge.source,
      to: edge.destination,
      isReference: edge.isConsecutive || edge.kind == .authored
    ) {
      HistoryMappings(self, from: edge.source, through: edge.destination)[edge.destination]
    }
  }

  /// Returns the verdict on the mapping of an edge; nil for an edge that is refused.
  ///
  /// - Parameters:
  ///   - isReference: Whether the edge is a step or authored, which are equivalent by declaration.
  ///   - history: Returns the history between the ends, from the earlier to the later version.
  func verdict(
    on mapping: ComposedMapping?,
    from source: Int,
    to destination: Int,
    isReference: Bool,
    history: () -> HistoryMappings.Result?
  ) -> EdgeVerdict? {
    guard let mapping else { return nil }
    if isReference { return .equivalent }
    if let given = edgeSource.verdict(nodes[source], nodes[destination]) { return given }
    guard source < destination, let history = history() else { return .unknown(.downgrade) }
    return Self.verdict(on: mapping, history)
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
