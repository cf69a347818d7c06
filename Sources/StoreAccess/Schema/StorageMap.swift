import ObjectModel

/// The columns of each property.
struct StorageMap {
  let model: ManagedObjectModel
  let tablesByRoot: [String: EntityTable]
  let attributeColumns: [PropertyReference: SchemaColumn]
  let relationshipStorages: [PropertyReference: RelationshipStorage]

  /// The columns of one relationship in an entity's table.
  private struct Columns {
    var key: String?
    var entity: String?
    var order: String?
  }

  init(model: ManagedObjectModel, tables: [EntityTable], joinTables: [JoinTable]) {
    self.model = model
    tablesByRoot = Dictionary(uniqueKeysWithValues: tables.map { ($0.rootEntityName, $0) })
    var attributes: [PropertyReference: SchemaColumn] = [:]
    var columns: [PropertyReference: Columns] = [:]
    func relationship(
      _ entity: String,
      _ name: String,
      _ path: WritableKeyPath<Columns, String?>,
      _ column: SchemaColumn
    ) {
      let reference = PropertyReference(entityName: entity, propertyName: name)
      columns[reference, default: Columns()][keyPath: path] = column.name
    }
    for column in tables.flatMap(\.columns) {
      switch column.role {
      case .attribute(let entity, let name):
        attributes[.init(entityName: entity, propertyName: name)] = column
      case .toOneKey(let entity, let name), .oneSidedOwner(let entity, let name):
        relationship(entity, name, \.key, column)
      case .toOneEntity(let entity, let name): relationship(entity, name, \.entity, column)
      case .orderKey(let entity, let name), .oneSidedOrder(let entity, let name):
        relationship(entity, name, \.order, column)
      case .primaryKey, .entityNumber, .optimisticLock, .joinKey, .joinOrder: break
      }
    }
    attributeColumns = attributes
    var storages: [PropertyReference: RelationshipStorage] = [:]
    for entity in model.entities {
      for relationship in entity.relationships where relationship.isPersistent {
        let reference = PropertyReference(
          entityName: entity.name,
          propertyName: relationship.name
        )
        let destination = tablesByRoot[
          model.rootEntityName(of: relationship.destinationEntityName)
        ]
        if !relationship.isToMany {
          guard let own = columns[reference], let key = own.key,
            let table = tablesByRoot[model.rootEntityName(of: entity.name)]
          else { continue }
          storages[reference] = .key(
            table: table.name,
            key: key,
            entity: own.entity,
            order: own.order
          )
        } else if relationship.inverseName == nil {
          guard let own = columns[reference], let key = own.key, let destination else { continue }
          storages[reference] = .ownerKey(
            table: destination.name,
            owner: key,
            order: own.order
          )
        } else if let inverse = model.namedInverse(of: relationship),
          // Core Data reads a to-many by the key of the to-one that it names, whose own inverse may be
          // another to-many.
          inverse.property.relationship?.isToMany == false, inverse.property.isPersistent,
          let theirs = columns[
            .init(entityName: inverse.entityName, propertyName: inverse.property.name)
          ],
          let key = theirs.key, let destination
        {
          storages[reference] = .inverseKey(
            table: destination.name,
            key: key,
            order: theirs.order
          )
        }
      }
    }
    for table in joinTables {
      storages[table.master] = .join(
        table,
        own: table.ownerColumn.name,
        other: table.destinationColumn.name,
        order: table.destinationOrderColumn?.name
      )
      guard let other = table.other else { continue }
      storages[other] = .join(
        table,
        own: table.destinationColumn.name,
        other: table.ownerColumn.name,
        order: table.ownerOrderColumn?.name
      )
    }
    relationshipStorages = storages
  }

  /// Returns the table with the rows of an entity.
  func table(of entity: String) -> EntityTable? {
    tablesByRoot[model.rootEntityName(of: entity)]
  }

  /// Returns the column that a property has in its own entity's table: an attribute's or a to-one's key.
  func column(of name: String, in entity: String) -> String? {
    guard let declared = model.property(name, of: entity) else { return nil }
    let reference = PropertyReference(entityName: declared.entityName, propertyName: name)
    if let column = attributeColumns[reference] { return column.name }
    guard case .key(_, let key, _, _) = relationshipStorages[reference] else { return nil }
    return key
  }
}
