import ObjectModel

/// The hops of a path, each with the mappings of the path that are composed up to it.
///
/// A mapping is composed when an iteration reaches its hop, so that a caller that stops early composes no more.
package struct HopMappings: Sequence, IteratorProtocol {
  /// A hop and its place in the path, in normal form.
  package struct Element {
    /// The hop.
    package let hop: Hop
    /// The mapping of the hop alone.
    package let own: ComposedMapping
    /// The mapping of all hops before it; the identity for the first.
    package let before: ComposedMapping
    /// The mapping of all hops up to it, and of itself.
    package let after: ComposedMapping
  }

  private var rest: ArraySlice<Hop>
  private var composed: ComposedMapping?

  /// Starts before the first of some hops, each of which starts where the one before it ends.
  fileprivate init(_ hops: [Hop]) {
    rest = hops[...]
  }

  /// Returns the next hop with its mappings; nil at the end of the path.
  package mutating func next() -> Element? {
    guard let hop = rest.popFirst() else { return nil }
    let (before, own) = (
      composed ?? ComposedMapping(identityOf: hop.source.model), hop.composedMapping
    )
    let after = before.then(own)
    composed = after
    return Element(hop: hop, own: own, before: before, after: after)
  }
}

extension [Hop] {
  /// The hops with the mappings of the path, each composed when it is reached.
  ///
  /// - Complexity: O(*p*) for each hop, in the properties of one version.
  package var mappings: HopMappings { HopMappings(self) }
}

extension MigrationPlan {
  /// The mapping of all hops in normal form; the identity where there are none.
  ///
  /// - Complexity: O(*h* · *p*) in hops and the properties of one version.
  package var composedMapping: ComposedMapping {
    guard let first = hops.first else { return ComposedMapping(identityOf: source.model) }
    return hops.dropFirst().reduce(first.composedMapping) { $0.then($1.composedMapping) }
  }
}
