import ObjectModel
import StoreAccess

// Relationships that are kept in the rows of others.
extension ManagedObjectContext {
  /// Returns the objects that a to-many relationship leads to: in their order where it has one, else by
  /// key.
  func destinations(
    of object: ManagedObject,
    _ slot: RelationshipSlot
  ) throws -> [ManagedObject] {
    guard slot.relationship.isToMany else {
      return try destination(of: object, slot).map { [$0] } ?? []
    }
    if object.isUnlinked { return [] }
    // The owner's number of saves is that of its list, or of an earlier one.
    if configuration.isOfOpenedStore { try object.load() }
    if hasChanges { try save() }
    try indexOwners(slot)
    let query = try database.statement(membersSQL(slot))
    try query.statement.bind(object.key, at: 1)
    var ends: [(number: Int64, key: Int64)] = []
    while try query.statement.step() {
      ends.append((query.statement.int64(1), query.statement.int64(0)))
    }
    return try ends.compactMap { try self.object(number: $0.number, key: $0.key) }
  }

  /// Makes an index for a relationship without inverse, for which stores have none.
  ///
  /// Only where a migration removes it again, as it does its lookups.
  private func indexOwners(_ slot: RelationshipSlot) throws {
    guard case .ownerKey(let table, let owner, _) = slot.storage, manager != nil,
      configuration.store == .destination
    else { return }
    let name = "\(KeyLookup.indexPrefix)\(table)_\(owner)"
    guard knownLookups.insert(name).inserted else { return }
    try database.settle()
    try database.connection.execute(
      "CREATE INDEX IF NOT EXISTS \(SQL.identifier(configuration.schemaName, name))"
        + " ON \(SQL.identifier(table)) (\(SQL.identifier(owner)))"
    )
  }

  /// Returns the query for the keys and entity numbers of the members of an owner.
  private func membersSQL(_ slot: RelationshipSlot) -> String {
    let schemaName = configuration.schemaName
    switch slot.storage {
    case .key(let table, let owner, _, let order), .inverseKey(let table, let owner, let order),
      .ownerKey(let table, let owner, let order):
      let sorting = order.map { SQL.identifier($0) + ", " } ?? ""
      return "SELECT Z_PK, Z_ENT FROM \(SQL.identifier(schemaName, table))"
        + " WHERE \(SQL.identifier(owner)) = ? ORDER BY \(sorting)Z_PK"
    case .join(let table, let own, let other, let order):
      let sorting = order.map { "j.\(SQL.identifier($0)), " } ?? ""
      let destination =
        schema.table(of: slot.relationship.destinationEntityName)?.name ?? table.name
      return "SELECT d.Z_PK, d.Z_ENT FROM \(SQL.identifier(schemaName, table.name)) AS j"
        + " JOIN \(SQL.identifier(schemaName, destination)) AS d"
        + " ON d.Z_PK = j.\(SQL.identifier(other))"
        + " WHERE j.\(SQL.identifier(own)) = ? ORDER BY \(sorting)d.Z_PK"
    }
  }

  /// Lets a to-many relationship lead to exactly these objects.
  func setToMany(
    _ owner: ManagedObject,
    _ slot: RelationshipSlot,
    _ objects: [ManagedObject]
  ) throws {
    var seen: Set<ObjectIdentifier> = []
    let members = objects.filter { seen.insert(ObjectIdentifier($0)).inserted }
    let known = owner.seenMembers?[slot.relationship.name]
    for former in try destinations(of: owner, slot) where !seen.contains(ObjectIdentifier(former)) {
      // One that another context added since the app read the list stays.
      if let known, !known.contains(former.key), former.unsaved == nil { continue }
      takenLinks += 1
      try remove(former, from: owner, slot)
    }
    for (index, member) in members.enumerated() {
      let order = slot.relationship.isOrdered ? OrderKey.key(atRank: index) : nil
      try link(owner, slot, member, order: order)
    }
    guard slot.relationship.isOrdered, !members.isEmpty, let list = list(owner, slot, members[0])
    else { return }
    lastOrderKeys[list] = OrderKey.key(atRank: members.count - 1)
  }

