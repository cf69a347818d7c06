import MigrationPlanning
import ObjectModel
import StoreAccess

extension ObjectHopCompiler {
  /// Compiles the relationships of a mapping's objects into SQL; nil where one is for code.
  func connections(
    _ index: Int,
    _ resolution: ResolvedEntityMapping,
    _ ends: Ends
  ) throws(MigrationError) -> [ObjectHopProgram.Connection]? {
    let entity = resolution.mapping
    var connections: [ObjectHopProgram.Connection] = []
    for property in entity.relationshipMappings {
      guard let expression = property.valueExpression, expression != .constant(nil),
        let place = place(of: property.name, in: ends.destination)
      else { continue }
      guard let request = resolution.requests[property.name],
        let links = try links(request.path, entity, ends)
      else { return nil }
      let target = destination.model.property(property.name, of: ends.destination)?
        .property.relationship?.destinationEntityName
      let others = try others(
        request,
        links.end,
        target: target ?? "",
        entity,
        property: property.name
      )
      connections.append(
        ObjectHopProgram.Connection(
          mapping: index,
          relationship: property.name,
          links: links.query,
          lookups: links.lookups,
          others: others,
          otherNumbers: destination.entityNumbers(below: target ?? ""),
          place: place,
          isDirect: isDirect(index, links, others, place),
          carried: request.relationship.map {
            RelationshipSource(entity: ends.source, relationship: $0)
          }
        )
      )
    }
    return connections
  }

  /// Marks the connections whose links may be replaced by links of other connections.
  ///
  /// Both sides of a relationship may give its links: these are the same, except where the two
  /// sides of a one-to-one disagree.
  func contested(
    _ connections: [[ObjectHopProgram.Connection]],
    _ rowConnections: Set<Int>
  ) -> [[ObjectHopProgram.Connection]] {
    let all = connections.joined()
    let coded = rowConnections.flatMap { index -> [LinkPlace] in
      let entity = mapping.entityMappings[index]
      guard let new = entity.destinationEntityName else { return [] }
      return entity.relationshipMappings.filter { $0.valueExpression != nil }.compactMap {
        place(of: $0.name, in: new)
      }
    }
    return connections.map { list in
      list.map { connection in
        var connection = connection
        if case .oneToOne = connection.place { connection.isContested = true }
        connection.isContested =
          connection.isContested || coded.contains { $0.contests(connection.place) }
          || all.contains { other in
            guard other.place.contests(connection.place) else { return false }
            // Two objects that one source object becomes may want the same.
            let isSplit =
              other.mapping != connection.mapping
              && other.carried?.entity == connection.carried?.entity
            return isSplit || !areSame(connection.carried, other.carried)
          }
        return connection
      }
    }
  }

  /// Returns whether two mappings carry the same links: of one relationship, or of the two sides of one.
  private func areSame(_ one: RelationshipSource?, _ other: RelationshipSource?) -> Bool {
    func declared(_ origin: RelationshipSource) -> ManagedObjectModel.DeclaredProperty? {
      source.model.property(origin.relationship, of: origin.entity)
    }
    guard let one = one.flatMap(declared), let other = other.flatMap(declared) else { return false }
    if one.id == other.id { return true }
    return one.property.relationship.flatMap { source.model.inverse(of: $0) }?.id == other.id
  }

  /// Returns the connections, without those whose links are written from the other side of the
  /// relationship, too: a to-one keeps its own, and a join table is filled in the order of its key.
  func unrepeated(_ connections: [[ObjectHopProgram.Connection]]) -> [[ObjectHopProgram.Connection]]
  {
    connections.map { list in list.filter { !isRepeated($0, in: connections) } }
  }

  private func isRepeated(
    _ connection: ObjectHopProgram.Connection,
    in connections: [[ObjectHopProgram.Connection]]
  ) -> Bool {
    guard connection.isDirect, !connection.isContested, !isWrittenFirst(connection.place),
      !connection.place.isOrdered, let carried = connection.carried,
      let entity = mapping.entityMappings[connection.mapping].destinationEntityName,
      let number = destination.entityNumber(entity),
      let description = destination.model.property(connection.relationship, of: entity)?
        .property.relationship,
      let inverse = destination.model.inverse(of: description),
      let old = source.model.property(carried.relationship, of: carried.entity)?
        .property.relationship,
      !RelationshipCardinality(old, in: source.model).isOneToOne,
      let oldInverse = source.model.inverse(of: old)
    else { return false }
    // Each link is one of an object at its other end, which writes it.
    return connection.others.allSatisfy { other in
      connections[other].contains { mirror in
        mirror.relationship == inverse.property.name && mirror.isDirect && !mirror.isContested
          && mirror.carried.flatMap {
            source.model.property($0.relationship, of: $0.entity)?.id
          } == oldInverse.id
          && mirror.others.contains(connection.mapping) && mirror.otherNumbers.contains(number)
          && isWrittenFirst(mirror.place)
      }
    }
  }

