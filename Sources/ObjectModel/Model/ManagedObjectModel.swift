/// A version of an app's model: entities that refer to each other, checked once when made.
///
/// Counterpart of `NSManagedObjectModel`. A value of this type is consistent: names are unique,
/// parents, destinations and inverses exist, no entity is its own ancestor. Entities are in byte order
/// of their names. Two models are equal when they declare the same things; whether a store of one can be
/// opened with the other is the question of ``entityVersionHashes``.
public struct ManagedObjectModel: Sendable {
  /// A property together with the entity that declares it.
  public struct DeclaredProperty: Hashable, Sendable {
    /// The entity that declares the property: the one asked about, or an ancestor.
    public var entityName: String
    /// The property.
    public var property: PropertyDescription

    /// The property as messages name it, as in `Note.title`.
    package var place: String { "\(entityName).\(property.name)" }
  }

  /// The entities in byte order of their names, abstract ones included.
  public let entities: [EntityDescription]
  /// The names of entities in each named configuration.
  public let configurations: [String: [String]]
  /// The stored fetch requests in byte order of their names.
  public let fetchRequestTemplates: [FetchRequestTemplate]
  /// The composites that composite attributes name, in byte order of their names.
  public let composites: [CompositeDescription]
  /// Free marks of the model's author, which play no part in matching.
  public let versionIdentifiers: [String]
  /// The framework that declares it, which is no part of its declarations.
  package var framework = ModelFramework.coreData
  /// The marks "Used with CloudKit", which are no part of its declarations.
  package var cloudKitMark = CloudKitMark()
  /// The entities whose version hashes are not known; those in ``entityVersionHashes`` hold their places.
  package private(set) var unknownEntities: Set<String> = []
  /// The version hash of each entity, as Core Data writes it into stores.
  public private(set) var entityVersionHashes: [String: VersionHash]

  let indexes: [String: Int]
  let parents: [Int?]
  let children: [[Int]]
  let declared: [[DeclaredProperty]]
  let properties: [[DeclaredProperty]]

  /// Checks and completes a model.
  ///
  /// - Throws: ``ModelError`` for the first inconsistency in entity order.
  /// - Complexity: O(*p* log *p*) in the properties, inherited ones counted wherever they recur.
  public init(
    entities: [EntityDescription],
    configurations: [String: [String]] = [:],
    fetchRequestTemplates: [FetchRequestTemplate] = [],
    composites: [CompositeDescription] = [],
    versionIdentifiers: [String] = []
  ) throws(ModelError) {
    let sorted = entities.sorted { ByteOrder.precedes($0.name, $1.name) }
    let composites = composites.sorted { ByteOrder.precedes($0.name, $1.name) }
    let hierarchy = try ModelHierarchy(entities: sorted, composites: composites)
    self.entities = sorted
    self.configurations = configurations.mapValues { $0.sorted(by: ByteOrder.precedes) }
    self.fetchRequestTemplates = fetchRequestTemplates.sorted {
      ByteOrder.precedes($0.name, $1.name)
    }
    self.composites = composites
    self.versionIdentifiers = versionIdentifiers.sorted(by: ByteOrder.precedes)
    indexes = hierarchy.indexes
    parents = hierarchy.parents
    children = hierarchy.children
    declared = hierarchy.declared
    properties = hierarchy.properties
    entityVersionHashes = [:]
    try ModelValidator(model: self).validate()
    entityVersionHashes = VersionHasher(model: self).entityHashes()
  }
}

extension ManagedObjectModel {
  /// Marks the version hashes of entities as unknown, those below them included.
  ///
  /// Their values in ``entityVersionHashes`` are then no hashes of any store: they differ where the
  /// known parts of the entities differ.
  package mutating func markUnknown(_ names: Set<String>) {
    let all = Set(names.flatMap { hierarchyNames(below: $0) }).subtracting(unknownEntities)
    unknownEntities.formUnion(all)
    for name in all {
      guard let hash = entityVersionHashes[name] else { continue }
      entityVersionHashes[name] = VersionHash(SHA256.hash(Array("unknown \(hash)".utf8)))
    }
  }
}

extension ManagedObjectModel: Hashable {
  /// Returns whether two models declare the same things, in any order.
  public static func == (lhs: ManagedObjectModel, rhs: ManagedObjectModel) -> Bool {
    lhs.entityVersionHashes == rhs.entityVersionHashes && lhs.entities == rhs.entities
      && lhs.configurations == rhs.configurations
      && lhs.fetchRequestTemplates == rhs.fetchRequestTemplates
      && lhs.composites == rhs.composites && lhs.versionIdentifiers == rhs.versionIdentifiers
      && lhs.unknownEntities == rhs.unknownEntities
  }

  /// Feeds the version hashes, which equal models share, to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(entityVersionHashes) }
}

