import ObjectModel

// The work of Core Data's own policy.
extension MigrationManager {
  /// Makes the destination object of the current entity mapping, with its attributes, and associates
  /// it with the source object.
  ///
  /// Where the mapping has deduplication keys, an object with the same values takes the place of a new
  /// one. Where it cuts source objects into parts, each part makes an object.
  ///
  /// - Returns: The object, or the last one; nil where the source object has no parts.
  /// - Throws: ``MigrationError`` outside of the creation of instances, or where a value does not fit.
  @discardableResult
  public func createDefaultInstance(forSource source: ManagedObject) throws -> ManagedObject? {
    let pass = try currentPass()
    guard pass.current == nil else {
      throw MigrationError(
        .failed,
        "A policy asked for a default instance where relationships are created.",
        recovery: "Ask for it where instances are created; one that is made later is not connected."
      )
    }
    guard pass.hasPieces, let pieces = pass.pieces else { return try createInstance(source, pass) }
    var last: ManagedObject?
    for (index, part) in try parts(of: source, pieces).enumerated() {
      pass.piece = (part, index)
      last = try createInstance(source, pass)
    }
    pass.piece = nil
    return last
  }

  private func createInstance(
    _ source: ManagedObject,
    _ pass: MappingPass
  ) throws -> ManagedObject {
    let context = destinationContext
    let object: ManagedObject
    if let deduplication = pass.deduplication {
      // The values decide whether there will be an object.
      let values = try pass.attributeValues(from: source, manager: self)
      if let key = try deduplication.key(for: values),
        let found = try context.object(in: pass.destination, key: key)
      {
        object = found
      } else {
        object = try context.insert(entityName: pass.destination.entity.name)
        object.values = values
        try deduplication.insert(object.key, for: values)
      }
    } else {
      object = try context.insert(pass.destination)
      try pass.assignAttributes(of: object, from: source, manager: self)
    }
    try associations.insert(mapping: pass.index, source: source.end, destination: object.end)
    return object
  }

  /// Returns the parts into which a mapping cuts a source object.
  private func parts(
    of source: ManagedObject,
    _ pieces: EntityMapping.Pieces
  ) throws -> [ExpressionValue] {
    let value = try evaluate(pieces.value, at: "parts", source: source, destination: nil)
    guard let parts = pieces.parts(of: value) else {
      throw MigrationError(
        .failed,
        "The parts of \(source.entity.name) are neither a text nor a collection.",
        recovery: "Let the mapping cut a text, or go through a collection."
      )
    }
    return parts
  }

  /// Sets the relationships of a destination object as the current entity mapping defines them.
  ///
  /// Objects that a relationship cannot lead to, because another mapping made them of another
  /// entity, are left out.
  ///
  /// - Throws: ``MigrationError`` outside of the creation of relationships, or where an expression
  ///   gives something else than objects.
  public func createDefaultRelationships(forDestination object: ManagedObject) throws {
    let pass = try currentPass()
    guard !pass.relationships.isEmpty else { return }
    try pass.checkPieces()
    let source: ManagedObject?
    if let current = pass.current, current.destination === object {
      let end = current.source
      source = try sourceContext.object(number: end.entity, key: end.key)
    } else {
      source = try sourceInstances(
        forEntityMappingName: pass.mapping.name,
        destinationInstances: [object]
      ).first
    }
    for property in pass.relationships {
      let value = try evaluate(
        property.expression,
        at: property.name,
        source: source,
        destination: object
      )
      let slot = try object.layout.relationship(property.name)
      destinationContext.takenLinks = 0
      try object.setValue(fitting(value, slot), forKey: property.name)
      // Only a policy knows its other effects on objects.
      guard pass.hasNoPolicy else { continue }
      try OverwrittenLinks.add(
        destinationContext.takenLinks,
        mapping: pass.index,
        property.name,
        on: destinationContext.database.connection
      )
    }
  }

  /// Returns the objects of a value that are of a relationship's destination.
  private func fitting(_ value: ExpressionValue, _ slot: RelationshipSlot) -> ExpressionValue {
    let name = slot.relationship.destinationEntityName
    func fits(_ member: ExpressionValue) -> Bool {
      guard case .object(let object as ManagedObject) = member else { return true }
      return object.layout.store != .destination
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
