package import ObjectModel

/// What is to be known of all edges between some nodes of a graph, before a path is searched.
///
/// It has the verdict on each edge and counts what the edge does, and leaves out mappings and words,
/// so that all pairs of a hundred versions are surveyed in about a second.
package struct EdgeSurvey: Sendable {
  /// An edge in a few words.
  package struct Entry: Hashable, Sendable {
    /// The index of the node that it leaves.
    package let source: Int
    /// The index of the node that it leads to.
    package let destination: Int
    /// Where it comes from.
    package let kind: EdgeKind
    /// Whether it means what the walk between its ends means; nil where it is refused.
    package internal(set) var verdict: EdgeVerdict?
    /// What it does to the data, counted.
    package internal(set) var risks: RiskCounts
    /// Why it is refused; empty where there is a mapping.
    package let refusals: [Finding]
    /// The files that it comes from, where people wrote it.
    package internal(set) var origins: [AuthoredEdge.Origin] = []
    /// The policies that it names.
    package internal(set) var policyNames: [String] = []
    /// The bytes that it writes, about; 0 where no store was asked.
    package internal(set) var estimatedBytes = 0
    /// Whether one of its ends follows the other at once.
    package internal(set) var isConsecutive = false
    /// The fewest consecutive steps between its ends.
    package internal(set) var stepCount = 1

    /// Whether there is no mapping.
    package var isRefused: Bool { verdict == nil }

    /// What it costs to take it.
    package var cost: PlanCost {
      var cost = PlanCost()
      cost.hops = 1
      switch verdict {
      case .notEquivalent: cost.notEquivalent = 1
      case .unknown: cost.unknown = stepCount
      case .equivalent, nil: break
      }
      cost.undeclaredLosses = risks.undeclared
      cost.refuted = risks.refuted
      cost.unknownPreconditions = risks.conditional
      cost.lossyFindings = risks.lossy
      cost.estimatedBytes = estimatedBytes
      return cost
    }
  }

  /// The indexes of the nodes surveyed, in the direction of the edges.
  package let nodes: [Int]
  /// The edges by source and then destination, nearest first, refused ones included.
  package let entries: [Entry]

  private let ranks: [Int: Int]
  /// The place of the entry between each two nodes by their ranks; -1 where there is none.
  private let places: [Int]

  fileprivate init(nodes: [Int], entries: [Entry]) {
    self.nodes = nodes
    self.entries = entries
    let ranks = Dictionary(uniqueKeysWithValues: zip(nodes, nodes.indices))
    var places = [Int](repeating: -1, count: nodes.count * nodes.count)
    for (place, entry) in entries.enumerated() {
      guard let row = ranks[entry.source], let column = ranks[entry.destination] else { continue }
      places[row * nodes.count + column] = place
    }
    self.ranks = ranks
    self.places = places
  }

  /// The edge between two nodes, if it is one of those surveyed.
  ///
  /// - Complexity: O(1).
  package func entry(from source: Int, to destination: Int) -> Entry? {
    guard let row = ranks[source], let column = ranks[destination] else { return nil }
    let place = places[row * nodes.count + column]
    return place < 0 ? nil : entries[place]
  }
}

extension EdgeSurvey.Entry {
  init(_ edge: VersionGraph.Edge) {
    self.init(
      source: edge.source,
      destination: edge.destination,
      kind: edge.kind,
      risks: RiskCounts(of: edge.findings),
      refusals: edge.refusals
    )
    origins = edge.origins
    policyNames = edge.mapping?.policyNames ?? []
  }
}

extension VersionGraph {
  /// Surveys the edges from every node to all that follow from it.
  ///
  /// - Complexity: O(*n*² · *e*) in nodes and entities, and the properties of entities that changed.
  package func survey() -> EdgeSurvey { survey(over: Array(nodes.indices)) }

  /// Surveys the edges between the nodes on all walks from one to another, in their direction.
  ///
  /// - Complexity: As ``survey()``, for the nodes between.
  package func survey(from source: Int, through destination: Int) -> EdgeSurvey {
    survey(
      over: source <= destination
        ? order.between(source, destination) : order.between(destination, source).reversed()
    )
  }

  /// Surveys the edges between some nodes, in the direction in which they stand.
  ///
  /// - Parameter choice: The branches that are the reference where several meet.
  func survey(over indexes: [Int], _ choice: BranchChoice = BranchChoice()) -> EdgeSurvey {
    let isForward = indexes.first ?? 0 <= indexes.last ?? 0
    var cache = PairCache()
    var entries: [EdgeSurvey.Entry] = []
    entries.reserveCapacity(indexes.count * (indexes.count - 1) / 2)
    var steps: [NodePair: (entry: EdgeSurvey.Entry, way: NormalMapping?)] = [:]
    for (place, first) in indexes.enumerated() {
      for last in indexes.dropFirst(place + 1) where order.isStep(first, last) {
        steps[NodePair(source: first, destination: last)] = entry(
          from: nodes[first],
          to: nodes[last],
          cache: &cache
        )
      }
    }
    for (place, first) in indexes.enumerated().dropLast() {
      let walks =
        isForward
        ? Walks(order, from: first, nodes[first].model, choice) { pair in
          steps[pair].map { .step($0.way) } ?? .outside
        } : nil
      let counts = isForward ? order.stepCounts(from: first) : []
      for last in indexes.dropFirst(place + 1) where order.areComparable(first, last) {
        let edge =
          steps[NodePair(source: first, destination: last)]
          ?? entry(from: nodes[first], to: nodes[last], cache: &cache)
        var entry = edge.entry
        entry.verdict = edge.way.map { verdict(on: $0, of: edge.entry, walks?[last]) }
        entry.isConsecutive = order.isStep(first, last)
        entry.stepCount = (isForward ? counts[last] : order.stepCounts(from: last)[first]) ?? 1
        entries.append(entry)
      }
    }
    return EdgeSurvey(nodes: indexes, entries: entries)
  }

  private func verdict(
    on way: NormalMapping,
    of entry: EdgeSurvey.Entry,
    _ walk: Walks.Result?
  ) -> EdgeVerdict {
    if order.isStep(entry.source, entry.destination) || entry.kind == .authored {
      return .equivalent
    }
    if let verdict = givenVerdict(entry.source, entry.destination) { return verdict }
    return walk.map { Self.verdict(on: way, $0) } ?? .unknown(.downgrade)
  }
}
