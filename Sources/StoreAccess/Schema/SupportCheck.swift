import ObjectModel

/// A check for parts of a model without a known place in a store.
struct SupportCheck {
  let model: ManagedObjectModel
  let map: StorageMap

  /// Returns the features without a known place, in order of entities and properties.
  func features(tables: [EntityTable], joinTables: [JoinTable]) -> [UnsupportedFeature] {
    model.entities.flatMap(features(of:)) + sharedNames(tables, joinTables)
  }

  private func features(of entity: EntityDescription) -> [UnsupportedFeature] {
    func feature(_ kind: UnsupportedFeature.Kind, _ property: String) -> UnsupportedFeature {
      UnsupportedFeature(kind: kind, entityName: entity.name, propertyName: property)
    }
    let inherited = Set(
      entity.superentityName.map { model.declaredProperties(of: $0).map(\.property.name) } ?? []
    )
    var features: [UnsupportedFeature] = []
    if model.unknownEntities.contains(entity.name) {
      features.append(
        UnsupportedFeature(kind: .unknownHash, entityName: entity.name, propertyName: nil)
      )
    }
    for attribute in entity.attributes where attribute.isPersistent {
      if inherited.contains(attribute.name) {
        features.append(feature(.redeclaredProperty, attribute.name))
        continue
      }
      for stored in model.elements(of: attribute) ?? [attribute] {
        if stored.attributeType == .composite {
          features.append(feature(.compositeAttribute, stored.name))
        } else if stored.attributeType.declaredColumnType == nil {
          features.append(feature(.attributeType, stored.name))
        }
      }
    }
    for name in entity.uniquenessConstraints.joined()
    where model.declaredProperty(name, of: entity.name)?.property.isComposite == true {
      features.append(feature(.compositeConstraint, name))
    }
    for relationship in entity.relationships where relationship.isPersistent {
      let reference = PropertyReference(
        entityName: entity.name,
        propertyName: relationship.name
      )
      if inherited.contains(relationship.name) {
        features.append(feature(.redeclaredProperty, relationship.name))
      } else if map.relationshipStorages[reference] == nil {
        features.append(feature(.inverse, relationship.name))
      } else if case .join(let table, _, _, _) = map.relationshipStorages[reference],
        table.isReflexive, relationship.isOrdered
      {
        features.append(feature(.orderedReflexiveRelationship, relationship.name))
      }
    }
    return features
  }

  private func sharedNames(
    _ tables: [EntityTable],
    _ joinTables: [JoinTable]
  ) -> [UnsupportedFeature] {
    var names = Set(SystemTable.allNames)
    var features: [UnsupportedFeature] = []
    for table in tables where !names.insert(table.name.uppercased()).inserted {
      features.append(
        UnsupportedFeature(
          kind: .tableName,
          entityName: table.rootEntityName,
          propertyName: nil
        )
      )
    }
    for table in joinTables where !names.insert(table.name.uppercased()).inserted {
      features.append(
        UnsupportedFeature(
          kind: .tableName,
          entityName: table.master.entityName,
          propertyName: table.master.propertyName
        )
      )
    }
    return features
  }
}
