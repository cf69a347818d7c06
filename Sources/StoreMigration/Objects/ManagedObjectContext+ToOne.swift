import ObjectModel
import StoreAccess

// Relationships whose key is in the object's own row.
extension ManagedObjectContext {
  /// Returns the object that a to-one relationship leads to; nil also where no row has the key.
  func destination(of object: ManagedObject, _ slot: RelationshipSlot) throws -> ManagedObject? {
    guard let keySlot = slot.keySlot else { return nil }
    try object.load()
    guard let key = object.values[keySlot].integer else { return nil }
    return try self.object(entityName: slot.relationship.destinationEntityName, key: key)
  }

  /// Lets a relationship lead to these objects, and those back.
  ///
  /// - Throws: ``MigrationError`` where an object is of another store or entity, or there are too
  ///   many for a to-one.
  func setDestinations(
    of owner: ManagedObject,
    _ slot: RelationshipSlot,
    to objects: [ManagedObject]
  ) throws {
    try requireWritable()
    for object in objects { try check(object, for: slot) }
    if slot.relationship.isToMany {
      try setToMany(owner, slot, objects)
      return
    }
    guard objects.count <= 1 || objects.allSatisfy({ $0 === objects[0] }) else {
      throw MigrationError(
        .failed,
        "\(slot.place) leads to one object and was set to several.",
        recovery: "Let the mapping's expression give one object."
      )
    }
    try setToOne(owner, slot, objects.first)
  }

  /// Refuses an object that a relationship cannot lead to.
  func check(_ object: ManagedObject, for slot: RelationshipSlot) throws {
    let name = object.layout.entity.name
    guard !object.isLost else { throw SaveFailure(.conflict([object.objectID])) }
    guard object.context === self, !object.isDeleted else {
      throw MigrationError(
        .failed,
        "\(slot.place) was set to a deleted object, or to one of another store.",
        recovery: "Use the destination instances that the manager associates with source instances."
      )
    }
    guard model.isKind(name, of: slot.relationship.destinationEntityName) else {
      throw MigrationError(
        .failed,
        "\(slot.place) leads to \(slot.relationship.destinationEntityName) and was set to"
          + " an object of the entity \(name).",
        recovery: "Let the mapping's expression give objects of the relationship's destination."
      )
    }
  }

  /// Lets a to-one relationship lead to an object, or nowhere.
  func setToOne(
    _ owner: ManagedObject,
    _ slot: RelationshipSlot,
    _ destination: ManagedObject?
  ) throws {
    if slot.inverseName == nil || slot.isInverseToMany {
      try countTaken(from: owner, slot.keySlot, by: destination)
    }
    if let inverse = slot.inverseName, !slot.isInverseToMany {
      if let previous = try self.destination(of: owner, slot), previous !== destination {
        takenLinks += 1
        try forget(owner, at: previous, inverse)
      }
      if let destination {
        let back = try destination.layout.relationship(inverse)
        if let other = try self.destination(of: destination, back), other !== owner {
          takenLinks += 1
          try forget(destination, at: other, slot.relationship.name)
        }
        try writeKey(destination, back, owner)
      }
    }
    try writeKey(owner, slot, destination)
  }

  /// Counts the link that a row holds, where it is to hold another.
  func countTaken(from object: ManagedObject, _ slot: Int?, by other: ManagedObject?) throws {
    guard let slot else { return }
    try object.load()
    if let key = object.values[slot].integer, key != other?.key { takenLinks += 1 }
  }

  /// Clears a to-one relationship, if it leads to the object given.
  private func forget(
    _ object: ManagedObject,
    at owner: ManagedObject,
    _ name: String
  ) throws {
    guard case .relationship(let slot)? = owner.layout.properties[name] else { return }
    guard try destination(of: owner, slot) === object else { return }
    try writeKey(owner, slot, nil)
  }

  /// Writes the columns of a to-one relationship of one row.
  ///
  /// - Parameter order: The place among the destinations of an ordered inverse; nil puts the row at
  ///   the end, unless it is in that list already.
  func writeKey(
    _ owner: ManagedObject,
    _ slot: RelationshipSlot,
    _ destination: ManagedObject?,
    order: Int64? = nil
  ) throws {
    guard let keySlot = slot.keySlot else { return }
    try owner.load()
    try touchEnds(of: owner, slot, destination)
    // To read those ends, a batch may have let go of its values.
    try owner.load()
    guard let destination else {
      for place in [keySlot, slot.entitySlot, slot.orderSlot].compactMap({ $0 }) {
        try owner.set(.null, slot: place)
      }
      return
    }
    let key = destination.key
    defer { destination.isLinked = true }
    if let place = slot.orderSlot {
      let isMember = owner.values[keySlot] == .integer(key) && !owner.values[place].isNull
      if let order {
        try owner.set(.integer(order), slot: place)
      } else if !isMember {
        let next = try nextOrderKey(
          table: owner.layout.table,
          owner: owner.layout.columns[keySlot],
          order: owner.layout.columns[place],
          of: destination
        )
        try owner.set(.integer(next), slot: place)
      }
    }
    try owner.set(.integer(key), slot: keySlot)
    if let place = slot.entitySlot {
      try owner.set(.integer(destination.layout.number), slot: place)
    }
  }

  /// Returns the key that puts a member at the end of an owner's list.
  ///
  /// - Throws: ``MigrationError`` where the list is longer than order keys reach.
  func nextOrderKey(
    table: String,
    owner: String,
    order: String,
    of object: ManagedObject
  ) throws -> Int64 {
    let key = object.key
    let list = OrderedOwner(column: "\(table).\(order)", key: key)
    var last = lastOrderKeys[list]
    if last == nil, !object.isUnlinked {
      try save()
      let sql =
        "SELECT MAX(\(SQL.identifier(order))) FROM \(table) WHERE \(SQL.identifier(owner)) = ?"
      let query = try database.statement(sql)
      try query.statement.bind(key, at: 1)
      if try query.statement.step(), !query.statement.isNull(0) { last = query.statement.int64(0) }
      query.statement.reset()
    }
    let (next, isTooGreat) =
      last.map { $0.addingReportingOverflow(OrderKey.step) } ?? (OrderKey.first, false)
    guard !isTooGreat, next <= Int64(Int32.max) else {
      throw MigrationError(
        .failed,
        "An ordered relationship that \(table) keeps would get more members than stores can order.",
        recovery: "Let the mapping spread them over more objects."
      )
    }
    lastOrderKeys[list] = next
    return next
  }
}
