import ObjectModel

extension MappingInference {
  /// Adds findings on the entities as such.
  mutating func checkEntities() {
    for ambiguity in entities.ambiguities { refuse(ambiguity, entity: nil) }
    for entity in entities.added {
      collector.add(
        .entityAdded,
        .additive,
        at: Finding.Place(entity: entity.name),
        "\(subject: entity.name) \(.is) \(.newEntity)."
      )
    }
    for entity in entities.removed { reportRemoval(of: entity) }
    for pair in entities.pairs where !entities.isRegular || pair.source !== pair.destination {
      report(pair)
    }
    checkRoots()
  }

  /// Refuses a step between names that look the same and have other bytes: Core Data takes them for two.
  mutating func checkSpelling(from source: PreparedModel, to destination: PreparedModel) {
    guard !source.spelledNames.isEmpty else { return }
    for (name, place) in destination.spelledNames.sorted(by: { ByteOrder.precedes($0.key, $1.key) })
    {
      guard let index = source.spelledNames.index(forKey: name),
        !source.spelledNames[index].key.utf8.elementsEqual(name.utf8)
      else { continue }
      collector.refuse(
        .ambiguousCanonicalName,
        at: Finding.Place(entity: place.entity, property: place.property),
        "\(subject: name) looks as in the version before, and is written with other Unicode characters. Core Data takes "
          + "these for two names, and drops what has the old one.",
        remedy:
          "In a version that has not shipped, write the name with the characters of the version before; "
          + "else \(mapping: framework.mapping())."
      )
    }
  }

  private mutating func reportRemoval(of entity: PreparedEntity) {
    let new = entity.isAbstract ? [] : candidates[entity.name] ?? []
    collector.add(
      new.isEmpty ? .entityDropped : .suspectedRename,
      entity.isAbstract ? .note : .warning,
      entity.isAbstract ? .exact : .lossy,
      at: Finding.Place(entity: entity.name),
      entity.isAbstract
        ? "\(subject: entity.name), an abstract entity without rows of its own, is dropped."
        : "\(subject: entity.name) \(.is) dropped with all \(.its) rows" + Self.isNew(new),
      remedy: entity.isAbstract
        ? "Nothing needs to be done."
        : renaming(new, from: entity.name, canonicalName: entity.key.canonicalName)
    )
  }

