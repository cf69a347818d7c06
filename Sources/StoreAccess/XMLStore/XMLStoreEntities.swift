import ObjectModel

/// The entities of a model by the names that stores of the XML kind have for them.
struct XMLStoreEntities {
  /// The schema of the model.
  let schema: PhysicalSchema
  /// The to-many relationships; the links of each have its place here as their number.
  let toMany: [PropertyReference]
  private let entities: [String: XMLStoreEntity]
  private let names: [String: [String]]

  init(_ schema: PhysicalSchema) {
    self.schema = schema
    let model = schema.model
    var toMany: [PropertyReference] = []
    for entity in model.entities {
      for relationship in entity.relationships
      where relationship.isPersistent && relationship.isToMany
        && schema.storage(of: relationship.name, in: entity.name) != nil
      {
        toMany.append(
          PropertyReference(entityName: entity.name, propertyName: relationship.name)
        )
      }
    }
    let numbers = Dictionary(uniqueKeysWithValues: toMany.enumerated().map { ($1, $0) })
    self.toMany = toMany
    names = Dictionary(grouping: model.entities.map(\.name)) { $0.uppercased() }
    entities = Dictionary(
      uniqueKeysWithValues: model.entities.compactMap { entity in
        XMLStoreEntity(entity.name, schema, numbers: numbers).map { (entity.name, $0) }
      }
    )
  }

  /// Returns the entity of an object.
  ///
  /// - Throws: ``StoreAccessError`` where the model has none, or more than one.
  func entity(
    of object: XMLStoreObject,
    in path: String
  ) throws(StoreAccessError) -> XMLStoreEntity {
    let found = names[object.type.uppercased()] ?? []
    let exact = found.count > 1 ? found.filter { $0 == object.type } : found
    guard let name = exact.first, let entity = entities[name] else {
      throw .inXMLStore(
        path,
        object.line,
        object: object.identifier,
        found.isEmpty
          ? "its entity, \(object.type.prefix(80)), is none of the model's"
          : "its entity, \(object.type.prefix(80)), may be one of "
            + found.joined(separator: " and "),
        recovery: "Name the models of the app that wrote the store: --models PATH."
      )
    }
    guard schema.model[name]?.isAbstract == false else {
      throw .inXMLStore(
        path,
        object.line,
        object: object.identifier,
        "its entity, \(name), is abstract, and has no objects of its own"
      )
    }
    return entity
  }
}

extension StoreMetadata {
  /// Returns the name of each entity by the one that a store of the XML kind has for it, in capitals.
  package var entityNamesInXML: [String: String] {
    Dictionary(versionHashes.keys.map { ($0.uppercased(), $0) }) { first, second in
      ByteOrder.precedes(first, second) ? first : second
    }
  }
}