  /// Returns whether links are written from the side from which that costs less.
  private func isWrittenFirst(_ place: LinkPlace) -> Bool {
    switch place {
    case .toOne: true
    case .oneToOne, .toMany: false
    case .join(let table, let own, _, _, _):
      destination.joinTables.first { $0.name == table }?.columns.first?.name == own
    }
  }

  /// Returns the value of a to-one's key that is known when its object is made: that of the source row,
  /// where each object to which it may lead keeps its key; nil for any other.
  func createdKey(_ connection: ObjectHopProgram.Connection) -> (column: String, sql: String)? {
    guard case .toOne(let key) = connection.place, key.entity == nil, key.order == nil,
      connection.isDirect, !connection.isContested, let carried = connection.carried,
      let old = source.model.property(carried.relationship, of: carried.entity)?
        .property.relationship,
      !RelationshipCardinality(old, in: source.model).isOneToOne,
      case .key(let table, let column, _, _)? = source.storage(
        of: carried.relationship,
        in: carried.entity
      ),
      table == source.table(of: carried.entity)?.name,
      let target = source.table(of: old.destinationEntityName)?.name
    else { return nil }
    var numbers: [Int: Int] = [:]
    for index in connection.others {
      let other = mapping.entityMappings[index]
      guard other.isOneToOne, keys.choices[index] == .kept,
        let number = other.sourceEntityName.flatMap(source.entityNumber),
        numbers.updateValue(index, forKey: number) == nil
      else { return nil }
    }
    let list = numbers.keys.sorted().map(String.init).joined(separator: ", ")
    let value = "s.\(SQL.identifier(column))"
    return (
      key.key,
      "CASE WHEN EXISTS (SELECT 1 FROM old.\(SQL.identifier(target)) x WHERE x.Z_PK = \(value) "
        + "AND x.Z_ENT IN (\(list))) THEN \(value) END"
    )
  }

  // MARK: Requested links

  /// Returns the entity mappings whose objects are the others.
  private func others(
    _ request: DestinationInstancesRequest,
    _ end: String,
    target: String,
    _ entity: EntityMapping,
    property: String
  ) throws(MigrationError) -> [Int] {
    let root = source.model.rootEntityName(of: end)
    func reads(_ other: EntityMapping) -> Bool {
      other.sourceEntityName.map { source.model.rootEntityName(of: $0) == root } ?? false
    }
    let all = Array(mapping.entityMappings.enumerated())
    guard let name = request.mapping else {
      return all.filter { _, other in
        reads(other)
          && other.destinationEntityName.map { destination.model.isKind($0, of: target) } ?? false
      }.map(\.offset)
    }
    guard let (index, other) = all.first(where: { $0.element.name == name }) else {
      throw refusal(
        entity,
        "asks for the objects of \(name), which is none of the entity mappings",
        Self.correct
      )
    }
    guard reads(other) else {
      throw refusal(
        entity,
        "lets \(property) lead to what \(name) makes of objects of \(end), and \(name) reads "
          + "\(other.sourceEntityName ?? "none")",
        "Name an entity mapping that reads \(end), or leave \(property) empty (null)."
      )
    }
    return [index]
  }

  // MARK: Links of the source

  /// The links from source objects to others.
  struct SourceLinks {
    var query: String
    var lookups: [ObjectHopProgram.Lookup]
    /// The entity at the end of the path.
    var end: String
    /// Whether each owner has at most one link.
    var isToOne: Bool
    /// Whether each other has at most one link.
    var isOwnedOnce: Bool
  }