  /// Adds an object to those that a to-many relationship leads to, at the end.
  func add(_ member: ManagedObject, to owner: ManagedObject, _ slot: RelationshipSlot) throws {
    try requireWritable()
    try check(member, for: slot)
    guard slot.relationship.isToMany else {
      try setToOne(owner, slot, member)
      return
    }
    try link(owner, slot, member, order: nil)
  }

  /// Takes an object out of those that a relationship leads to.
  func remove(
    _ member: ManagedObject,
    from owner: ManagedObject,
    _ slot: RelationshipSlot
  ) throws {
    try requireWritable()
    switch slot.storage {
    case .key:
      if try destination(of: owner, slot) === member { try setToOne(owner, slot, nil) }
    case .inverseKey:
      guard let inverse = slot.inverseName else { return }
      let back = try member.layout.relationship(inverse)
      if try destination(of: member, back) === owner { try writeKey(member, back, nil) }
    case .ownerKey(_, let ownerColumn, let order):
      try member.load()
      guard let place = member.layout.slotsByColumn[ownerColumn],
        member.values[place] == .integer(owner.key)
      else { return }
      try touch(owner)
      try member.set(.null, slot: place)
      if let order = order.flatMap({ member.layout.slotsByColumn[$0] }) {
        try member.set(.null, slot: order)
      }
    case .join(let table, let own, let other, _):
      try touch(owner)
      try touch(member)
      try unlink(table, (own, owner), (other, member))
      if table.isReflexive { try unlink(table, (own, member), (other, owner)) }
    }
  }

  private func unlink(
    _ table: JoinTable,
    _ own: (column: String, object: ManagedObject),
    _ other: (column: String, object: ManagedObject)
  ) throws {
    let name = SQL.identifier(configuration.schemaName, table.name)
    let delete = try database.statement(
      "DELETE FROM \(name) WHERE \(SQL.identifier(own.column)) = ?"
        + " AND \(SQL.identifier(other.column)) = ?"
    )
    try delete.statement.bind(own.object.key, at: 1)
    try delete.statement.bind(other.object.key, at: 2)
    try delete.statement.run()
  }

  /// Returns the list that orders an owner's members; nil where they have no order.
  private func list(
    _ owner: ManagedObject,
    _ slot: RelationshipSlot,
    _ member: ManagedObject
  ) -> OrderedOwner? {
    let (table, order): (String, String?) =
      switch slot.storage {
      case .key(_, _, _, let order): (owner.layout.table, order)
      case .inverseKey(_, _, let order), .ownerKey(_, _, let order): (member.layout.table, order)
      case .join(let join, _, _, let order):
        (SQL.identifier(configuration.schemaName, join.name), order)
      }
    return order.map { OrderedOwner(column: "\(table).\($0)", key: owner.key) }
  }
}

extension ManagedObjectContext {
  /// Links a member to an owner, where it is not yet.
  ///
  /// - Parameter order: Its place in the owner's list; nil puts a new member at the end.
  private func link(
    _ owner: ManagedObject,
    _ slot: RelationshipSlot,
    _ member: ManagedObject,
    order: Int64?
  ) throws {
    switch slot.storage {
    case .key: try setToOne(owner, slot, member)
    case .inverseKey:
      guard let inverse = slot.inverseName else { return }
      let back = try member.layout.relationship(inverse)
      try countTaken(from: member, back.keySlot, by: owner)
      try writeKey(member, back, owner, order: order)
    case .ownerKey(_, let ownerColumn, let orderColumn):
      try linkOneSided(owner, member, ownerColumn, orderColumn, order: order)
    case .join(let table, let own, let other, let orderColumn):
      try linkJoined(owner, member, table, own, other, orderColumn, order: order)
    }
  }

