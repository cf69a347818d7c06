import ObjectModel

/// A matching of the entities and properties of two models.
struct EntityPairing {
  /// The pairs in byte order of the destination's names.
  private(set) var pairs: [EntityPair] = []
  /// Entities of the destination without a counterpart, in byte order.
  private(set) var added: [PreparedEntity] = []
  /// Entities of the source without a counterpart, in byte order.
  private(set) var removed: [PreparedEntity] = []
  private(set) var ambiguities: [CanonicalMatching.Ambiguity] = []
  /// Whether every entity that matches kept its name, and no name is that of another entity.
  private(set) var isRegular = true

  /// Entities of the source that no longer have all the entities below them that live on.
  private var deserted: Set<String> = []
  private var indexBySource: [String: Int] = [:]
  private var indexByDestination: [String: Int] = [:]

  /// - Parameter cache: The pairs whose properties were matched before.
  init(source: PreparedModel, destination: PreparedModel, cache: inout PairCache) {
    let matching = CanonicalMatching(
      source: source.keys,
      indexes: source.indexes,
      destination: destination.keys
    )
    ambiguities = matching.ambiguities
    pairs.reserveCapacity(destination.entities.count)
    indexBySource.reserveCapacity(destination.entities.count)
    indexByDestination.reserveCapacity(destination.entities.count)
    for (entity, match) in zip(destination.entities, matching.matches) {
      guard let match else {
        added.append(entity)
        if source.indexes[entity.name] != nil { isRegular = false }
        continue
      }
      let other = source.entities[match.source]
      if other.name != entity.name { isRegular = false }
      indexBySource[other.name] = pairs.count
      indexByDestination[entity.name] = pairs.count
      pairs.append(EntityPair(source: other, destination: entity, basis: match.basis))
    }
    removed = matching.unmatchedSources.map { source.entities[$0] }
    findDeserted(source.model, destination.model)
    for index in pairs.indices where !isEqualThroughout(pairs[index]) {
      cache.matchProperties(of: &pairs[index])
    }
    for index in pairs.indices where !pairs[index].isEqual && !pairs[index].dropped.isEmpty {
      followInverses(at: index)
    }
  }

  /// Returns the pair of an entity of the source.
  func pair(source name: String) -> EntityPair? { indexBySource[name].map { pairs[$0] } }

  /// Returns the pair of an entity of the destination.
  func pair(destination name: String) -> EntityPair? { indexByDestination[name].map { pairs[$0] } }

  /// Returns the name of the entity that an entity of the source becomes.
  func counterpart(ofSource name: String) -> String? {
    indexBySource[name].map { pairs[$0].destination.name }
  }

  /// Finds the entities from whose hierarchy one below them moved out.
  ///
  /// An entity's hash has that of its parent, so that only entities whose hash changed can move.
  private mutating func findDeserted(
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel
  ) {
    for pair in pairs where !pair.isEqual && pair.source.superentityName != nil {
      for ancestor in source.ancestorNames(of: pair.source.name) {
        guard let above = counterpart(ofSource: ancestor),
          !destination.isKind(pair.destination.name, of: above)
        else { continue }
        deserted.insert(ancestor)
      }
    }
  }

  /// Returns whether equal hashes also mean equal names and destinations.
  ///
  /// The hash has neither the name of a derived or composite attribute nor the identity of a destination
  /// whose name another entity took over, nor the subentities of a destination.
  private func isEqualThroughout(_ pair: EntityPair) -> Bool {
    guard pair.isEqual, pair.source.unhashedNames == pair.destination.unhashedNames else {
      return false
    }
    return isRegular && deserted.isEmpty
      || pair.destination.destinationNames.allSatisfy {
        counterpart(ofSource: $0) == $0 && !deserted.contains($0)
      }
  }

  /// Matches the inverse of a matched relationship, under any name.
  private mutating func followInverses(at index: Int) {
    let pair = pairs[index]
    for (place, new) in pair.destination.properties.enumerated() where pair.carries[place] == nil {
      guard let relationship = new.property.relationship, relationship.isPersistent,
        let inverse = relationship.inverseName,
        let far = self.pair(destination: relationship.destinationEntityName),
        let old = far.sourceProperty(of: inverse)?.relationship, old.isPersistent,
        let oldIndex = old.inverseName.flatMap({ pair.source.index(of: $0) }),
        pairs[index].dropped.contains(oldIndex),
        pair.source.properties[oldIndex].property.relationship?.isPersistent == true
      else { continue }
      pairs[index].carry(oldIndex, as: place)
    }
  }
}
