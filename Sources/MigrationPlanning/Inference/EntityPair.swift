import ObjectModel

/// Two entities that match, with the properties that match between them.
struct EntityPair {
  /// Where a property of the destination gets its values.
  struct Carry {
    /// The property of the source.
    let source: ManagedObjectModel.DeclaredProperty
    /// Why they match; nil where it follows from their inverses.
    let basis: CanonicalMatching.Basis?
  }

  let source: EntityDescription
  let destination: EntityDescription
  /// Whether the hashes are equal, so that nothing about the rows changes.
  var isEqual: Bool
  /// What each property of the destination matches, by its name; complete unless ``isEqual``.
  private(set) var carries: [String: Carry] = [:]
  /// The properties of the source that match none.
  private(set) var dropped: [ManagedObjectModel.DeclaredProperty] = []
  private(set) var ambiguities: [CanonicalMatching.Ambiguity] = []

  init(source: EntityDescription, destination: EntityDescription, isEqual: Bool) {
    self.source = source
    self.destination = destination
    self.isEqual = isEqual
  }

  /// Matches the properties, own and inherited ones alike: what moved within the hierarchy matches
  /// wherever the entities have it.
  mutating func matchProperties(
    _ sources: [ManagedObjectModel.DeclaredProperty],
    _ destinations: [ManagedObjectModel.DeclaredProperty]
  ) {
    let sources = sources.filter(\.property.isMatched)
    let destinations = destinations.filter(\.property.isMatched)
    let matching = CanonicalMatching(
      source: sources.map(\.property.key),
      destination: destinations.map(\.property.key)
    )
    for (declared, match) in zip(destinations, matching.matches) {
      guard let match else { continue }
      carries[declared.property.name] = Carry(source: sources[match.source], basis: match.basis)
    }
    dropped = matching.unmatchedSources.map { sources[$0] }
    ambiguities = matching.ambiguities
  }

  /// Lets a relationship of the destination carry one that would be dropped, because their
  /// inverses match.
  mutating func carry(_ source: ManagedObjectModel.DeclaredProperty, as name: String) {
    carries[name] = Carry(source: source, basis: nil)
    dropped.removeAll { $0.property.name == source.property.name }
  }

  /// The name in the source of what a property of the destination carries.
  func sourceName(of destinationName: String) -> String? {
    isEqual ? destinationName : carries[destinationName]?.source.property.name
  }

  /// The name in the destination of what carries a property of the source.
  func destinationName(of sourceName: String) -> String? {
    isEqual ? sourceName : carries.first { $0.value.source.property.name == sourceName }?.key
  }
}

extension PropertyDescription {
  /// Whether the property takes part in matching; the results of fetches have no data.
  var isMatched: Bool {
    if case .fetchedProperty = self { false } else { true }
  }

  /// The names by which the property matches.
  var key: CanonicalMatching.Key {
    let identifier =
      switch self {
      case .attribute(let attribute): attribute.renamingIdentifier
      case .relationship(let relationship): relationship.renamingIdentifier
      case .fetchedProperty(let property): property.renamingIdentifier
      }
    return CanonicalMatching.Key(name: name, renamingIdentifier: identifier)
  }
}
