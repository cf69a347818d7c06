/// A comparison of two versions of a model, which collects their changes.
struct ModelComparison {
  /// A pair of entities that match.
  struct Pair {
    let source: EntityDescription
    let destination: EntityDescription
  }

  /// A property and the entity that declares it.
  struct Place: Hashable {
    let entityName: String
    let propertyName: String
  }

  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let pairs: [Pair]
  /// The later name of each entity of the source that lives on.
  let laterNames: [String: String]
  /// The earlier name of each entity of the destination that was there.
  let earlierNames: [String: String]
  private let added: [EntityDescription]
  private let removed: [EntityDescription]

  init(source: ManagedObjectModel, destination: ManagedObjectModel) {
    let matching = CanonicalMatching(
      source: source.entities.map(\.key),
      destination: destination.entities.map(\.key)
    )
    self.source = source
    self.destination = destination
    var pairs: [Pair] = []
    var added: [EntityDescription] = []
    for (entity, match) in zip(destination.entities, matching.matches) {
      if let match {
        pairs.append(Pair(source: source.entities[match.source], destination: entity))
      } else {
        added.append(entity)
      }
    }
    self.pairs = pairs
    self.added = added
    removed = matching.unmatchedSources.map { source.entities[$0] }
    laterNames = Dictionary(
      pairs.map { ($0.source.name, $0.destination.name) },
      uniquingKeysWith: { $1 }
    )
    earlierNames = Dictionary(
      pairs.map { ($0.destination.name, $0.source.name) },
      uniquingKeysWith: { $1 }
    )
  }

  func changes(suspectingRenames: Bool) -> [ModelChange] {
    var changes: [(entity: String, change: ModelChange)] = []
    func report(_ list: [ModelChange]) {
      changes += list.map { ($0.entityName ?? "", $0) }
    }
    report(modelChanges())
    report(added.map { ModelChange(.added, .entity, entity: $0.name, changesHash: true) })
    report(removed.map { ModelChange(.removed, .entity, entity: $0.name, changesHash: true) })
    if suspectingRenames { report(suspectedEntities()) }
    for pair in pairs { report(entityChanges(pair)) }
    let properties = PropertyComparison(self)
    report(properties.changes(suspectingRenames: suspectingRenames))
    return changes.enumerated().sorted { left, right in
      if left.element.entity != right.element.entity {
        return ByteOrder.precedes(left.element.entity, right.element.entity)
      }
      return left.offset < right.offset
    }.map(\.element.change).map(hashed)
  }

  /// Returns the change, marked as one that no hash sees where the entity's stays: a composite
  /// attribute that has another name leaves it, although its elements are seen.
  private func hashed(_ change: ModelChange) -> ModelChange {
    guard let name = change.entityName, change.changesHash,
      let new = destination.entityVersionHashes[name],
      source.entityVersionHashes[earlierNames[name] ?? name] == new
    else { return change }
    var change = change
    change.changesHash = false
    return change
  }

  private func entityChanges(_ pair: Pair) -> [ModelChange] {
    if pair.source == pair.destination { return [] }
    let name = pair.destination.name
    var changes: [ModelChange] = []
    if pair.source.name != name {
      changes.append(
        ModelChange(
          .renamed,
          .entity,
          entity: name,
          old: pair.source.name,
          new: name,
          changesHash: true
        )
      )
    }
    let old = pair.source.superentityName
    let new = pair.destination.superentityName
    if old != new {
      var change = ModelChange(
        .moved,
        .entity,
        entity: name,
        aspect: .superentity,
        old: old,
        new: new,
        changesHash: true
      )
      change.isConsequence = new != nil && old.flatMap { laterNames[$0] } == new
      changes.append(change)
    }
    changes += Self.compare(pair.source.aspects, pair.destination.aspects) { value in
      ModelChange(.changed, .entity, entity: name, changesHash: value)
    }
    for index in changes.indices where changes[index].aspect == .renamingIdentifier {
      changes[index].isConsequence = pair.source.name != name
    }
    return changes
  }

  /// Returns the aspects that differ, each in a change that the closure begins, given whether the hash
  /// depends on it.
  static func compare(
    _ old: [AspectValue],
    _ new: [AspectValue],
    _ makeChange: (Bool) -> ModelChange
  ) -> [ModelChange] {
    zip(old, new).compactMap { old, new in
      guard old.text != new.text else { return nil }
      var change = makeChange(old.hashedText != new.hashedText)
      change.aspect = new.aspect
      (change.old, change.new) = without(common: old, new)
      return change
    }
  }

