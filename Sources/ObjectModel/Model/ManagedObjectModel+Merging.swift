extension ManagedObjectModel {
  /// One model with the entities of several, as `NSManagedObjectModel(byMerging:)` makes it.
  ///
  /// An entity that several have, the same in all, is there once; a configuration gets the entities
  /// that any of the models puts into it.
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
      for entity in model.entities {
        guard entities.updateValue(entity, forKey: entity.name) ?? entity == entity else {
          throw ModelError(
            code: .duplicateName,
            entityName: entity.name,
            message: "Two of the models have different entities named \(entity.name).",
            recovery: "Name versions of them that agree."
          )
        }
      }
      for composite in model.composites { composites[composite.name] = composite }
      for template in model.fetchRequestTemplates { templates[template.name] = template }
      configurations.merge(model.configurations.mapValues(Set.init)) { $0.union($1) }
      identifiers.formUnion(model.versionIdentifiers)
    }
    return try ManagedObjectModel(
      entities: Array(entities.values),
      configurations: configurations.mapValues(Array.init),
      fetchRequestTemplates: Array(templates.values),
      composites: Array(composites.values),
      versionIdentifiers: Array(identifiers)
    )
  }

  /// The part of the model that a store of one configuration holds.
  ///
  /// Names that the model does not have are passed over, so that one list serves all versions.
  ///
  /// - Throws: ``ModelError`` where a relationship leads out of the part, as no store can keep it.
  public func restricted(to names: Set<String>) throws(ModelError) -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: entities.filter { names.contains($0.name) },
      configurations: configurations.mapValues { $0.filter(names.contains) }
        .filter { !$0.value.isEmpty },
      fetchRequestTemplates: fetchRequestTemplates.filter { names.contains($0.entityName) },
      composites: composites,
      versionIdentifiers: versionIdentifiers
    )
  }
}
