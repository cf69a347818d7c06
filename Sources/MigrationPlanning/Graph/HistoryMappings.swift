import ObjectModel

/// A conflict of two branches that meet and map objects of one version differently.
package struct BranchConflict: Hashable, Sendable {
  /// The index of the version at which they meet.
  package let node: Int
  /// The index of the last version of one branch.
  package let first: Int
  /// The index of the last version of the other branch.
  package let second: Int
  /// The first difference between the histories over the branches: the reference is the history over
  /// ``first``.
  package let difference: MappingDifference
}

extension VersionGraph {
  /// The histories from one version to all that follow from it, each composed into one mapping.
  ///
  /// Where branches meet, the histories over them must do the same; a history with a missing step is
  /// left out as long as another one exists.
  struct HistoryMappings {
    /// A composed mapping, or the reason why there is none.
    enum Result {
      case mapping(ComposedMapping)
      case missing(EdgeVerdict.Reason)

      /// Returns the history with one more step, which may be missing.
      func then(_ step: ComposedMapping?, from source: Int, to destination: Int) -> Result {
        guard case .mapping(let mapping) = self else { return self }
        guard let step else { return .missing(.missingStep(from: source, to: destination)) }
        return .mapping(mapping.then(step))
      }

      /// Returns the history with another one after it, which may not exist.
      func then(_ other: Result?, from source: Int, to destination: Int) -> Result {
        switch (self, other) {
        case (.missing, _): self
        case (.mapping, .missing(let reason)?): .missing(reason)
        case (.mapping, .mapping(let mapping)?): then(mapping, from: source, to: destination)
        case (.mapping, nil): .missing(.missingStep(from: source, to: destination))
        }
      }
    }

    private let order: VersionOrder
    private let choice: BranchChoice
    private let source: Int
    private let model: ManagedObjectModel
    /// The histories to later versions.
    private var results: [Result?]
    /// The version up to which the histories are known.
    private(set) var last: Int

    /// Starts with the history to the version itself, which ``extend(through:step:)`` continues.
    init(
      _ order: VersionOrder,
      from source: Int,
      _ model: ManagedObjectModel,
      _ choice: BranchChoice
    ) {
      self.order = order
      self.choice = choice
      self.source = source
      self.model = model
      results = [Result?](repeating: nil, count: order.count)
      last = source
    }

    /// Composes the graph's own steps.
    ///
    /// - Parameter end: The only version to which a history is needed; nil for all.
    /// - Complexity: O(*n* · *p*) in versions and the properties of one version.
    init(
      _ graph: VersionGraph,
      from source: Int,
      through end: Int? = nil,
      _ choice: BranchChoice = BranchChoice()
    ) {
      self.init(graph.order, from: source, graph.nodes[source].model, choice)
      let wanted = end.map { Set(graph.order.between(source, $0)) }
      extend(through: end ?? graph.order.count - 1) { step in
        guard wanted?.contains(step.destination) ?? true else { return .outside }
        let edge = graph.edge(from: graph.nodes[step.source], to: graph.nodes[step.destination])
        return .step(graph.composedMapping(of: edge), isInferred: edge.kind == .inferred)
      }
    }

    /// A step that a history may take, or none.
    enum Step {
      /// A step of the history, and whether it is inferred; nil where it has no edge.
      case step(ComposedMapping?, isInferred: Bool)
      /// A version to which the caller wants no history.
      case outside
    }

    /// Extends the histories to a later version, by steps that a closure gives.
    ///
    /// - Complexity: O(*k* · *p*) in the versions that are new and the properties of one version.
    mutating func extend(through end: Int, step: (NodePair) -> Step) {
      while last < end {
        last += 1
        let parents = order.parents(of: last, from: source, choice)
        let arrivals = parents.compactMap { parent -> (parent: Int, history: Result)? in
          guard parent == source || results[parent] != nil,
            case .step(let mapping, let isInferred) = step(
              NodePair(source: parent, destination: last)
            )
          else { return nil }
          // From the version itself, an inferred step is the whole history. An authored one gets its
          // normal form by being composed.
          if parent == source, isInferred, let mapping { return (parent, .mapping(mapping)) }
          let history = results[parent] ?? .mapping(ComposedMapping(identityOf: model))
          return (parent, history.then(mapping, from: parent, to: last))
        }
        results[last] = Self.meeting(arrivals, at: last)
      }
    }

    /// The history to a version; nil where it has none.
    subscript(node: Int) -> Result? {
      if node == source { return .mapping(ComposedMapping(identityOf: model)) }
      return results.indices.contains(node) ? results[node] : nil
    }

    /// Returns the common history of several branches, or the reason why there is none.
    private static func meeting(
      _ arrivals: [(parent: Int, history: Result)],
      at node: Int
    ) -> Result? {
      guard arrivals.count > 1 else { return arrivals.first?.history }
      var first: (parent: Int, mapping: ComposedMapping)?
      for arrival in arrivals {
        switch (arrival.history, first) {
        case (.missing(.branchesDisagree), _): return arrival.history
        case (.missing, _): break
        case (.mapping(let mapping), nil): first = (arrival.parent, mapping)
        case (.mapping(let mapping), let known?):
          guard let difference = known.mapping.differences(from: mapping).first else { continue }
          let conflict = BranchConflict(
            node: node,
            first: known.parent,
            second: arrival.parent,
            difference: difference
          )
          return .missing(.branchesDisagree(conflict))
        }
      }
      return first.map { .mapping($0.mapping) } ?? arrivals.first?.history
    }
  }
}
