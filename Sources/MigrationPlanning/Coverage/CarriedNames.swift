import ObjectModel
import Synchronization

/// By which names a history carries properties, looked up by those who ask of many paths.
final class CarriedNames: Sendable {
  private struct Property: Hashable {
    let entity: String
    let name: String
  }

  /// A version that gives a property another canonical name than its name.
  private struct Place {
    let node: Int
    let canonicalName: String
  }

  private let graph: VersionGraph
  /// The edges between consecutive versions, by their places, at which Renaming IDs disagree.
  private let disputedSteps: [Int]
  private let places = Mutex<[Property: [Place]]>([:])

  init(_ graph: VersionGraph) {
    self.graph = graph
    disputedSteps = graph.consecutiveEdges.indices.filter { place in
      graph.consecutiveEdges[place].findings.contains(where: \.disputesIdentifier)
    }
  }

  /// The last canonical name on the walks between two nodes, the first one left out, that is not the
  /// property's own name.
  ///
  /// - Complexity: O(*n*) in nodes for each property, the first time.
  func identifier(of name: String, in entity: String, from source: Int, to destination: Int)
    -> String?
  {
    let all = places.withLock { places in
      let property = Property(entity: entity, name: name)
      if let known = places[property] { return known }
      let made = graph.nodes.flatMap { node in
        node.versions.compactMap { version -> Place? in
          let found = version.model.property(name, of: entity)?.property.canonicalName
          return found.flatMap { $0 == name ? nil : Place(node: node.index, canonicalName: $0) }
        }
      }
      places[property] = made
      return made
    }
    return all.last { place in
      place.node != source && graph.order.isBetween(place.node, source, destination)
    }?.canonicalName
  }

  /// The edges on the walks between two nodes at which Renaming IDs disagree, the last one first.
  func disputes(from source: Int, to destination: Int) -> some Sequence<VersionGraph.Edge> {
    disputedSteps.lazy.reversed().map { self.graph.consecutiveEdges[$0] }.filter { edge in
      self.graph.order.isBetween(edge.source, source, destination)
        && self.graph.order.isBetween(edge.destination, source, destination)
    }
  }
}

extension Finding {
  /// Whether it tells of Renaming IDs that disagree and how to mend them.
  package var disputesIdentifier: Bool {
    [.renamingIdentifierNamesOldName, .canonicalNamesDisagree].contains(code)
      && ModelFramework.renames(remedy)
  }
}
