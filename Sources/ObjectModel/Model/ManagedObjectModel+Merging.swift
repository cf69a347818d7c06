extension ManagedObjectModel {
  /// Returns one model with the entities of several, as `NSManagedObjectModel(byMerging:)` makes it.
  ///
  /// An entity that several have, the same in all, is there once; a configuration gets the entities
  /// that any of the models puts into it. Different composites of one name get different names.
  ///
  /// - Throws: ``ModelError`` where two models have different entities of one name.
  public static func merging(
    _ models: [ManagedObjectModel]
  ) throws(ModelError) -> ManagedObjectModel {
    var entities: [String: EntityDescription] = [:]
    var composites: [String: CompositeDescription] = [:]
    var templates: [String: FetchRequestTemplate] = [:]
    var configurations: [String: Set<String>] = [:]
    var identifiers: Set<String> = []
    for model in models {
      let names = model.compositeNames(besides: composites)
      for entity in model.entities.map({ $0.renaming(composites: names) }) {
        guard entities.updateValue(entity, forKey: entity.name) ?? entity == entity else {
          throw ModelError(
            code: .duplicateName,
            entityName: entity.name,
            message: "Two of the models have different entities named \(entity.name).",
            recovery: "Name versions of them that agree."
          )
        }
      }
      for composite in model.composites {
        let name = names[composite.name] ?? composite.name
        composites[name] = CompositeDescription(name: name, attributes: composite.attributes)
      }
      for template in model.fetchRequestTemplates { templates[template.name] = template }
      configurations.merge(model.configurations.mapValues(Set.init)) { $0.union($1) }
      identifiers.formUnion(model.versionIdentifiers)
    }
    var merged = try ManagedObjectModel(
      entities: Array(entities.values),
      configurations: configurations.mapValues(Array.init),
      fetchRequestTemplates: Array(templates.values),
      composites: Array(composites.values),
      versionIdentifiers: Array(identifiers)
    )
    merged.framework = models.first?.framework ?? .coreData
    for model in models { merged.markUnknown(model.unknownEntities) }
    return merged
  }

  /// Returns the new names of composites that others of the same name differ from.
  private func compositeNames(besides others: [String: CompositeDescription]) -> [String: String] {
    var names: [String: String] = [:]
    var taken = Set(others.keys).union(composites.map(\.name))
    for composite in composites {
      guard let other = others[composite.name], other != composite else { continue }
      var number = 2
      while !taken.insert("\(composite.name).\(number)").inserted { number += 1 }
      names[composite.name] = "\(composite.name).\(number)"
    }
    return names
  }

  /// Returns the part of the model that a store of one configuration holds.
  ///
  /// Names that the model does not have are passed over, so that one list serves all versions.
  ///
  /// - Throws: ``ModelError`` where a relationship leads out of the part, as no store can keep it.
  public func restricted(to names: Set<String>) throws(ModelError) -> ManagedObjectModel {
    var part = try ManagedObjectModel(
      entities: entities.filter { names.contains($0.name) },
      configurations: configurations.mapValues { $0.filter(names.contains) }
        .filter { !$0.value.isEmpty },
      fetchRequestTemplates: fetchRequestTemplates.filter { names.contains($0.entityName) },
      composites: composites,
      versionIdentifiers: versionIdentifiers
    )
    part.framework = framework
    part.markUnknown(unknownEntities.intersection(names))
    return part
  }
}

extension EntityDescription {
  /// Returns the entity with other names of the composites that its attributes hold.
  fileprivate func renaming(composites names: [String: String]) -> EntityDescription {
    guard !names.isEmpty else { return self }
    var entity = self
    entity.attributes = attributes.map { attribute in
      var attribute = attribute
      attribute.compositeName = attribute.compositeName.map { names[$0] ?? $0 }
      return attribute
    }
    return entity
  }
}
