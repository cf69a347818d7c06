import ObjectModel

/// A prediction of the storage and triggers that keep each derived attribute up to date.
struct DerivationPrediction {
  let model: ManagedObjectModel
  let numbering: EntityNumbering
  let map: StorageMap

  /// Returns the derived attributes whose triggers are known, and those whose are not.
  func derivedAttributes() -> (supported: [DerivedAttribute], unsupported: [PropertyReference]) {
    var supported: [DerivedAttribute] = []
    var unsupported: [PropertyReference] = []
    for name in numbering.names {
      for attribute in model[name]?.attributes ?? [] where attribute.isPersistent {
        guard let expression = attribute.derivationExpression else { continue }
        let reference = PropertyReference(entityName: name, propertyName: attribute.name)
        guard let column = map.attributeColumns[reference], let table = map.table(of: name),
          let form = form(expression, of: name)
        else {
          unsupported.append(reference)
          continue
        }
        supported.append(
          DerivedAttribute(
            attribute: reference,
            tableName: table.name,
            columnName: column.name,
            entityNumbers: model.hierarchyNames(below: name).map(numbering.number).sorted(),
            form: form
          )
        )
      }
    }
    return (supported, unsupported)
  }

  private func form(
    _ expression: DerivationExpression,
    of entity: String
  ) -> DerivedAttribute.Form? {
    if let relationship = expression.countedRelationship { return count(relationship, of: entity) }
    switch expression {
    case .now: return .now
    case .keyPath(let path) where path.count == 2:
      guard case .key(_, let key, _, _) = storage(of: path[0], in: entity),
        let relationship = model.property(path[0], of: entity)?.property.relationship,
        let declared = model.property(path[1], of: relationship.destinationEntityName),
        let column = map.attributeColumns[
          .init(entityName: declared.entityName, propertyName: path[1])
        ],
        let table = map.table(of: relationship.destinationEntityName)
      else { return nil }
      return .keyPath(key: key, table: table.name, column: column.name)
    case .keyPath, .function, .aggregate, .other: return nil
    }
  }

  private func count(_ relationship: String, of entity: String) -> DerivedAttribute.Form? {
    switch storage(of: relationship, in: entity) {
    case .inverseKey(let table, let key, _): .count(table: table, key: key)
    case .join(let table, let own, _, _) where !table.isReflexive:
      .joinCount(table: table.name, key: own)
    case .key, .ownerKey, .join, nil: nil
    }
  }

  private func storage(of name: String, in entity: String) -> RelationshipStorage? {
    model.property(name, of: entity).flatMap {
      map.relationshipStorages[.init(entityName: $0.entityName, propertyName: name)]
    }
  }
}
