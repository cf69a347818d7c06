import ObjectModel

/// A prediction of the table of one hierarchy of entities.
struct TablePrediction {
  private let model: ManagedObjectModel
  private let numbering: EntityNumbering
  /// The to-many relationships without inverse, by destination.
  private let oneSided: [String: [PropertyReference]]

  init(model: ManagedObjectModel, numbering: EntityNumbering) {
    self.model = model
    self.numbering = numbering
    var oneSided: [String: [PropertyReference]] = [:]
    for name in numbering.names {
      for relationship in model[name]?.relationships ?? []
      where relationship.isPersistent && relationship.isToMany && relationship.inverseName == nil {
        oneSided[relationship.destinationEntityName, default: []]
          .append(.init(entityName: name, propertyName: relationship.name))
      }
    }
    self.oneSided = oneSided
  }

  /// A column before its name is made unique.
  private struct Request {
    var group: ColumnGroup
    var name: String
    var declaredType = "INTEGER"
    var role: SchemaColumn.Role
  }

  /// Returns the table of a root entity and all below it.
  ///
  /// Names are made unique entity by entity; only then are the columns sorted into groups. A composite
  /// attribute has no column, but each of its elements has one, which has the element's name alone:
  /// measured on stores of SwiftData.
  ///
  /// - Complexity: O(*p* log *p*) in the properties that the hierarchy declares.
  func table(root: String) -> EntityTable {
    var groups = [[SchemaColumn]](repeating: [], count: ColumnGroup.allCases.count)
    let fixed = [
      SchemaColumn(name: "Z_PK", declaredType: "INTEGER", role: .primaryKey),
      SchemaColumn(name: "Z_ENT", declaredType: "INTEGER", role: .entityNumber),
      SchemaColumn(name: "Z_OPT", declaredType: "INTEGER", role: .optimisticLock),
    ]
    var names = UniqueNames(fixed.map(\.name))
    let hierarchy = model.hierarchyNames(below: root).sorted {
      numbering.number($0) < numbering.number($1)
    }
    for entity in hierarchy {
      let requests = requests(of: entity)
      for group in ColumnGroup.allCases {
        for request in requests where request.group == group {
          groups[group.rawValue].append(
            SchemaColumn(
              name: names.claim(request.name),
              declaredType: request.declaredType,
              role: request.role
            )
          )
        }
      }
    }
    return EntityTable(
      rootEntityName: root,
      name: "Z" + SchemaName.uppercased(root),
      columns: fixed + groups.joined()
    )
  }

  /// Returns the columns for what an entity itself declares; those of one group in their order.
  private func requests(of entity: String) -> [Request] {
    guard let description = model[entity] else { return [] }
    let inherited = Set(
      description.superentityName.map { model.properties(of: $0).map(\.property.name) } ?? []
    )
    var requests: [Request] = []
    for attribute in model.ownAttributes(of: entity)
    where attribute.isPersistent && !inherited.contains(attribute.name) {
      guard let type = attribute.attributeType.declaredColumnType,
        let group = attribute.attributeType.columnGroup
      else { continue }
      requests.append(
        Request(
          group: group,
          name: "Z" + SchemaName.uppercased(attribute.ownName),
          declaredType: type,
          role: .attribute(entity: entity, name: attribute.name)
        )
      )
    }
    for relationship in description.relationships
    where relationship.isPersistent && !relationship.isToMany
      && !inherited.contains(relationship.name)
    {
      requests += self.requests(for: relationship, of: entity)
    }
    for owner in oneSided[entity] ?? [] { requests += self.requests(forOneSided: owner) }
    return requests
  }

  private func requests(
    for relationship: RelationshipDescription,
    of entity: String
  ) -> [Request] {
    let name = SchemaName.uppercased(relationship.name)
    var requests = [
      Request(
        group: .integers,
        name: "Z" + name,
        role: .toOneKey(entity: entity, relationship: relationship.name)
      )
    ]
    let destination = relationship.destinationEntityName
    if !model.subentityNames(of: destination).isEmpty {
      requests.append(
        Request(
          group: .integers,
          name: "Z\(numbering.number(destination))_\(name)",
          role: .toOneEntity(entity: entity, relationship: relationship.name)
        )
      )
    }
    if let inverse = model.inverse(of: relationship)?.property.relationship,
      inverse.isToMany, inverse.isOrdered, inverse.isPersistent
    {
      requests.append(
        Request(
          group: .orderKeys,
          name: "Z_FOK_\(name)",
          role: .orderKey(entity: entity, relationship: relationship.name)
        )
      )
    }
    return requests
  }

  private func requests(forOneSided owner: PropertyReference) -> [Request] {
    guard
      let relationship = model.property(owner.propertyName, of: owner.entityName)?
        .property.relationship
    else { return [] }
    let number = numbering.number(owner.entityName)
    let name = "\(number)\(SchemaName.uppercased(owner.propertyName))"
    var requests = [
      Request(
        group: .oneSided,
        name: "Z" + name,
        role: .oneSidedOwner(entity: owner.entityName, relationship: owner.propertyName)
      )
    ]
    if relationship.isOrdered {
      requests.append(
        Request(
          group: .oneSided,
          name: "Z_FOK_" + name,
          role: .oneSidedOrder(entity: owner.entityName, relationship: owner.propertyName)
        )
      )
    }
    return requests
  }
}
