public import ObjectModel

/// What is to be known of all edges between some nodes of a graph, before a path is searched.
///
/// It has the verdict on each edge and counts what the edge does, and leaves out mappings and words,
/// so that all pairs of a hundred versions are surveyed in about a second.
public struct EdgeSurvey: Sendable {
  /// An edge in a few words.
  public struct Entry: Hashable, Sendable {
    /// The index of the node that it leaves.
    public let source: Int
    /// The index of the node that it leads to.
    public let destination: Int
    /// Where it comes from.
    public let kind: EdgeKind
    /// Whether it means what the walk between its ends means; nil where it is refused.
    public let verdict: EdgeVerdict?
    /// What it does to the data, counted.
    public internal(set) var risks: RiskCounts
    /// Why it is refused; empty where there is a mapping.
    public let refusals: [Finding]
    /// The files that it comes from, where people wrote it.
    public let origins: [AuthoredEdge.Origin]
    /// The policies that it names.
    public let policyNames: [String]
    /// The bytes that it writes, about; 0 where no store was asked.
    public internal(set) var estimatedBytes = 0

    init(_ outline: EdgeOutline, verdict: EdgeVerdict?) {
      source = outline.source
      destination = outline.destination
      kind = outline.kind
      self.verdict = verdict
      risks = outline.risks
      refusals = outline.refusals
      origins = outline.origins
      policyNames = outline.policyNames
    }

    /// Whether there is no mapping.
    public var isRefused: Bool { verdict == nil }
    /// Whether it joins neighbours in the order of nodes.
    public var isConsecutive: Bool { abs(destination - source) == 1 }

    /// What it costs to take it.
    public var cost: PlanCost {
      var cost = PlanCost()
      cost.hops = 1
      switch verdict {
      case .unfaithful: cost.unfaithful = 1
      case .undecided: cost.undecided = abs(destination - source)
      case .faithful, nil: break
      }
      cost.undeclaredLosses = risks.undeclared
      cost.refuted = risks.refuted
      cost.unknownPreconditions = risks.conditional
      cost.lossyFindings = risks.lossy
      cost.estimatedBytes = estimatedBytes
      return cost
    }
  }

  /// The indexes of the first and last node, in the direction of the edges.
  public let ends: (source: Int, destination: Int)
  /// The edges by source and then destination, nearest first, refused ones included.
  public let entries: [Entry]

  /// The edge between two nodes, if it is one of those surveyed.
  ///
  /// - Complexity: O(1).
  public func entry(from source: Int, to destination: Int) -> Entry? {
    let count = abs(ends.destination - ends.source) + 1
    let step = ends.destination < ends.source ? -1 : 1
    let row = (source - ends.source) * step
    let column = (destination - source) * step - 1
    guard (0..<count).contains(row), column >= 0, column < count - row - 1 else { return nil }
    // The rows before have count - 1, count - 2, … edges.
    return entries[row * (2 * count - row - 1) / 2 + column]
  }
}

extension VersionGraph {
  /// Surveys the edges from every node to all later ones.
  ///
  /// - Complexity: O(*n*² · *e*) in nodes and entities, and the properties of entities that changed.
  public func survey() -> EdgeSurvey { survey(from: 0, through: Swift.max(0, nodes.count - 1)) }

  /// Surveys the edges between the nodes from one to another, in their direction.
  ///
  /// - Complexity: As ``survey()``, for the nodes between.
  public func survey(from source: Int, through destination: Int) -> EdgeSurvey {
    let isForward = source <= destination
    let indexes = Array(stride(from: source, through: destination, by: isForward ? 1 : -1))
      .filter(nodes.indices.contains)
    var cache = PairCache()
    var entries: [EdgeSurvey.Entry] = []
    entries.reserveCapacity(indexes.count * (indexes.count - 1) / 2)
    let steps = zip(indexes, indexes.dropFirst()).map {
      outline(from: nodes[$0], to: nodes[$1], cache: &cache)
    }
    for (place, first) in indexes.enumerated().dropLast() {
      var walk = Walks.Result.way(NormalMapping(identityOf: nodes[first].model))
      for (index, last) in indexes.enumerated().dropFirst(place + 1) {
        if isForward {
          let step = steps[index - 1]
          walk = walk.followed(by: step.way, from: step.source, to: step.destination)
        }
        let outline =
          index == place + 1
          ? steps[place] : outline(from: nodes[first], to: nodes[last], cache: &cache)
        let verdict = verdict(on: outline, isForward ? walk : nil)
        entries.append(EdgeSurvey.Entry(outline, verdict: verdict))
      }
    }
    return EdgeSurvey(ends: (source, destination), entries: entries)
  }

  private func verdict(on outline: EdgeOutline, _ walk: Walks.Result?) -> EdgeVerdict? {
    guard let way = outline.way else { return nil }
    if abs(outline.destination - outline.source) == 1 || outline.kind == .authored {
      return .faithful
    }
    if let verdict = givenVerdict(outline.source, outline.destination) { return verdict }
    return walk.map { Self.verdict(on: way, $0) } ?? .undecided(.downgrade)
  }
}
