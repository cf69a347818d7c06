/// A check that the parts of a model fit together.
struct ModelValidator {
  private let model: ManagedObjectModel
  private let composites: Set<String>

  init(model: ManagedObjectModel) {
    self.model = model
    composites = Set(model.composites.map(\.name))
  }

  func validate() throws(ModelError) {
    for entity in model.entities {
      try checkNames(of: entity)
      for relationship in entity.relationships { try check(relationship, of: entity) }
      for attribute in entity.attributes { try check(attribute, of: entity) }
      try checkConstraints(of: entity)
      if !composites.isEmpty { try checkElements(of: entity) }
    }
  }

  private func checkNames(of entity: EntityDescription) throws(ModelError) {
    let names =
      entity.attributes.map(\.name) + entity.relationships.map(\.name)
      + entity.fetchedProperties.map(\.name)
    for name in [entity.name] + names where name.isEmpty || name.utf8.contains(0) {
      throw ModelError(
        code: .badName,
        entityName: entity.name,
        message: "A name in entity \(entity.name) is empty or holds a NUL.",
        recovery: "Give it a name."
      )
    }
    var seen: Set<String> = []
    for name in names where !seen.insert(name).inserted {
      throw ModelError(
        code: .duplicateName,
        entityName: entity.name,
        propertyName: name,
        message: "Entity \(entity.name) has two properties named \(name).",
        recovery: "Rename one of them."
      )
    }
  }

  private func check(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) throws(ModelError) {
    let place = "Relationship \(entity.name).\(relationship.name)"
    guard model[relationship.destinationEntityName] != nil else {
      throw ModelError(
        code: .missingDestination,
        entityName: entity.name,
        propertyName: relationship.name,
        message:
          "\(place) leads to \(relationship.destinationEntityName), which the model does not have.",
        recovery: "Add the entity, or change the destination."
      )
    }
    // A public model has -1 where Xcode writes 0: no bound.
    guard relationship.minCount >= -1, relationship.maxCount >= -1 else {
      throw ModelError(
        code: .badCount,
        entityName: entity.name,
        propertyName: relationship.name,
        message: "\(place) has \(min(relationship.minCount, relationship.maxCount)) as a bound of "
          + "its count.",
        recovery: "Make it 0, which is no bound, or more."
      )
    }
  }

  private func check(
    _ attribute: AttributeDescription,
    of entity: EntityDescription
  ) throws(ModelError) {
    guard let name = attribute.compositeName, !composites.contains(name) else { return }
    throw ModelError(
      code: .missingComposite,
      entityName: entity.name,
      propertyName: attribute.name,
      message:
        "Attribute \(entity.name).\(attribute.name) holds the composite \(name), which is missing.",
      recovery: "Add the composite to the model."
    )
  }

  /// Checks that no two elements of a composite, or an element and another property, have one name.
  private func checkElements(of entity: EntityDescription) throws(ModelError) {
    let names = model.properties(of: entity.name).map(\.property.name)
    for (name, next) in zip(names, names.dropFirst() + [""])
    where name == next || name.hasSuffix(".") {
      throw ModelError(
        code: name == next ? .duplicateName : .badName,
        entityName: entity.name,
        propertyName: name,
        message: name == next
          ? "Entity \(entity.name) has two properties named \(name)."
          : "An element of the composite attribute \(entity.name).\(name.dropLast()) has no name.",
        recovery: name == next ? "Rename one of them." : "Give it a name."
      )
    }
  }

  private func checkConstraints(of entity: EntityDescription) throws(ModelError) {
    for name in entity.uniquenessConstraints.joined()
    where model.property(name, of: entity.name) == nil
      && model.declaredProperty(name, of: entity.name) == nil
    {
      throw ModelError(
        code: .missingProperty,
        entityName: entity.name,
        propertyName: name,
        message: "Entity \(entity.name) has a uniqueness constraint over \(name), "
          + "which it does not have.",
        recovery: "Correct the constraint."
      )
    }
  }
}
