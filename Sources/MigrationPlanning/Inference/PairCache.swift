import ObjectModel

/// A cache of matched entity pairs, which recur between many versions.
struct PairCache {
  private struct Key: Hashable {
    let source: Int
    let destination: Int
    let basis: CanonicalMatching.Basis

    init(_ pair: EntityPair) {
      source = pair.source.number
      destination = pair.destination.number
      basis = pair.basis
    }
  }

  private var matched: [Key: EntityPair] = [:]
  private var origins: [Key: [ComposedMapping.Origin]] = [:]

  /// Matches the properties, unless that was done before.
  mutating func matchProperties(of pair: inout EntityPair) {
    let key = Key(pair)
    if let known = matched[key] {
      pair = known
    } else {
      pair.matchProperties()
      matched[key] = pair
    }
  }

  /// Returns the origins of the destination's objects, made by a closure unless that was done before.
  mutating func origins(
    of pair: EntityPair,
    _ make: () -> [ComposedMapping.Origin]
  ) -> [ComposedMapping.Origin] {
    guard pair.isOwnMatching else { return make() }
    let key = Key(pair)
    if let known = origins[key] { return known }
    let made = make()
    origins[key] = made
    return made
  }
}
