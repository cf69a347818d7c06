import ObjectModel
import StoreAccess

extension ManagedObjectContext {
  /// Deletes an object, and applies the delete rules of its relationships.
  ///
  /// Nullify clears the inverse, cascade deletes the objects, too, deny refuses while there are any, and
  /// no action leaves them unchanged.
  ///
  /// - Throws: ``MigrationError`` where a rule denies it, or the context is read-only.
  public func delete(_ object: ManagedObject) throws {
    try requireWritable()
    mayLackRows = true
    var pending = [object]
    while let next = pending.popLast() {
      guard !next.isDeleted else { continue }
      // Before its members are read: one that another context adds meanwhile is a conflict.
      if configuration.isOfOpenedStore { try next.load() }
      var releasesOthers = false
      for declared in model.relationships(of: next.layout.entity.name) {
        guard case .relationship(let slot)? = next.layout.properties[declared.name] else {
          continue
        }
        pending += try release(next, slot, &releasesOthers)
      }
      try save()
      let delete = try database.statement("DELETE FROM \(next.layout.table) WHERE Z_PK = ?")
      try delete.statement.bind(next.key, at: 1)
      try delete.statement.run()
      try note(deleted: next)
      next.unsaved?.releasedOthers = releasesOthers
      next.status = .deleted
    }
  }

  /// Unlinks an object from those that one of its relationships leads to.
  ///
  /// - Returns: The objects that are deleted with it.
  private func release(
    _ object: ManagedObject,
    _ slot: RelationshipSlot,
    _ releasesOthers: inout Bool
  ) throws -> [ManagedObject] {
    let members = try destinations(of: object, slot)
    let isOwnKey = slot.keySlot != nil && (slot.inverseName == nil || slot.isInverseToMany)
    if !members.isEmpty, !isOwnKey || slot.relationship.deletionRule == .cascade {
      releasesOthers = true
    }
    let rule = slot.relationship.deletionRule
    guard rule != .deny || members.isEmpty else {
      if configuration.isOfOpenedStore {
        throw SaveFailure(.denied(object.objectID, property: slot.relationship.name))
      }
      throw MigrationError(
        .failed,
        "An object of the entity \(object.layout.entity.name) cannot be deleted while"
          + " \(slot.place) leads to others.",
        recovery: "Let the policy clear the relationship first."
      )
    }
    // A row of a join table cannot outlive its object.
    if case .join = slot.storage {
    } else if rule == .noAction {
      for member in members { try touch(member) }
      return []
    }
    for member in members { try remove(member, from: object, slot) }
    return rule == .cascade ? members : []
  }
}