extension ManagedObjectModel {
  /// The entity of a name, if the model has it.
  public subscript(entityName: String) -> EntityDescription? {
    indexes[entityName].map { entities[$0] }
  }

  /// Whether any entity has a parent.
  package var hasHierarchy: Bool { parents.contains { $0 != nil } }

  /// Returns the names of the entity's ancestors, nearest first.
  public func ancestorNames(of entityName: String) -> [String] {
    var names: [String] = []
    var next = indexes[entityName].flatMap { parents[$0] }
    while let index = next {
      names.append(entities[index].name)
      next = parents[index]
    }
    return names
  }

  /// Returns the name of the topmost ancestor, or the entity's own where it has no parent.
  public func rootEntityName(of entityName: String) -> String {
    ancestorNames(of: entityName).last ?? entityName
  }

  /// Returns the names of the direct subentities, in byte order.
  public func subentityNames(of entityName: String) -> [String] {
    indexes[entityName].map { children[$0].map { entities[$0].name } } ?? []
  }

  /// Returns the names of the entity and everything below it, parents before children.
  public func hierarchyNames(below entityName: String) -> [String] {
    [entityName] + subentityNames(of: entityName).flatMap { hierarchyNames(below: $0) }
  }

  /// Returns whether the entity is, or descends from, the other.
  public func isKind(_ entityName: String, of other: String) -> Bool {
    entityName == other || ancestorNames(of: entityName).contains(other)
  }

  /// Returns all properties of the entity that have values of their own, own and inherited, in byte order
  /// of their names.
  ///
  /// A composite attribute has none: its elements take its place, each an attribute of a name such as
  /// `location.latitude` (see ``elements(of:)``). Code that runs over data knows elements only.
  public func properties(of entityName: String) -> [DeclaredProperty] {
    indexes[entityName].map { properties[$0] } ?? []
  }

  /// Returns all properties of the entity as they are declared, own and inherited, in byte order of
  /// their names: a composite attribute as one.
  public func declaredProperties(of entityName: String) -> [DeclaredProperty] {
    indexes[entityName].map { declared[$0] } ?? []
  }

  /// Returns one property of the entity that has values of its own, own or inherited; that of a
  /// composite's element has a name such as `location.latitude`.
  public func property(_ name: String, of entityName: String) -> DeclaredProperty? {
    Self.find(name, in: indexes[entityName].map { properties[$0] })
  }

  /// Returns one property of the entity as it is declared, own or inherited: a composite attribute as one.
  package func declaredProperty(_ name: String, of entityName: String) -> DeclaredProperty? {
    Self.find(name, in: indexes[entityName].map { declared[$0] })
  }

  private static func find(_ name: String, in all: [DeclaredProperty]?) -> DeclaredProperty? {
    guard let all else { return nil }
    var range = 0..<all.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if all[middle].property.name == name { return all[middle] }
      range =
        ByteOrder.precedes(all[middle].property.name, name)
        ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// Returns all attributes of the entity that have values of their own, own and inherited, in byte
  /// order of their names: elements in the place of composites, as in ``properties(of:)``.
  public func attributes(of entityName: String) -> [AttributeDescription] {
    properties(of: entityName).compactMap(\.property.attribute)
  }

  /// Returns all relationships of the entity, own and inherited, in byte order of their names.
  public func relationships(of entityName: String) -> [RelationshipDescription] {
    properties(of: entityName).compactMap(\.property.relationship)
  }

  /// Returns all attributes of the entity by name, inherited ones included, as Core Data's
  /// `attributesByName` has them: a composite attribute as one.
  public func attributesByName(of entityName: String) -> [String: AttributeDescription] {
    Dictionary(
      declaredProperties(of: entityName).compactMap { declared in
        declared.property.attribute.map { ($0.name, $0) }
      },
      uniquingKeysWith: { $1 }
    )
  }

  /// Returns all relationships of the entity by name, inherited ones included, as Core Data's
  /// `relationshipsByName` has them.
  public func relationshipsByName(of entityName: String) -> [String: RelationshipDescription] {
    Dictionary(relationships(of: entityName).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// Returns the inverse of a relationship and the entity that declares it, where there is one that
  /// leads back.
  ///
  /// Links of a relationship whose named inverse leads elsewhere are its own: Core Data keeps them, and
  /// no other relationship holds them too.
  public func inverse(of relationship: RelationshipDescription) -> DeclaredProperty? {
    namedInverse(of: relationship).flatMap {
      $0.property.relationship?.inverseName == relationship.name ? $0 : nil
    }
  }

  /// Returns the property that a relationship names as its inverse, whether or not that leads back.
  public func namedInverse(of relationship: RelationshipDescription) -> DeclaredProperty? {
    relationship.inverseName.flatMap { name in
      property(name, of: relationship.destinationEntityName).flatMap {
        $0.property.relationship == nil ? nil : $0
      }
    }
  }
}
