import ObjectModel

/// A model with the facts that inference needs, collected once for its many edges to other versions.
struct PreparedModel: Sendable {
  let model: ManagedObjectModel
  /// The entities in byte order of their names, as in the model.
  let entities: [PreparedEntity]
  /// The names by which the entities match.
  let keys: [CanonicalMatching.Key]
  /// The place of each entity by its name.
  let indexes: [String: Int]
  /// Whether any entity wants values to be unique.
  let hasConstraints: Bool
  /// The entities, and properties with their entity, whose names are not ASCII, by `Entity` and `Entity.property`.
  ///
  /// To Swift two names are equal where Unicode calls them so; to Core Data and SQLite only where their bytes are.
  let spelledNames: [String: Finding.Place]

  /// Prepares a model; only models of one pool may be compared.
  ///
  /// - Complexity: O(*p*) in the properties, inherited ones counted for each subentity.
  init(_ model: ManagedObjectModel, sharing pool: inout EntityPool) {
    self.model = model
    entities = model.entities.map { pool.entity($0, in: model) }
    keys = entities.map(\.key)
    hasConstraints = model.entities.contains { !$0.uniquenessConstraints.isEmpty }
    spelledNames = Dictionary(
      entities.flatMap(\.spelledPlaces).map { ($0.subject ?? "", $0) },
      uniquingKeysWith: { first, _ in first }
    )
    indexes = Dictionary(
      entities.enumerated().map { ($1.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the entity with a name, if there is one.
  func entity(named name: String) -> PreparedEntity? { indexes[name].map { entities[$0] } }

  /// Returns all versions of a model, which mostly have the same entities.
  static func models(_ versions: [ModelVersion]) -> [PreparedModel] {
    var pool = EntityPool()
    return versions.map { PreparedModel($0.model, sharing: &pool) }
  }
}

/// The entities of several versions, each kept once where versions have it alike.
struct EntityPool {
  private struct Key: Hashable {
    let name: String
    let hash: VersionHash?
  }

  private var entities: [Key: [PreparedEntity]] = [:]
  private var attributes: [ManagedObjectModel.DeclaredProperty: Int] = [:]
  private var count = 0

  /// Returns the prepared entity, the one of an earlier model where that declares the same.
  mutating func entity(
    _ entity: EntityDescription,
    in model: ManagedObjectModel
  ) -> PreparedEntity {
    let key = Key(name: entity.name, hash: model.entityVersionHashes[entity.name])
    let rootName = model.rootEntityName(of: entity.name)
    let properties = model.properties(of: entity.name)
    let composites =
      model.composites.isEmpty
      ? []
      : model.declaredProperties(of: entity.name).compactMap(\.property.attribute)
        .filter { model.elements(of: $0) != nil }
    let known = entities[key]?.first { other in
      other.isAbstract == entity.isAbstract && other.superentityName == entity.superentityName
        && other.rootName == rootName && other.key.renamingIdentifier == entity.renamingIdentifier
        && other.declared == properties && other.composites == composites
    }
    if let known { return known }
    count += 1
    let marks = properties.filter(\.property.isMatched).map { mark(of: $0) }
    let prepared = PreparedEntity(
      entity,
      in: model,
      number: count,
      marks: marks,
      composites: composites
    )
    entities[key, default: []].append(prepared)
    return prepared
  }

  /// Returns the number of an attribute, which equal ones share; nil where more than the attribute
  /// itself decides whether it is unchanged.
  private mutating func mark(of declared: ManagedObjectModel.DeclaredProperty) -> Int? {
    guard let attribute = declared.property.attribute, attribute.attributeType != .composite else {
      return nil
    }
    if let known = attributes[declared] { return known }
    attributes[declared] = attributes.count
    return attributes.count - 1
  }
}

/// An entity with its own and inherited properties; shared, since descriptions are large.
final class PreparedEntity: Sendable {
  /// The number in its pool.
  let number: Int
  let name: String
  let isAbstract: Bool
  let superentityName: String?
  /// The name of its topmost ancestor.
  let rootName: String
  let key: CanonicalMatching.Key
  let hash: VersionHash?
  /// All properties that have values of their own, as the model has them.
  let declared: [ManagedObjectModel.DeclaredProperty]
  /// The attributes and relationships, own and inherited, in byte order of their names.
  let properties: [ManagedObjectModel.DeclaredProperty]
  /// The numbers of ``properties``; equal attributes of the pool share one.
  let marks: [Int?]
  /// The names by which the properties match.
  let keys: [CanonicalMatching.Key]
  /// The names of derived attributes and of elements of composites, with the composites': no version
  /// hash has them.
  let unhashedNames: [String]
  /// The composite attributes, as they are declared; ``properties`` has their elements.
  let composites: [AttributeDescription]
  /// The names of the entities that persistent relationships lead to.
  let destinationNames: [String]
  /// A flag for each of ``properties``: whether it is a plain attribute (``PropertyPairing``).
  let isPlain: [Bool]
  /// The places of properties that are not stored.
  let transientPlaces: [Int]
  /// The places of stored attributes whose values a transformer makes.
  let transformablePlaces: [Int]
  /// The persistent relationships.
  let relationships: [RelationshipDescription]
  /// The mapping of the entity to an equal one.
  let copy: EntityMapping
  /// The same in normal form; empty where the entity is abstract.
  let copyOrigins: [ComposedMapping.Origin]

  /// The places of itself and of those ``properties`` whose `Entity.property` is not ASCII.
  let spelledPlaces: [Finding.Place]

  /// The place of each of ``properties`` by its name.
  let indexes: [String: Int]

  init(
    _ entity: EntityDescription,
    in model: ManagedObjectModel,
    number: Int,
    marks: [Int?],
    composites: [AttributeDescription]
  ) {
    self.number = number
    self.marks = marks
    name = entity.name
    isAbstract = entity.isAbstract
    superentityName = entity.superentityName
    rootName = model.rootEntityName(of: entity.name)
    key = entity.key
    hash = model.entityVersionHashes[entity.name]
    declared = model.properties(of: entity.name)
    properties = declared.filter(\.property.isMatched)
    keys = properties.map(\.property.key)
    unhashedNames = properties.compactMap { declared in
      guard let attribute = declared.property.attribute else { return nil }
      let isHashed = attribute.derivationExpression == nil && attribute.membership == nil
      return isHashed ? nil : attribute.name
    }
    self.composites = composites
    destinationNames = properties.compactMap { declared in
      declared.property.relationship.flatMap { $0.isPersistent ? $0.destinationEntityName : nil }
    }
    isPlain = properties.map { declared in
      guard let attribute = declared.property.attribute else { return false }
      return attribute.isPersistent && attribute.derivationExpression == nil
        && attribute.membership == nil && attribute.attributeType != .composite
    }
    transientPlaces = properties.enumerated().compactMap {
      $1.property.isPersistent ? nil : $0
    }
    transformablePlaces = properties.enumerated().compactMap { place, declared in
      let attribute = declared.property.attribute
      return attribute?.attributeType == .transformable && attribute?.isPersistent == true
        ? place : nil
    }
    relationships = properties.compactMap(\.property.relationship).filter(\.isPersistent)
    indexes = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1.name, $0) })
    let places =
      [Finding.Place(entity: entity.name)]
      + properties.map { Finding.Place(entity: entity.name, property: $0.property.name) }
    spelledPlaces = places.filter { $0.subject?.utf8.allSatisfy { $0 < 0x80 } == false }
    copy = Self.copy(of: entity.name, hash: hash, properties: properties)
    copyOrigins = entity.isAbstract ? [] : [ComposedMapping.Origin(copyOf: entity.name, in: model)]
  }

  /// Returns the place of a property among ``properties``.
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
}
