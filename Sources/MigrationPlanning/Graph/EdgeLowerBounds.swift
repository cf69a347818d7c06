import ObjectModel

/// A lower bound on an edge's cost that needs no mapping.
package struct EdgeLowerBound: Hashable, Sendable {
  /// A lower bound on the verdict.
  package enum Verdict: Hashable, Sendable {
    /// The edge may be equivalent.
    case open
    /// The edge is not equivalent, unless it is refused.
    case notEquivalent
    /// The edge skips a step that does not exist, so that its verdict is unknown, unless it is refused.
    case unknown
    /// The edge is refused.
    case refused
  }

  /// The fewest effects of an edge on the data.
  package struct Risks: Hashable, Sendable {
    /// The number of losses by design.
    package internal(set) var lossy = 0
    /// The number of conditions under which it keeps everything, as far as they are unknown.
    package internal(set) var conditional = 0
  }

  package internal(set) var verdict = Verdict.open
  /// The fewest effects for every store.
  package internal(set) var risks = Risks()

  /// Returns the least cost of the edge.
  ///
  /// - Parameters:
  ///   - stepCount: The number of consecutive steps that it skips.
  ///   - risks: The fewest effects for one store, or for every store.
  func leastCost(over stepCount: Int, _ risks: Risks) -> PlanCost {
    var cost = PlanCost()
    cost.hops = 1
    cost.notEquivalent = verdict == .notEquivalent ? 1 : 0
    cost.unknown = verdict == .unknown ? stepCount : 0
    cost.unknownPreconditions = risks.conditional
    cost.lossyFindings = risks.lossy
    return cost
  }
}

/// The lower bounds on all edges in a line of versions, computed from each entity alone.
///
/// Between two versions that both have an entity under one name and one canonical name, rows of the
/// entity become rows of the entity, independent of other entities. Each edge then loses at least the
/// values that the entity's own plain attributes lose. An edge is not equivalent where an attribute has
/// the value of another attribute than in the history. Versions that declare an entity alike are
/// compared once.
struct EdgeLowerBounds {
  private let count: Int
  private var tracks: [EntityHistory]
  /// The number of refused steps up to each version.
  private let gaps: [Int]
  /// The number of authored steps up to each version.
  private let breaks: [Int]

  /// Makes the bounds; nil where nothing is certain: among branches, for a store without rows, and
  /// where no inference makes the edges.
  ///
  /// - Complexity: O(*n* · *e*) in versions and entities.
  init?(_ graph: VersionGraph) {
    guard graph.order.isLine, let inference = graph.inference, !inference.isOfEmptyStore,
      graph.nodes.allSatisfy({ $0.doubtful.isEmpty && !$0.isRecovered })
    else { return nil }
    let nodes = graph.nodes
    count = nodes.count
    var gaps = [0]
    var breaks = [0]
    for edge in graph.consecutiveEdges {
      gaps.append((gaps.last ?? 0) + (edge.isRefused ? 1 : 0))
      breaks.append((breaks.last ?? 0) + (edge.kind == .authored ? 1 : 0))
    }
    self.gaps = gaps
    self.breaks = breaks
    let leaving = nodes.map { inference.models[$0.position] }
    let arriving = nodes.map { node in
      // Versions with the same hashes may differ in facts that no hash covers: steps end at one or the
      // other.
      node.versions.count == 1
        ? [inference.models[node.position]]
        : Set(nodes[..<node.index].map(node.arrivalPosition)).map { inference.models[$0] }
    }
    var owners: [String: Set<String>] = [:]
    for key in Set(inference.models.flatMap { $0.entities.map(\.key) }) {
      owners[key.name, default: []].insert(key.name)
      if let identifier = key.explicitIdentifier {
        owners[identifier, default: []].insert(key.name)
      }
    }
    let shared = owners.values.filter { $0.count > 1 }.reduce(into: Set()) { $0.formUnion($1) }
    let spokesmen = Self.spokesmen(inference.models.map(\.model))
    tracks = Set(leaving.flatMap { $0.entities.map(\.name) }).map { name in
      EntityHistory(
        leaving: leaving.map { $0.entity(named: name) },
        arriving: arriving.map { $0.map { $0.entity(named: name) } },
        isAlone: !shared.contains(name),
        declarers: spokesmen[name, default: []].union([name])
      )
    }
  }

  /// Returns the entities that are abstract in all versions, by the one entity in whose rows their
  /// properties are counted, which inherits from them in all versions.
  private static func spokesmen(_ models: [ManagedObjectModel]) -> [String: Set<String>] {
    var heirs: [String: Set<String>] = [:]
    for model in models {
      for entity in model.entities where entity.isAbstract {
        let concrete = model.hierarchyNames(below: entity.name)
          .filter { model[$0]?.isAbstract == false }
        heirs[entity.name] = heirs[entity.name].map { $0.intersection(concrete) } ?? Set(concrete)
      }
    }
    let concrete = Set(models.flatMap { $0.entities.filter { !$0.isAbstract }.map(\.name) })
    var spokesmen: [String: Set<String>] = [:]
    for (entity, names) in heirs where !concrete.contains(entity) {
      guard let name = names.min(by: ByteOrder.precedes) else { continue }
      spokesmen[name, default: []].insert(entity)
    }
    return spokesmen
  }

  /// Returns whether all steps between two versions are inferred.
  func isInferred(_ pair: NodePair) -> Bool {
    gaps[pair.destination] == gaps[pair.source] && breaks[pair.destination] == breaks[pair.source]
  }

  /// Returns the bound on the edge from a version to a later one, over several steps; nil where there
  /// is none.
  mutating func bound(from source: Int, to destination: Int) -> EdgeLowerBound? {
    guard 0 <= source, source + 1 < destination, destination < count else { return nil }
    var bound = EdgeLowerBound()
    if gaps[destination] > gaps[source] { bound.verdict = .unknown }
    guard breaks[destination] == breaks[source] else { return bound }
    for place in tracks.indices {
      let own = tracks[place].bound(from: source, to: destination)
      bound.risks.lossy += Int(own.lossy)
      bound.risks.conditional += Int(own.conditional)
      switch own.verdict {
      case .refused: bound.verdict = .refused
      case .notEquivalent where bound.verdict == .open: bound.verdict = .notEquivalent
      default: break
      }
    }
    return bound
  }
}
