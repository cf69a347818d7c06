import MigrationPlanning
import ObjectModel

/// What the hops of many plans of one graph do, each looked at once.
package struct RecurringHops: Sendable {
  /// What a hop writes, nil where it cannot be run, and of which entities' objects it makes those of each.
  typealias Known = (shape: HopShape?, sources: [String: [String]])

  private var hops: [NodePair: Known] = [:]

  /// No hops.
  package init() {}

  /// What is known of a hop.
  mutating func known(_ hop: Hop) -> Known {
    let ends = NodePair(source: hop.source.index, destination: hop.destination.index)
    if let known = hops[ends] { return known }
    let shape = HopShape.of(
      hop.mapping,
      from: hop.source.model,
      to: hop.arrivalModel ?? hop.destination.model,
      isAuthored: hop.isMapped
    )
    let made = (shape: shape, sources: hop.way.sourceEntityNames)
    hops[ends] = made
    return made
  }
}
