import ObjectModel

// What Core Data's own policy does.
extension MigrationManager {
  /// Makes the destination object that the entity mapping at hand says, with its attributes, and
  /// associates it with the source object.
  ///
  /// - Returns: The object.
  /// - Throws: ``MigrationError`` outside of the creation of instances, or where a value does not fit.
  @discardableResult
  public func createDefaultInstance(forSource source: ManagedObject) throws -> ManagedObject {
    let pass = try currentPass()
    let object = try destinationContext.insert(entityName: pass.destination.entity.name)
    try pass.assignAttributes(of: object, from: source, manager: self)
    try associations.insert(mapping: pass.index, source: source.end, destination: object.end)
    return object
  }

  /// Gives the relationships of a destination object what the entity mapping at hand says.
  ///
  /// Objects that a relationship cannot lead to, because another mapping made them of another
  /// entity, are left out.
  ///
  /// - Throws: ``MigrationError`` outside of the creation of relationships, or where an expression
  ///   gives something else than objects.
  public func createDefaultRelationships(forDestination object: ManagedObject) throws {
    let pass = try currentPass()
    guard !pass.relationships.isEmpty else { return }
    let source: ManagedObject?
    if pass.current.destination === object {
      source = pass.current.source
    } else {
      source = try sourceInstances(
        forEntityMappingNamed: pass.mapping.name,
        destinationInstances: [object]
      ).first
    }
    for property in pass.relationships {
      guard let expression = property.valueExpression else { continue }
      let value = try evaluate(expression, for: property, source: source, destination: object)
      let slot = try object.layout.relationship(property.name)
      try object.setValue(fitting(value, slot), forKey: property.name)
    }
  }

  /// The objects of a value that are of a relationship's destination.
  private func fitting(_ value: ExpressionValue, _ slot: RelationshipSlot) -> ExpressionValue {
    let name = slot.relationship.destinationEntityName
    func fits(_ member: ExpressionValue) -> Bool {
      guard case .object(let object as ManagedObject) = member else { return true }
      return object.objectID.store != .destination
        || destinationModel.isKind(object.layout.entity.name, of: name)
    }
    return switch value {
    case .list(let members): .list(members.filter(fits))
    case .set(let members): .set(members.filter(fits))
    default: value
    }
  }

  func currentPass() throws -> MappingPass {
    guard let pass else {
      throw MigrationError(
        .failed,
        "A policy asked for Core Data's default outside of its callbacks.",
        recovery: "Ask for it where instances or relationships are created."
      )
    }
    return pass
  }
}
