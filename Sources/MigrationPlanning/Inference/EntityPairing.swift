import ObjectModel

/// Which entities of two models match, and what follows for their properties.
struct EntityPairing {
  /// The pairs in byte order of the destination's names.
  private(set) var pairs: [EntityPair] = []
  /// Entities of the destination without a counterpart, in byte order.
  private(set) var added: [EntityDescription] = []
  /// Entities of the source without a counterpart, in byte order.
  private(set) var removed: [EntityDescription] = []
  private(set) var ambiguities: [CanonicalMatching.Ambiguity] = []
  /// The rule by which each pair matches.
  private(set) var bases: [CanonicalMatching.Basis] = []

  private var indexBySource: [String: Int] = [:]
  private var indexByDestination: [String: Int] = [:]
  /// Whether every entity that matches kept its name, and no name stands for another entity.
  private var isRegular = true

  init(source: ManagedObjectModel, destination: ManagedObjectModel) {
    let matching = CanonicalMatching(
      source: source.entities.map(\.key),
      destination: destination.entities.map(\.key)
    )
    ambiguities = matching.ambiguities
    for (entity, match) in zip(destination.entities, matching.matches) {
      guard let match else {
        added.append(entity)
        if source[entity.name] != nil { isRegular = false }
        continue
      }
      let other = source.entities[match.source]
      if other.name != entity.name { isRegular = false }
      indexBySource[other.name] = pairs.count
      indexByDestination[entity.name] = pairs.count
      let hash = source.entityVersionHashes[other.name]
      let isEqual = hash != nil && hash == destination.entityVersionHashes[entity.name]
      pairs.append(EntityPair(source: other, destination: entity, isEqual: isEqual))
      bases.append(match.basis)
    }
    removed = matching.unmatchedSources.map { source.entities[$0] }
    for index in pairs.indices {
      matchProperties(at: index, source, destination)
    }
    for index in pairs.indices where !pairs[index].isEqual {
      followInverses(at: index, source, destination)
    }
  }

  /// The pair of an entity of the source.
  func pair(source name: String) -> EntityPair? { indexBySource[name].map { pairs[$0] } }

  /// The pair of an entity of the destination.
  func pair(destination name: String) -> EntityPair? { indexByDestination[name].map { pairs[$0] } }

  /// The name of the entity that an entity of the source becomes.
  func counterpart(ofSource name: String) -> String? { pair(source: name)?.destination.name }

  private mutating func matchProperties(
    at index: Int,
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel
  ) {
    let old = source.properties(of: pairs[index].source.name)
    let new = destination.properties(of: pairs[index].destination.name)
    if pairs[index].isEqual, isEqualThroughout(old, new) { return }
    pairs[index].isEqual = false
    pairs[index].matchProperties(old, new)
  }

  /// Whether equal hashes also mean equal names and destinations.
  ///
  /// The hash has neither the name of a derived attribute nor the identity of a destination whose
  /// name another entity took over.
  private func isEqualThroughout(
    _ old: [ManagedObjectModel.DeclaredProperty],
    _ new: [ManagedObjectModel.DeclaredProperty]
  ) -> Bool {
    let oldDerived = old.filter { $0.property.attribute?.derivationExpression != nil }
    let newDerived = new.filter { $0.property.attribute?.derivationExpression != nil }
    guard oldDerived.map(\.property.name) == newDerived.map(\.property.name) else { return false }
    return isRegular
      || new.allSatisfy { declared in
        guard let name = declared.property.relationship?.destinationEntityName else { return true }
        return counterpart(ofSource: name) == name
      }
  }

  /// A relationship whose inverse is carried is carried too, under whatever name.
  private mutating func followInverses(
    at index: Int,
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel
  ) {
    let entity = pairs[index].destination.name
    for new in destination.properties(of: entity)
    where pairs[index].carries[new.property.name] == nil {
      guard let relationship = new.property.relationship, relationship.isPersistent,
        let inverse = relationship.inverseName,
        let far = pair(destination: relationship.destinationEntityName),
        let oldInverse = far.sourceName(of: inverse),
        let old = source.property(oldInverse, of: far.source.name)?.property.relationship,
        old.isPersistent, let oldName = old.inverseName,
        let dropped = pairs[index].dropped.first(where: { $0.property.name == oldName }),
        dropped.property.relationship?.isPersistent == true
      else { continue }
      pairs[index].carry(dropped, as: relationship.name)
    }
  }
}

extension EntityDescription {
  /// The names by which the entity matches.
  var key: CanonicalMatching.Key {
    CanonicalMatching.Key(name: name, renamingIdentifier: renamingIdentifier)
  }
}
