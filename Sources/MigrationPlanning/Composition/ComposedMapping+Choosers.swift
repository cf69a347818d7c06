import ObjectModel

extension ComposedMapping {
  /// Marks links that an end keeps only in part as chosen by the order of the entity mappings, where
  /// several of them give one side of the relationship: the link of the last mapping is kept.
  ///
  /// A single mapping takes the first link, as the SQL of inferred mappings does.
  /// - Complexity: O(*p*) in the properties that the mapping gives, and the choosing mappings.
  mutating func nameChoosers(_ mapping: MappingModel, _ name: String) {
    var writers: [ManagedObjectModel.DeclaredProperty.ID: Int] = [:]
    for entity in mapping.entityMappings {
      guard let made = entity.destinationEntityName,
        let read = entity.sourceEntityName, source[read]?.isAbstract == false
      else { continue }
      for given in entity.relationshipMappings where given.valueExpression != nil {
        guard let declared = destination.property(given.name, of: made) else { continue }
        writers[declared.id, default: 0] += 1
      }
    }
    for (entity, list) in origins {
      for (place, origin) in list.enumerated() {
        for (property, value) in origin.values where value.choosesLinks {
          guard let declared = destination.property(property, of: entity),
            let relationship = declared.property.relationship
          else { continue }
          let sides = [declared.id] + [destination.inverse(of: relationship)?.id].compactMap(\.self)
          guard sides.contains(where: { writers[$0, default: 0] > 1 }) else { continue }
          origins[entity]?[place].values[property] = .chosen(value, by: name)
        }
      }
    }
  }
}