  private mutating func report(_ pair: EntityPair) {
    let (old, new) = (pair.source, pair.destination)
    if old.name != new.name {
      collector.add(
        .entityRenamed,
        .exact,
        at: Finding.Place(entity: new.name),
        "\(subject: new.name) \(.is) renamed from \(old.name); \(.its) rows stay."
      )
    }
    reportBasis(pair.basis, entity: new.name, property: nil, old: old.key, new: new.key)
    if !old.isAbstract, new.isAbstract {
      collector.refuse(
        .becomesAbstract,
        at: Finding.Place(entity: new.name),
        "\(subject: new.name) \(.becomes) abstract: \(.its) rows would belong to no entity.",
        remedy: advice(" that moves its rows to another entity")
          + " In a version that has not shipped, keep it concrete."
      )
    }
    if old.isAbstract, !new.isAbstract {
      isExtended = true
      collector.add(
        .becomesConcrete,
        .exact,
        at: Finding.Place(entity: new.name),
        "\(subject: new.name) \(.is) no longer abstract, and begins without rows of \(.its) own."
      )
    }
    let parent = old.superentityName
    if parent.flatMap({ entities.counterpart(ofSource: $0) }) != new.superentityName {
      collector.add(
        .entityMoved,
        .exact,
        at: Finding.Place(entity: new.name),
        new.superentityName.map { name in
          parent.map { "\(subject: new.name) \(.changes) \(.its) parent from \($0) to \(name)." }
            ?? "\(subject: new.name) \(.gets) the parent \(name)."
        } ?? "\(subject: new.name) \(.loses) \(.its) parent \(parent ?? "")."
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
    let item = [entity, property].compactMap(\.self).joined(separator: ".")
    switch basis {
    case .nameAndCanonicalName, .canonicalName: break
    case .identifierIsSourceName:
      collector.add(
        .renamingIdentifierNamesOldName,
        .warning,
        .exact,
        at: Finding.Place(entity: entity, property: property),
        "\(subject: item) has the \(framework.renamingIdentifier) \"\(old.name)\", its last name. Core Data expects the one that it had "
          + "before, \"\(old.canonicalName)\", and may drop the data.",
        remedy: identifying("Set its \(mark: framework) to \"\(old.canonicalName)\"")
      )
    case .nameOnly:
      collector.add(
        .canonicalNamesDisagree,
        .warning,
        .exact,
        at: Finding.Place(entity: entity, property: property),
        "\(subject: item) \(.changes) \(.its) \(framework.renamingIdentifier) from \(Self.quoted(old)) to "
          + "\(Self.quoted(new)). Core Data compares Renaming IDs, and may drop the data.",
        remedy: identifying(
          old.explicitIdentifier == nil
            ? "Clear its \(mark: framework)"
            : "Set its \(mark: framework) to \(Self.quoted(old))"
        )
      )
    }
  }

  /// Returns the Renaming ID as sentences quote it.
  private static func quoted(_ key: CanonicalMatching.Key) -> String {
    key.explicitIdentifier.map { "\"\($0)\"" } ?? "none"
  }

  /// Refuses to choose.
  mutating func refuse(_ ambiguity: CanonicalMatching.Ambiguity, entity: String?) {
    let items = ambiguity.destinationNames.map { name in entity.map { "\($0).\(name)" } ?? name }
    collector.refuse(
      .ambiguousCanonicalName,
      at: Finding.Place(
        entity: entity ?? ambiguity.destinationNames.first,
        property: entity == nil ? nil : ambiguity.destinationNames.first
      ),
      "\(subject: items[0])\(items.dropFirst().map { " and \($0)" }.joined()) "
        + "\(items.count == 1 ? "matches" : "match") "
        + "\(ambiguity.sourceNames.joined(separator: " and ")) of the earlier version, by name or "
        + "\(framework.renamingIdentifier) (\"\(ambiguity.canonicalName)\"). Core Data may pick any of them.",
      remedy: (Self.remedy(
        for: ambiguity.destinationNames,
        sharing: ambiguity.canonicalName,
        framework
      ) ?? "Correct the \(framework.renamingIdentifier)s, \(Self.throughout).")
        + " Or \(mapping: framework.mapping())."
    )
  }

  /// Returns the remedy where a name and Renaming IDs lead to one earlier item; nil where only Renaming
  /// IDs do.
  static func remedy(
    for names: [String],
    sharing canonicalName: String,
    _ framework: ModelFramework
  ) -> Finding.Text? {
    guard names.contains(canonicalName) else { return nil }
    let others = names.filter { $0 != canonicalName }.sorted(by: ByteOrder.precedes)
      .joined(separator: " and ")
    return
      "If \(others) is the earlier \"\(canonicalName)\", give the new \"\(canonicalName)\" another name, in "
      + "a version that has not shipped. If it is not, clear the \(framework.renamingIdentifier) of \(others); no version hash "
      + "changes."
  }

  /// "If two existing entities do not share a common parent in the source, they cannot share a
  /// common parent in the destination" (Apple, *Migrating your data model automatically*).
  private mutating func checkRoots() {
    if entities.pairs.allSatisfy({ $0.source.rootName == $0.destination.rootName }) { return }
    // The names of the entities that come to one root, by the root that they leave.
    var roots: [String: [String: [String]]] = [:]
    for pair in entities.pairs {
      roots[pair.destination.rootName, default: [:]][pair.source.rootName, default: []]
        .append(pair.destination.name)
    }
    for (root, olds) in roots where olds.count > 1 {
      // The entity that is highest in the new hierarchy represents each old hierarchy.
      let names = olds.values.compactMap { names in
        names.min {
          destination.ancestorNames(of: $0).count < destination.ancestorNames(of: $1).count
        }
      }
      .sorted(by: ByteOrder.precedes)
      let moved = names.filter { $0 != root }.joined(separator: " and ")
      collector.refuse(
        .hierarchiesMerged,
        at: Finding.Place(entity: root),
        names.contains(root)
          ? "\(moved) cannot come below \(root): they have no common ancestor in the source."
          : "\(moved) have no common ancestor in the source, and cannot get the common ancestor \(root).",
        remedy: "\(advice()) In a version that has not shipped, keep them apart."
      )
    }
  }
}
