import MigrationPlanning
import ObjectModel

/// A cache of the shapes of hops that recur in many plans of one graph.
package struct HopCache: Sendable {
  /// The shape of a hop, nil where it cannot be run, and the source entities of each entity's objects.
  typealias Known = (shape: WriteStrategy?, sources: [String: [String]])

  private var hops: [NodePair: Known] = [:]

  /// Makes an empty cache.
  package init() {}

  /// Returns the shape and sources of a hop.
  mutating func known(_ hop: Hop) -> Known {
    let ends = NodePair(source: hop.source.index, destination: hop.destination.index)
    if let known = hops[ends] { return known }
    let shape = WriteStrategy.of(
      hop.mapping,
      from: hop.source.model,
      to: hop.arrivalModel ?? hop.destination.model,
      isAuthored: hop.isMapped
    )
    let made = (
      shape: shape,
      sources: hop.kind == .authored
        ? hop.composedMapping.sourceEntityNames
        : hop.mapping.sourceEntityNames(in: hop.destination.model)
    )
    hops[ends] = made
    return made
  }
}

extension MappingModel {
  /// Returns the source entities whose objects each entity's are made of, in a mapping without conditions.
  fileprivate func sourceEntityNames(in destination: ManagedObjectModel) -> [String: [String]] {
    entityMappings.reduce(into: [:]) { names, mapping in
      guard let old = mapping.sourceEntityName, let new = mapping.destinationEntityName,
        destination[new]?.isAbstract == false
      else { return }
      names[new, default: []].append(old)
    }
  }
}
