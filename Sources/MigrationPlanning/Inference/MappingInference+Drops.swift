import ObjectModel

extension MappingInference {
  /// Reports properties that no property carries on.
  ///
  /// One that an ancestor declares may be dropped from some entities below it and carried in
  /// others; it is reported for the ancestor only where that lives on and all drop it.
  mutating func reportDrops() {
    var drops: [ManagedObjectModel.DeclaredProperty.ID: [(EntityPair, DeclaredDrop)]] = [:]
    for pair in entities.pairs where !pair.isEqual && isReported(pair) {
      let all =
        (pair.dropped + placesOfOtherKind(in: pair)).map { pair.source.properties[$0] }
      for declared in all where declared.property.isPersistent {
        drops[declared.id, default: []].append((pair, declared))
      }
    }
    for list in drops.values {
      guard let declared = list.first?.1 else { continue }
      let carriers = source.hierarchyNames(below: declared.entityName).compactMap { name in
        entities.pair(source: name).flatMap { isReported($0) ? $0 : nil }
      }
      if carriers.count == list.count,
        let entity = entities.counterpart(ofSource: declared.entityName)
      {
        reportDrop(of: declared, entity: entity)
      } else {
        for (pair, declared) in list { reportDrop(of: declared, entity: pair.destination.name) }
      }
    }
  }

  private typealias DeclaredDrop = ManagedObjectModel.DeclaredProperty

  /// The places of persistent properties that meet a transient one of the other kind.
  private func placesOfOtherKind(in pair: EntityPair) -> [Int] {
    pair.destination.transientPlaces.compactMap { place in
      guard let carry = pair.carries[place] else { return nil }
      let new = pair.destination.properties[place]
      let old = pair.source.properties[carry.source].property
      return (old.attribute == nil) == (new.property.attribute == nil) ? nil : carry.source
    }
  }

  private mutating func reportDrop(of declared: DeclaredDrop, entity: String) {
    let place = "\(entity).\(declared.property.name)"
    switch declared.property {
    case .attribute(let attribute):
      let isDerived = attribute.derivationExpression != nil
      collector.add(
        .attributeDropped,
        isDerived ? .note : .warning,
        isDerived ? .exact : .lossy,
        entity: entity,
        property: attribute.name,
        isDerived ? "\(place), a derived attribute, is dropped." : "\(place) is dropped.",
        remedy: "If it has another name now, set the new attribute's renaming identifier to "
          + "\(attribute.canonicalName)."
      )
    case .relationship(let relationship):
      let isKept = isCarriedByInverse(relationship)
      collector.add(
        .relationshipDropped,
        isKept ? .note : .warning,
        isKept ? .exact : .lossy,
        entity: entity,
        property: relationship.name,
        isKept
          ? "\(place) is dropped; its inverse keeps the links."
          : "\(place) is dropped with its links.",
        remedy: "If it has another name now, set the new relationship's renaming identifier to "
          + "\(relationship.canonicalName)."
      )
    case .fetchedProperty: break
    }
  }

  /// Whether the links live on in the relationship back, which alone can hold them, of each entity that
  /// they lead to: one may have left the parent that declared it.
  private func isCarriedByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = source.inverse(of: relationship)?.property.name else { return false }
    let far = source.hierarchyNames(below: relationship.destinationEntityName)
      .filter { source[$0]?.isAbstract == false }.compactMap { entities.pair(source: $0) }
    return !far.isEmpty
      && far.allSatisfy { pair in
        guard let new = pair.destinationProperty(of: inverse)?.relationship else { return false }
        return new.isPersistent && (!new.isToMany || destination.inverse(of: new) != nil)
      }
  }
}
