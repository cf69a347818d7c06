import ObjectModel

/// The entities that may have rows in a store that migrates over several steps.
///
/// An entity that neither the store's version nor the last one has may be added by one step and dropped
/// by another; that loses no row.
struct HeldEntities {
  /// The names; nil where code may have made rows of any entity.
  private var names: Set<String>?

  /// The entities of the store's own version.
  init(of model: ManagedObjectModel) { names = Set(model.entities.map(\.name)) }

  /// Follows a step to its destination.
  mutating func take(_ mapping: MappingModel) {
    guard let held = names, mapping.policyNames.isEmpty, mapping.actionsBefore.isEmpty,
      mapping.actionsAfter.isEmpty
    else {
      names = nil
      return
    }
    names = Set(
      mapping.entityMappings.filter { own in
        // A mapping without a source is of a new entity, unless it is left to the developer.
        own.sourceEntityName.map(held.contains) ?? (own.mappingType != .add)
      }.compactMap(\.destinationEntityName)
    )
  }

  /// Returns the findings of a step that leaves a model, without the drops of entities that can have no
  /// rows.
  func findings(_ findings: [Finding], leaving model: ManagedObjectModel) -> [Finding] {
    guard let names else { return findings }
    return findings.filter { finding in
      guard finding.isDropped, let entity = finding.place.entity, model[entity] != nil else {
        return true
      }
      return model.hierarchyNames(below: entity).contains(where: names.contains)
    }
  }
}