  private func linkOneSided(
    _ owner: ManagedObject,
    _ member: ManagedObject,
    _ ownerColumn: String,
    _ orderColumn: String?,
    order: Int64?
  ) throws {
    let layout = member.layout
    guard let place = layout.slotsByColumn[ownerColumn] else { return }
    try countTaken(from: member, place, by: owner)
    try member.load()
    let key = owner.key
    if member.values[place] != .integer(key) {
      try touch(owner)
      // To read the owner, a batch may have let go of its values.
      try member.load()
    }
    defer { owner.isLinked = true }
    if let column = orderColumn, let orderPlace = layout.slotsByColumn[column] {
      let isMember = member.values[place] == .integer(key) && !member.values[orderPlace].isNull
      if let order {
        try member.set(.integer(order), slot: orderPlace)
      } else if !isMember {
        let next = try nextOrderKey(
          table: layout.table,
          owner: ownerColumn,
          order: column,
          of: owner
        )
        try member.set(.integer(next), slot: orderPlace)
      }
    }
    try member.set(.integer(key), slot: place)
  }

  private func linkJoined(
    _ owner: ManagedObject,
    _ member: ManagedObject,
    _ table: JoinTable,
    _ own: String,
    _ other: String,
    _ orderColumn: String?,
    order: Int64?
  ) throws {
    let inverseOrder =
      table.isReflexive
      ? nil
      : own == table.ownerColumn.name
        ? table.ownerOrderColumn?.name : table.destinationOrderColumn?.name
    try joinRow(
      table,
      own: (own, owner),
      other: (other, member),
      order: orderColumn,
      place: order,
      inverseOrder: inverseOrder
    )
    owner.isLinked = true
    member.isLinked = true
    if table.isReflexive, owner !== member {
      try joinRow(
        table,
        own: (own, member),
        other: (other, owner),
        order: orderColumn,
        place: nil,
        inverseOrder: nil
      )
    }
  }

  /// Writes one row of a join table: new, or with another place in the owner's list.
  private func joinRow(
    _ table: JoinTable,
    own: (column: String, object: ManagedObject),
    other: (column: String, object: ManagedObject),
    order: String?,
    place: Int64?,
    inverseOrder: String?
  ) throws {
    let name = SQL.identifier(configuration.schemaName, table.name)
    let (ownName, otherName) = (SQL.identifier(own.column), SQL.identifier(other.column))
    let find = try database.statement(
      "SELECT 1 FROM \(name) WHERE \(ownName) = ? AND \(otherName) = ?"
    )
    try find.statement.bind(own.object.key, at: 1)
    try find.statement.bind(other.object.key, at: 2)
    let isThere = try find.statement.step()
    find.statement.reset()
    if isThere {
      guard let order, let place else { return }
      try touch(own.object)
      let update = try database.statement(
        "UPDATE \(name) SET \(SQL.identifier(order)) = ? WHERE \(ownName) = ? AND \(otherName) = ?"
      )
      try update.statement.bind(place, at: 1)
      try update.statement.bind(own.object.key, at: 2)
      try update.statement.bind(other.object.key, at: 3)
      try update.statement.run()
      return
    }
    try touch(own.object)
    try touch(other.object)
    var columns = [own.column, other.column]
    var keys = [own.object.key, other.object.key]
    if let order {
      columns.append(order)
      keys.append(
        try place
          ?? nextOrderKey(table: name, owner: own.column, order: order, of: own.object)
      )
    }
    if let inverseOrder {
      columns.append(inverseOrder)
      keys.append(
        try nextOrderKey(table: name, owner: other.column, order: inverseOrder, of: other.object)
      )
    }
    let list = columns.map { SQL.identifier($0) }.joined(separator: ", ")
    let parameters = columns.map { _ in "?" }.joined(separator: ", ")
    let insert = try database.statement("INSERT INTO \(name) (\(list)) VALUES (\(parameters))")
    for (index, key) in keys.enumerated() { try insert.statement.bind(key, at: index + 1) }
    try insert.statement.run()
  }
}