  /// Returns the links along a path of relationships; nil where code must follow it.
  private func links(
    _ path: [String],
    _ entity: EntityMapping,
    _ ends: Ends
  ) throws(MigrationError) -> SourceLinks? {
    // Operators on collections, such as `@distinctUnionOfSets`.
    if path.contains(where: { $0.hasPrefix("@") }) { return nil }
    var links = SourceLinks(
      query: "SELECT s.Z_PK AS owner, s.Z_PK AS other, NULL AS owner_order, NULL AS other_order "
        + "FROM old.\(SQL.identifier(ends.sourceTable.name)) s "
        + "WHERE s.Z_ENT = \(ends.sourceNumber)",
      lookups: [],
      end: ends.source,
      isToOne: true,
      isOwnedOnce: true
    )
    for (step, name) in path.enumerated() {
      guard let declared = source.model.property(name, of: links.end) else {
        throw refusal(
          entity,
          "follows \(name), which \(links.end) does not have",
          Self.correct
        )
      }
      guard let relationship = declared.property.relationship,
        let query = LinkQuery(
          of: name,
          in: links.end,
          source,
          database: "old",
          scansTables: false
        )?.sql
      else { return nil }
      links.lookups += lookups(of: name, in: links.end)
      if step == 0 {
        links.query = query
      } else {
        links.query =
          "SELECT l0.owner AS owner, l1.other AS other, l1.owner_order AS owner_order, "
          + "NULL AS other_order FROM (\(links.query)) l0 JOIN (\(query)) l1 ON l1.owner = l0.other"
      }
      links.isToOne = links.isToOne && !relationship.isToMany
      links.isOwnedOnce =
        links.isOwnedOnce
        && !RelationshipCardinality(relationship, in: source.model).isInverseToMany
      links.end = relationship.destinationEntityName
    }
    return links
  }

  /// Returns the columns, keys of rows aside, in which the links of an owner are looked up.
  private func lookups(of relationship: String, in entity: String) -> [ObjectHopProgram.Lookup] {
    switch source.storage(of: relationship, in: entity) {
    case .inverseKey(let table, let key, _), .ownerKey(let table, let key, _):
      return [.init(table: table, column: key)]
    case .key:
      // One side of a one-to-one looks into the other, too.
      guard
        let description = source.model.property(relationship, of: entity)?
          .property.relationship, let inverse = source.model.inverse(of: description),
        inverse.property.relationship?.isToMany == false,
        case .key(let table, let key, _, _)? = source.storage(
          of: inverse.property.name,
          in: inverse.entityName
        )
      else { return [] }
      return [.init(table: table, column: key)]
    case .join(let join, let own, let other, _):
      return join.isReflexive
        ? [.init(table: join.name, column: own), .init(table: join.name, column: other)]
        : [.init(table: join.name, column: own)]
    case nil: return []
    }
  }

  // MARK: Where links go

  /// Returns the place of a destination relationship's links; nil where they are not kept.
  private func place(of relationship: String, in entity: String) -> LinkPlace? {
    guard let storage = destination.storage(of: relationship, in: entity),
      let description = destination.model.property(relationship, of: entity)?
        .property.relationship
    else { return nil }
    let inverse = destination.model.inverse(of: description).flatMap {
      destination.storage(of: $0.property.name, in: $0.entityName)
    }
    switch (storage, inverse) {
    case (.key(let table, let key, let number, let order), .key(let other, let back, let it, _)?):
      return .oneToOne(
        .init(table: table, key: key, entity: number, order: order),
        inverse: .init(table: other, key: back, entity: it, order: nil)
      )
    case (.key(let table, let key, let number, let order), _):
      return .toOne(.init(table: table, key: key, entity: number, order: order))
    case (.inverseKey(let table, let key, let order), .key(_, _, let number, _)?):
      return .toMany(.init(table: table, key: key, entity: number, order: order))
    case (.inverseKey(let table, let key, let order), _),
      (.ownerKey(let table, let key, let order), _):
      return .toMany(.init(table: table, key: key, entity: nil, order: order))
    case (.join(let join, let own, let other, let order), _):
      var inverseOrder: String?
      if !join.isReflexive, case .join(_, _, _, let column)? = inverse { inverseOrder = column }
      return .join(
        table: join.name,
        own: own,
        other: other,
        order: order,
        inverseOrder: inverseOrder
      )
    }
  }

  /// Returns whether the links of some owners can be written without knowing those of all others: no two
  /// batches can want one place.
  private func isDirect(
    _ index: Int,
    _ links: SourceLinks,
    _ others: [Int],
    _ place: LinkPlace
  ) -> Bool {
    let makesOneEach = { (index: Int) in
      let entity = mapping.entityMappings[index]
      return entity.deduplicationKeys.isEmpty && entity.pieces == nil
        && entity.entityMigrationPolicyClassName == nil
    }
    switch place {
    case .join: return true
    case .toOne: return links.isToOne && makesOneEach(index)
    case .toMany:
      // The parts of an object may all want the targets of its links.
      return links.isOwnedOnce && mapping.entityMappings[index].pieces == nil
        && others.allSatisfy(makesOneEach)
    case .oneToOne:
      return links.isToOne && links.isOwnedOnce && makesOneEach(index) && others.count == 1
        && others.allSatisfy(makesOneEach)
    }
  }
}
