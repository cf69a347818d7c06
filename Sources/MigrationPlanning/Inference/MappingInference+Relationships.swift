import ObjectModel

extension MappingInference {
  /// Adds findings on a relationship that is carried.
  mutating func check(
    _ old: RelationshipDescription,
    _ new: RelationshipDescription,
    as declared: ManagedObjectModel.DeclaredProperty,
    _ basis: CanonicalMatching.Basis?,
    in pair: EntityPair
  ) {
    guard isStored(old.isPersistent, new.isPersistent, declared, "links", in: pair) else { return }
    guard checkDestination(old, new, declared) else { return }
    checkCounts(old, new, declared, basis)
    guard !isCarriedWithInverse(old, new) else { return }
    checkInverse(old, new, declared)
    checkSharedObjects(old, new, declared)
  }

  /// Returns whether the inverse is carried, too, and is still the inverse, so that it needs no finding.
  private func isCarriedWithInverse(
    _ old: RelationshipDescription,
    _ new: RelationshipDescription
  ) -> Bool {
    guard let name = new.inverseName,
      let far = entities.pair(destination: new.destinationEntityName),
      far.source.name == old.destinationEntityName,
      let inverse = far.sourceProperty(of: name)?.relationship,
      inverse.isPersistent, inverse.name == old.inverseName, inverse.inverseName == old.name,
      let place = far.destination.index(of: name)
    else { return false }
    return far.destination.properties[place].property.relationship?.inverseName == new.name
  }

  private mutating func checkCounts(
    _ old: RelationshipDescription,
    _ new: RelationshipDescription,
    _ declared: ManagedObjectModel.DeclaredProperty,
    _ basis: CanonicalMatching.Basis?
  ) {
    let entity = declared.entityName
    let place = declared.place
    switch (old.isToMany, new.isToMany) {
    case (false, true):
      collector.add(
        .becomesToMany,
        .exact,
        at: Finding.Place(entity: entity, property: new.name),
        "\(subject: place) \(.becomes) to-many."
      )
    case (true, false):
      // Where only the inverse shows that they are the same, Core Data sees one dropped and another
      // added, and carries the inverse.
      if basis != nil { isExtended = true }
      collector.add(
        .becomesToOne,
        .warning,
        .conditional,
        at: Finding.Place(entity: entity, property: new.name),
        "\(subject: place) \(.becomes) to-one; rows with several links lose all but one.",
        remedy:
          "`waystone plan STORE` counts such rows. Correct them with the app first, or "
          + "\(mapping: framework.mapping(" that chooses the link"))."
      )
    case (true, true) where old.isOrdered && !new.isOrdered:
      collector.addLostOrder(
        at: Finding.Place(entity: entity, property: new.name),
        to: new.destinationEntityName
      )
    case (true, true) where !old.isOrdered && new.isOrdered:
      collector.add(
        .becomesOrdered,
        .additive,
        at: Finding.Place(entity: entity, property: new.name),
        "\(subject: place) \(.becomes) ordered; existing links are ordered by their primary keys."
      )
    default: break
    }
    if new.isTighter(than: old) {
      if !new.isToMany { isExtended = true }
      collector.add(
        .countsTightened,
        .warning,
        .conditional,
        at: Finding.Place(entity: entity, property: new.name),
        "\(subject: place) \(new.bounds(tighterThan: old)) now; other rows stay, and fail validation when the "
          + "app saves them.",
        remedy:
          "Correct the rows with the app first. In a version that has not shipped, keep the bounds."
      )
    }
  }

