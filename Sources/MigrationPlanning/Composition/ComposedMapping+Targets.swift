import ObjectModel

/// Links to objects that become objects to which the relationship cannot lead: a hop drops these links
/// with any mapping of the relationship.
extension ComposedMapping {
  /// Leaves such links out.
  ///
  /// - Parameter changed: The destination entities that are not copied as they are. Relationships of the
  ///   others are checked only where an entity changed its name or place in the hierarchy.
  /// - Complexity: O(*e*) in the entities and the relationships of those that changed; where an entity
  ///   moved, O(*p*) in all properties.
  mutating func leaveOutTargets(
    _ changed: [(entity: String, relationships: [RelationshipDescription])]
  ) {
    let moved = hasMovedEntities
    var entities = changed
    if moved {
      let known = Set(changed.map(\.entity))
      entities += origins.keys.filter { !known.contains($0) }.sorted(by: ByteOrder.precedes)
        .map { ($0, destination.relationships(of: $0).filter(\.isPersistent)) }
    }
    var leaving: [Ends: Set<String>] = [:]
    let before = self
    for (entity, relationships) in entities {
      for (place, origin) in (before.origins[entity] ?? []).enumerated() {
        for relationship in relationships {
          guard let links = origin.values[relationship.name],
            let source = before.target(of: links, from: origin.sourceEntityName)
          else { continue }
          let ends = Ends(source: source, destination: relationship.destinationEntityName)
          if !moved, ends.source == ends.destination { continue }
          let left = leaving[ends] ?? before.leaving(ends)
          leaving[ends] = left
          if left.isEmpty { continue }
          origins[entity]?[place].values[relationship.name] = .leavingOut(left, of: links)
          copies.remove(entity)
        }
      }
    }
  }

  /// The target entity of a relationship in the source version, and in the destination version.
  private struct Ends: Hashable {
    let source: String
    let destination: String
  }

  /// Whether objects of an entity become those of one with another name or other ancestors.
  private var hasMovedEntities: Bool {
    if origins.contains(where: { entity, list in list.contains { $0.sourceEntityName != entity } })
    {
      return true
    }
    if !source.hasHierarchy, !destination.hasHierarchy { return false }
    return origins.contains { entity, list in
      !list.isEmpty && source.ancestorNames(of: entity) != destination.ancestorNames(of: entity)
    }
  }

  /// Returns the source entities below one end whose objects live on, and none of them below the other.
  private func leaving(_ ends: Ends) -> Set<String> {
    Set(
      source.hierarchyNames(below: ends.source).filter { entity in
        let made = destinations(of: entity)
        return !made.isEmpty
          && !made.contains { destination.isKind($0, of: ends.destination) }
      }
    )
  }

  /// Returns the entities that objects of a source entity become.
  func destinations(of entity: String) -> [String] {
    origins.compactMap { name, list in
      list.contains { $0.sourceEntityName == entity } ? name : nil
    }
  }

  /// Returns the source entity to which links lead; nil where they are not those of a source
  /// relationship.
  private func target(of links: ValueOrigin, from entity: String) -> String? {
    switch links {
    case .carried(let path) where path.count == 1:
      source.property(path[0], of: entity)?.property.relationship?.destinationEntityName
    case .owners(let owner, let relationship):
      source.property(relationship, of: owner)?.entityName
    case .first(let inner), .unordered(let inner), .cut(let inner), .without(let inner, _),
      .chosen(let inner, by: _), .partly(let inner):
      target(of: inner, from: entity)
    default: nil
    }
  }

  /// Returns the source entities to whose objects links may lead, in the order of the hierarchy.
  func reach(of links: ValueOrigin, from entity: String) -> [String] {
    target(of: links, from: entity).map(source.hierarchyNames) ?? []
  }
}