  /// Returns the texts of an aspect without the items that both sides list.
  private static func without(common old: AspectValue, _ new: AspectValue) -> (String?, String?) {
    guard [.indexes, .uniquenessConstraints, .userInfo].contains(new.aspect) else {
      return (old.text, new.text)
    }
    let left = old.text?.split(separator: [String].separator).map { String($0) } ?? []
    let right = new.text?.split(separator: [String].separator).map { String($0) } ?? []
    let onlyLeft = left.filter { !right.contains($0) }
    let onlyRight = right.filter { !left.contains($0) }
    // Where only the order differs, all of it is shown.
    return onlyLeft.isEmpty && onlyRight.isEmpty
      ? (old.text, new.text) : (onlyLeft.listed, onlyRight.listed)
  }

  /// Returns pairs of entities that may be one under another name, by the names and types of properties.
  private func suspectedEntities() -> [ModelChange] {
    let candidates = Similarity.pairs(removed.count, added.count) { old, new in
      Similarity.of(
        removed[old].name,
        properties(of: removed[old], in: source),
        added[new].name,
        properties(of: added[new], in: destination)
      )
    }
    return candidates.map { candidate in
      var change = ModelChange(
        .suspectedRename,
        .entity,
        entity: added[candidate.new].name,
        old: removed[candidate.old].name,
        new: added[candidate.new].name,
        changesHash: true
      )
      change.similarity = candidate.similarity
      return change
    }
  }

  private func properties(of entity: EntityDescription, in model: ManagedObjectModel) -> Set<String>
  {
    Set(
      model.properties(of: entity.name).map { declared in
        let type = declared.property.attribute.map { "\($0.attributeType)" }
        return "\(declared.property.name): \(type ?? "\(declared.property.subject)")"
      }
    )
  }

  private func modelChanges() -> [ModelChange] {
    var changes: [ModelChange] = []
    func compare(
      _ subject: ModelChange.Subject,
      _ aspect: ModelAspect,
      _ old: [String: String],
      _ new: [String: String]
    ) {
      for name in Set(old.keys).union(new.keys).sorted(by: ByteOrder.precedes)
      where old[name] != new[name] {
        let action: ModelChange.Action =
          old[name] == nil ? .added : new[name] == nil ? .removed : .changed
        changes.append(
          ModelChange(
            action,
            subject,
            name: name,
            aspect: action == .changed ? aspect : nil,
            old: old[name],
            new: new[name],
            changesHash: false
          )
        )
      }
    }
    if source.versionIdentifiers != destination.versionIdentifiers {
      changes.append(
        ModelChange(
          .changed,
          .model,
          aspect: .versionIdentifiers,
          old: source.versionIdentifiers.listed,
          new: destination.versionIdentifiers.listed,
          changesHash: false
        )
      )
    }
    compare(
      .configuration,
      .members,
      source.configurations.mapValues { $0.joined(separator: ", ") },
      destination.configurations.mapValues { $0.joined(separator: ", ") }
    )
    compare(.fetchRequest, .fetchRequest, Self.requests(source), Self.requests(destination))
    compare(.composite, .composite, Self.composites(source), Self.composites(destination))
    return changes
  }

  private static func requests(_ model: ManagedObjectModel) -> [String: String] {
    Dictionary(
      model.fetchRequestTemplates.map { ($0.name, $0.text) },
      uniquingKeysWith: { "\($0); \($1)" }
    )
  }

  /// Returns the composites whose elements are reported at no attribute.
  private static func composites(_ model: ManagedObjectModel) -> [String: String] {
    if model.composites.isEmpty { return [:] }
    let reported = Set(
      model.entities.flatMap(\.attributes).filter { model.elements(of: $0) != nil }
        .compactMap(\.compositeName)
    )
    return Dictionary(
      model.composites.filter { !reported.contains($0.name) }.map { composite in
        let parts = composite.sortedAttributes.map { attribute in
          let values = attribute.aspects.compactMap { value in
            value.text.map { "\(value.aspect.rawValue) \($0)" }
          }
          return "\(attribute.name) (\(values.joined(separator: ", ")))"
        }
        return (composite.name, parts.joined(separator: "; "))
      },
      uniquingKeysWith: { $1 }
    )
  }
}
