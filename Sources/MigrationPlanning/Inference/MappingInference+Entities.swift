import ObjectModel

extension MappingInference {
  /// Reports what becomes of entities as such.
  mutating func checkEntities() {
    for ambiguity in entities.ambiguities { refuse(ambiguity, entity: nil) }
    for entity in entities.added {
      collector.add(.entityAdded, .additive, entity: entity.name, "Entity \(entity.name) is new.")
    }
    for entity in entities.removed { reportRemoval(of: entity) }
    for pair in entities.pairs where !entities.isRegular || pair.source !== pair.destination {
      report(pair)
    }
    checkRoots()
  }

  private mutating func reportRemoval(of entity: PreparedEntity) {
    let new = entity.isAbstract ? [] : candidates[entity.name] ?? []
    collector.add(
      new.isEmpty ? .entityDropped : .suspectedRename,
      entity.isAbstract ? .note : .warning,
      entity.isAbstract ? .exact : .lossy,
      entity: entity.name,
      entity.isAbstract
        ? "Entity \(entity.name), which has no rows of its own, is dropped."
        : "Entity \(entity.name) is dropped with all its rows"
          + Self.isNew(new),
      remedy: Self.renaming(new, from: entity.key.canonicalName)
    )
  }

  private mutating func report(_ pair: EntityPair) {
    let (old, new) = (pair.source, pair.destination)
    if old.name != new.name {
      collector.add(
        .entityRenamed,
        .exact,
        entity: new.name,
        "Entity \(old.name) is now named \(new.name)."
      )
    }
    reportBasis(pair.basis, entity: new.name, property: nil, old: old.key, new: new.key)
    if !old.isAbstract, new.isAbstract {
      collector.refuse(
        .becomesAbstract,
        entity: new.name,
        "Entity \(new.name) becomes abstract, so that its rows would belong to no entity.",
        remedy: "Keep it concrete, or write a mapping that moves its rows to another entity."
      )
    }
    if old.isAbstract, !new.isAbstract {
      isExtended = true
      collector.add(
        .becomesConcrete,
        .exact,
        entity: new.name,
        "Entity \(new.name) is no longer abstract, and begins without rows of its own."
      )
    }
    let parent = old.superentityName
    if parent.flatMap({ entities.counterpart(ofSource: $0) }) != new.superentityName {
      collector.add(
        .entityMoved,
        .exact,
        entity: new.name,
        "Entity \(new.name) has "
          + (new.superentityName.map { "the parent \($0)" } ?? "no parent")
          + (parent.map { " instead of \($0)." } ?? " now.")
      )
    }
  }

  /// Names the risk of a match that canonical names alone do not give.
  mutating func reportBasis(
    _ basis: CanonicalMatching.Basis,
    entity: String?,
    property: String?,
    old: CanonicalMatching.Key,
    new: CanonicalMatching.Key
  ) {
    switch basis {
    case .nameAndCanonicalName, .canonicalName: break
    case .identifierIsSourceName:
      collector.add(
        .renamingIdentifierNamesOldName,
        .warning,
        .exact,
        entity: entity,
        property: property,
        "The renaming identifier of \(new.name) is \(old.name), its last name; Core Data expects its "
          + "first, \(old.canonicalName), and may drop the data.",
        remedy: "Set the renaming identifier of \(new.name) to \(old.canonicalName)."
      )
    case .nameOnly:
      collector.add(
        .canonicalNamesDisagree,
        .warning,
        .exact,
        entity: entity,
        property: property,
        "\(new.name) kept its name, but not its renaming identifier: \(old.canonicalName) before, "
          + "\(new.canonicalName) now. Core Data compares these, and may drop the data.",
        remedy: (old.explicitIdentifier == nil
          ? "Clear the renaming identifier of \(new.name) "
          : "Set the renaming identifier of \(new.name) to \(old.canonicalName) ")
          + "in the version that ships next; a shipped version stays as it is."
      )
    }
  }

  /// Refuses to choose.
  mutating func refuse(_ ambiguity: CanonicalMatching.Ambiguity, entity: String?) {
    collector.refuse(
      .ambiguousCanonicalName,
      entity: entity ?? ambiguity.destinationNames.first,
      property: entity == nil ? nil : ambiguity.destinationNames.first,
      "\(ambiguity.sourceNames.joined(separator: " or ")) could become "
        + "\(ambiguity.destinationNames.joined(separator: " or ")), which share the renaming identifier "
        + "\(ambiguity.canonicalName).",
      remedy: "Correct the renaming identifiers, or write a mapping."
    )
  }

  /// "If two existing entities do not share a common parent in the source, they cannot share a
  /// common parent in the destination" (Apple, *Migrating your data model automatically*).
  private mutating func checkRoots() {
    if entities.pairs.allSatisfy({ $0.source.rootName == $0.destination.rootName }) { return }
    var roots: [String: [String]] = [:]
    for pair in entities.pairs {
      let new = pair.destination.rootName
      let old = pair.source.rootName
      if roots[new]?.contains(old) != true { roots[new, default: []].append(old) }
    }
    for (root, olds) in roots where olds.count > 1 {
      let names = olds.sorted(by: ByteOrder.precedes).joined(separator: " and ")
      collector.refuse(
        .hierarchiesMerged,
        entity: root,
        "\(names) have no common ancestor in the source, and cannot get the common ancestor \(root).",
        remedy: "Keep them apart, or write a mapping."
      )
    }
  }
}
