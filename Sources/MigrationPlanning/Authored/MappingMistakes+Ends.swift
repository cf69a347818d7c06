import ObjectModel

extension MappingMistakes {
  /// A relationship of the source, whichever of its ends is named.
  private struct Links: Hashable {
    let ends: Set<ManagedObjectModel.DeclaredProperty.ID>
    /// One of its ends, for people.
    let place: String

    static func == (one: Links, other: Links) -> Bool { one.ends == other.ends }

    func hash(into hasher: inout Hasher) { hasher.combine(ends) }
  }

  /// The relationships whose two ends are given links that are not the same.
  ///
  /// Both ends of a relationship are one thing: a run would give each object the links of both, and make up
  /// links that no object had. (Core Data sets one end after the other, so that the last one decides.)
  mutating func checkEnds() {
    let resolved = ResolvedMapping(
      MappingModel(entityMappings: others),
      from: source,
      to: destination
    )
    var seen: Set<ManagedObjectModel.DeclaredProperty.ID> = []
    for entity in bound.mapping.mapping.entityMappings {
      guard let new = entity.destinationEntityName else { continue }
      for property in entity.relationshipMappings {
        guard let declared = destination.property(property.name, of: new),
          let description = declared.property.relationship,
          let inverse = destination.inverse(of: description), inverse.id != declared.id,
          seen.isDisjoint(with: [declared.id, inverse.id]),
          let own = carried(by: declared, resolved), let other = carried(by: inverse, resolved),
          let first = own.first, let second = other.first, Set(own).isDisjoint(with: other)
        else { continue }
        seen.insert(declared.id)
        note(
          property.name,
          entity,
          "\(declared.place) and \(inverse.place) are the two ends of one relationship, and get the "
            + "links of two that \(bound.source.name) has: of \(first.place) and of \(second.place). Objects "
            + "would have links that they never had.",
          "Give one of the two ends its links, and the other none (null)."
        )
      }
    }
  }

  /// The relationships of which all entity mappings carry links for a destination's; nil where one of them
  /// computes links, or leaves them to a policy.
  private func carried(
    by declared: ManagedObjectModel.DeclaredProperty,
    _ resolved: ResolvedMapping
  ) -> [Links]? {
    var found: [Links] = []
    for entity in resolved.entities.compactMap(\.self)
    where destination.isKind(entity.destination, of: declared.entityName) {
      guard
        let property = entity.mapping.relationshipMappings.first(where: {
          $0.name == declared.property.name
        }), let expression = property.valueExpression, expression != .constant(nil)
      else { continue }
      guard entity.mapping.entityMigrationPolicyClassName == nil,
        let name = entity.requests[property.name]?.relationship,
        let old = source.property(name, of: entity.source),
        let description = old.property.relationship
      else { return nil }
      let inverse = source.inverse(of: description)
      found.append(
        Links(ends: Set([old.id] + (inverse.map { [$0.id] } ?? [])), place: old.place)
      )
    }
    return found
  }
}