  /// Refuses a destination that would exclude links, and reports one that is dropped with its entity.
  private mutating func checkDestination(
    _ old: RelationshipDescription,
    _ new: RelationshipDescription,
    _ declared: ManagedObjectModel.DeclaredProperty
  ) -> Bool {
    let target = new.destinationEntityName
    let counterpart = entities.counterpart(ofSource: old.destinationEntityName)
    let reachable = source.hierarchyNames(below: old.destinationEntityName).filter {
      source[$0]?.isAbstract == false
    }
    let kept = reachable.compactMap { entities.counterpart(ofSource: $0) }
    if let stray = kept.first(where: { !destination.isKind($0, of: target) }) {
      collector.refuse(
        .destinationChanged,
        at: Finding.Place(entity: declared.entityName, property: new.name),
        (counterpart == target
          ? "\(stray) no longer inherits from \(target)"
          : "\(subject: declared.place) \(.leads) to \(target) instead of \(old.destinationEntityName), and "
            + "\(stray) is no \(target)")
          + ": links of \(declared.place) to objects of \(stray) would be cut.",
        remedy: "\(advice()) In a version that has not shipped, give the relationship another name."
      )
      return false
    }
    if counterpart == target { return true }
    if kept.isEmpty {
      collector.add(
        .relationshipDropped,
        .warning,
        .lossy,
        at: Finding.Place(entity: declared.entityName, property: new.name),
        "\(subject: declared.place) \(.leads) to \(target) instead of \(old.destinationEntityName), which is "
          + "dropped; \(.its) links are dropped too.",
        remedy: span == .step
          ? framework == .swiftData
            ? "If \(target) is the new name of \(old.destinationEntityName), keep that name: SwiftData "
              + "carries no objects to a class of another name."
            : "If \(target) is the new name of \(old.destinationEntityName), set the \(mark: framework) of "
              + "\(target) to \"\(source[old.destinationEntityName]?.canonicalName ?? "")\", "
              + "\(Self.throughout)."
          : renaming([], from: "", canonicalName: "")
      )
    } else {
      isExtended = true
      collector.add(
        .destinationChanged,
        .exact,
        at: Finding.Place(entity: declared.entityName, property: new.name),
        "\(subject: declared.place) \(.leads) to \(target) instead of \(old.destinationEntityName); all links stay."
      )
    }
    return true
  }

  /// Reports links to objects that share one, where these get an inverse that holds one link.
  private mutating func checkSharedObjects(
    _ old: RelationshipDescription,
    _ new: RelationshipDescription,
    _ declared: ManagedObjectModel.DeclaredProperty
  ) {
    guard RelationshipCardinality(old, in: source).isInverseToMany else { return }
    guard let inverse = destination.inverse(of: new) else {
      if new.isToMany {
        collector.add(
          .becomesToOne,
          .warning,
          .conditional,
          at: Finding.Place(entity: declared.entityName, property: new.name),
          "\(subject: declared.place) \(.is) to-many without an inverse now, and stores keep one owner for each "
            + "object; where two objects of \(declared.entityName) are linked to the same object, only one "
            + "link is kept.",
          remedy: "In a version that has not shipped, give it an inverse that is to-many."
        )
      }
      return
    }
    guard let back = inverse.property.relationship, back.isPersistent, !back.isToMany,
      // One that is carried is asked about its own links.
      entities.pair(destination: new.destinationEntityName)?.sourceProperty(of: back.name)?
        .relationship?.isPersistent != true
    else { return }
    let place = "\(inverse.entityName).\(back.name)"
    collector.add(
      .becomesToOne,
      .warning,
      .conditional,
      at: Finding.Place(entity: inverse.entityName, property: back.name),
      "\(subject: place) \(.is) new, to-one and the inverse of \(declared.place); where two objects of "
        + "\(declared.entityName) are linked to the same object, only one link is kept.",
      remedy:
        "\(advice(" that chooses the link")) In a version that has not shipped, make it to-many."
    )
  }

  private mutating func checkInverse(
    _ old: RelationshipDescription,
    _ new: RelationshipDescription,
    _ declared: ManagedObjectModel.DeclaredProperty
  ) {
    let oldName = source.inverse(of: old)?.property.name
    guard let newInverse = destination.inverse(of: new)?.property.name,
      let far = entities.pair(destination: new.destinationEntityName),
      let oldInverse = far.sourceProperty(of: newInverse)?.relationship,
      oldInverse.isPersistent, oldInverse.name != oldName
    else { return }
    guard oldName != nil || source.inverse(of: oldInverse) != nil else {
      collector.add(
        .inverseChanged,
        .warning,
        .conditional,
        at: Finding.Place(entity: declared.entityName, property: new.name),
        "\(subject: declared.place) and \(new.destinationEntityName).\(newInverse) become each other's "
          + "inverse; no link is lost if they agree.",
        remedy: "Make sure that both sides agree, or \(mapping: framework.mapping())."
      )
      return
    }
    collector.refuse(
      .inverseChanged,
      at: Finding.Place(entity: declared.entityName, property: new.name),
      "\(subject: declared.place) \(.has) the inverse \(newInverse), which carries the links of "
        + "\(oldInverse.name), "
        + "but the inverse of \(old.name) was \(oldName ?? "none").",
      // A relationship that is its own inverse has one Renaming ID only.
      remedy: newInverse == new.name && new.destinationEntityName == declared.entityName
        ? advice()
        : "Correct the \(framework.renamingIdentifier)s of both sides, \(Self.throughout). Or "
          + "\(mapping: framework.mapping())."
    )
  }
}
