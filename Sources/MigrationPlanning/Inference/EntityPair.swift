import ObjectModel

/// A pair of entities that match, with the properties that match between them.
struct EntityPair {
  /// A source property that gives its values to a property of the destination.
  struct Carry {
    /// The place of the source's property.
    let source: Int
    /// The rule by which they match; nil where the match follows from their inverses.
    let basis: CanonicalMatching.Basis?
  }

  let source: PreparedEntity
  let destination: PreparedEntity
  /// The rule by which the entities match.
  let basis: CanonicalMatching.Basis
  /// Whether the hashes are equal, so that nothing about the rows changes.
  private(set) var isEqual: Bool
  /// The source property for each property of the destination; empty where ``isEqual``.
  private(set) var carries: [Carry?] = []
  /// The places of the source's properties that match none.
  private(set) var dropped: [Int] = []
  private(set) var ambiguities: [CanonicalMatching.Ambiguity] = []
  /// Whether the matches follow from the two entities alone.
  private(set) var isOwnMatching = true

  init(
    source: PreparedEntity,
    destination: PreparedEntity,
    basis: CanonicalMatching.Basis
  ) {
    self.source = source
    self.destination = destination
    self.basis = basis
    isEqual = source.hash != nil && source.hash == destination.hash
  }

  /// Matches the properties, own and inherited ones alike: a property that moved within the hierarchy
  /// matches in each entity that has it.
  mutating func matchProperties() {
    isEqual = false
    let matching = CanonicalMatching(
      source: source.keys,
      indexes: source.indexes,
      destination: destination.keys
    )
    carries = matching.matches.map { match in
      match.map { Carry(source: $0.source, basis: $0.basis) }
    }
    dropped = matching.unmatchedSources
    ambiguities = matching.ambiguities
  }

  /// Lets a relationship of the destination carry one that would be dropped, because their
  /// inverses match.
  mutating func carry(_ sourceIndex: Int, as destinationIndex: Int) {
    isOwnMatching = false
    carries[destinationIndex] = Carry(source: sourceIndex, basis: nil)
    dropped.removeAll { $0 == sourceIndex }
  }

  /// Returns whether an attribute of the destination is, in every respect, that which it carries.
  func isUnchanged(_ place: Int, _ carry: Carry) -> Bool {
    guard let mark = destination.marks[place] else { return false }
    return source.marks[carry.source] == mark
  }

  /// Returns the source's property that a property of the destination matches.
  func sourceProperty(of destinationName: String) -> PropertyDescription? {
    declaredSource(of: destinationName)?.property
  }

  /// Returns the source's property that a property of the destination matches, with its declaring
  /// entity.
  func declaredSource(of destinationName: String) -> ManagedObjectModel.DeclaredProperty? {
    if isEqual { return source.index(of: destinationName).map { source.properties[$0] } }
    return destination.index(of: destinationName).flatMap { carries[$0] }.map {
      source.properties[$0.source]
    }
  }

  /// Returns the destination's property that matches a property of the source.
  func destinationProperty(of sourceName: String) -> PropertyDescription? {
    if isEqual {
      return destination.index(of: sourceName).map { destination.properties[$0].property }
    }
    guard let index = source.index(of: sourceName),
      let place = carries.firstIndex(where: { $0?.source == index })
    else { return nil }
    return destination.properties[place].property
  }
}
