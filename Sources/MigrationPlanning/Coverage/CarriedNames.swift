import ObjectModel
import Synchronization

/// A cache of the names by which a history carries properties, shared by searches of many paths.
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

  /// Returns the last canonical name of a property in the history between two versions, the first one
  /// left out, that is not its own name.
  ///
  /// - Complexity: O(*n*) in versions for each property, the first time.
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

  /// Returns the edges of the history between two versions at which Renaming IDs disagree, the last one
  /// first.
  func disputes(from source: Int, to destination: Int) -> some Sequence<VersionGraph.Edge> {
    disputedSteps.lazy.reversed().map { self.graph.consecutiveEdges[$0] }.filter { edge in
      self.graph.order.isBetween(edge.source, source, destination)
        && self.graph.order.isBetween(edge.destination, source, destination)
    }
  }
}

extension Finding {
  /// Whether the finding reports Renaming IDs that disagree, with a remedy.
  package var disputesIdentifier: Bool {
    code.has(.identifierDispute) && advice.mark != nil
  }
}
