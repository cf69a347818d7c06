import ObjectModel

/// A model with what inference asks of it, gathered once for its many steps to other versions.
struct PreparedModel: Sendable {
  let model: ManagedObjectModel
  /// The entities in byte order of their names, as in the model.
  let entities: [PreparedEntity]
  /// The names by which the entities match.
  let keys: [CanonicalMatching.Key]

  /// - Complexity: O(*p*) in the properties, inherited ones counted wherever they recur.
  init(_ model: ManagedObjectModel) {
    self.model = model
    entities = model.entities.map { PreparedEntity($0, in: model) }
    keys = model.entities.map {
      CanonicalMatching.Key(name: $0.name, renamingIdentifier: $0.renamingIdentifier)
    }
  }
}

/// An entity with its own and inherited properties; shared, since descriptions are large.
final class PreparedEntity: Sendable {
  let name: String
  let isAbstract: Bool
  let superentityName: String?
  /// The name of its topmost ancestor.
  let rootName: String
  let key: CanonicalMatching.Key
  let hash: VersionHash?
  /// The attributes and relationships, own and inherited, in byte order of their names.
  let properties: [ManagedObjectModel.DeclaredProperty]
  /// The names by which the properties match.
  let keys: [CanonicalMatching.Key]
  /// The names of derived attributes.
  let derivedNames: [String]
  /// The names of the entities that persistent relationships lead to.
  let destinationNames: [String]
  /// The mapping of the entity to an equal one.
  let copy: EntityMapping

  private let indexes: [String: Int]

  init(_ entity: EntityDescription, in model: ManagedObjectModel) {
    name = entity.name
    isAbstract = entity.isAbstract
    superentityName = entity.superentityName
    rootName = model.rootEntityName(of: entity.name)
    key = CanonicalMatching.Key(name: entity.name, renamingIdentifier: entity.renamingIdentifier)
    hash = model.entityVersionHashes[entity.name]
    properties = model.properties(of: entity.name).filter(\.property.isMatched)
    keys = properties.map(\.property.key)
    derivedNames = properties.compactMap {
      $0.property.attribute?.derivationExpression == nil ? nil : $0.property.name
    }
    destinationNames = properties.compactMap { declared in
      declared.property.relationship.flatMap { $0.isPersistent ? $0.destinationEntityName : nil }
    }
    indexes = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1.name, $0) })
    copy = Self.copy(of: entity.name, hash: hash, properties: properties)
  }

  /// The place of a property among ``properties``.
  func index(of propertyName: String) -> Int? { indexes[propertyName] }

  private static func copy(
    of name: String,
    hash: VersionHash?,
    properties: [ManagedObjectModel.DeclaredProperty]
  ) -> EntityMapping {
    var mapping = EntityMapping(mappingType: .copy, source: name, destination: name)
    mapping.sourceEntityVersionHash = hash
    mapping.destinationEntityVersionHash = hash
    for declared in properties where declared.property.isPersistent {
      let name = declared.property.name
      switch declared.property {
      case .attribute(let attribute):
        let value = attribute.derivationExpression == nil ? Expression.source(name) : nil
        mapping.attributeMappings.append(PropertyMapping(name: name, valueExpression: value))
      default:
        let value = Expression.destinationInstances(forSourceRelationship: name)
        mapping.relationshipMappings.append(PropertyMapping(name: name, valueExpression: value))
      }
    }
    return mapping
  }
}

extension PropertyDescription {
  /// Whether the property takes part in matching; the results of fetches have no data.
  var isMatched: Bool {
    if case .fetchedProperty = self { false } else { true }
  }

  /// The names by which the property matches.
  var key: CanonicalMatching.Key {
    let identifier =
      switch self {
      case .attribute(let attribute): attribute.renamingIdentifier
      case .relationship(let relationship): relationship.renamingIdentifier
      case .fetchedProperty(let property): property.renamingIdentifier
      }
    return CanonicalMatching.Key(name: name, renamingIdentifier: identifier)
  }
}
