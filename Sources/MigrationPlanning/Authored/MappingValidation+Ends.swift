import ObjectModel

extension MappingValidation {
  /// The links of the source that entity mappings carry.
  private struct Links {
    /// The source relationship and its inverse.
    let ends: Set<ManagedObjectModel.DeclaredProperty.ID>
    /// The name of the source relationship in messages.
    let place: String
    /// The entity whose objects have them.
    let owner: String
    /// The entity to which they lead.
    let target: String
  }

  /// Adds findings on relationships whose two ends get different links.
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
          let (first, second) = contradiction(own, other)
        else { continue }
        seen.insert(declared.id)
        note(
          property.name,
          entity,
          "\(subject: declared.place) and \(inverse.place) are the two ends of one relationship, and get the "
            + "links of two relationships of \(version: bound.source.name): \(first.place) and \(second.place). Objects "
            + "would have links that they never had.",
          "Give one of the two ends its links, and the other none (null)."
        )
      }
    }
  }

  /// Returns links that both ends give to the same objects, and that are not the same; nil where some
  /// of them agree.
  private func contradiction(_ own: [Links], _ other: [Links]) -> (Links, Links)? {
    let pairs = own.flatMap { one in other.map { (one, $0) } }.filter { one, back in
      meet(one.owner, back.target) && meet(back.owner, one.target)
        // Two relationships without inverse may have been the halves of one: inference takes them so,
        // too.
        && (one.ends.count > 1 || back.ends.count > 1)
    }
    return pairs.contains { !$0.ends.isDisjoint(with: $1.ends) } ? nil : pairs.first
  }

  /// Returns whether an object of the source may be of both entities.
  private func meet(_ one: String, _ other: String) -> Bool {
    source.isKind(one, of: other) || source.isKind(other, of: one)
  }

  /// Returns the source relationships whose links all entity mappings carry to a destination's; nil
  /// where one of them computes links, or leaves them to a policy.
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
        Links(
          ends: Set([old.id] + (inverse.map { [$0.id] } ?? [])),
          place: old.place,
          owner: entity.source,
          target: description.destinationEntityName
        )
      )
    }
    return found
  }
}
