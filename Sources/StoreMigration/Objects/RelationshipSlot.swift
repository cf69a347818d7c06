import ObjectModel
import StoreAccess

/// The storage of one relationship of an entity's objects, and of its other end.
package final class RelationshipSlot {
  /// The relationship.
  let relationship: RelationshipDescription
  /// The entity and the relationship, for messages.
  let place: String
  /// The storage.
  let storage: RelationshipStorage
  /// The slot of a to-one's key.
  let keySlot: Int?
  /// The slot of the number of a to-one's destination entity.
  let entitySlot: Int?
  /// The slot of a to-one's place among those of an ordered inverse.
  let orderSlot: Int?
  /// The name of the relationship back, where stores keep it.
  let inverseName: String?
  /// Whether the relationship back leads to more than one object.
  let isInverseToMany: Bool
  /// The root of the destination entity.
  let destinationRootName: String

  init(
    _ relationship: RelationshipDescription,
    declaredBy entityName: String,
    of owner: String,
    storage: RelationshipStorage,
    model: ManagedObjectModel,
    slots: [String: Int]
  ) {
    self.relationship = relationship
    self.storage = storage
    place = "\(owner).\(relationship.name)"
    if case .key(_, let key, let entity, let order) = storage {
      keySlot = slots[key]
      entitySlot = entity.flatMap { slots[$0] }
      orderSlot = order.flatMap { slots[$0] }
    } else {
      (keySlot, entitySlot, orderSlot) = (nil, nil, nil)
    }
    let inverse = model.inverse(of: relationship)?.property
    inverseName = inverse?.isPersistent == true ? inverse?.name : nil
    isInverseToMany = inverse?.relationship?.isToMany ?? false
    destinationRootName = model.rootEntityName(of: relationship.destinationEntityName)
  }
}
