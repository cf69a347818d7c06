/// The inheritance of a model's entities, and the properties that each entity has by it.
struct ModelHierarchy {
  let indexes: [String: Int]
  let parents: [Int?]
  let children: [[Int]]
  /// The properties of each entity, own and inherited, as declared.
  let declared: [[ManagedObjectModel.DeclaredProperty]]
  /// The same with the elements of composite attributes in their place.
  let properties: [[ManagedObjectModel.DeclaredProperty]]

  /// The deepest hierarchy accepted; the deepest seen in a public app has five levels.
  static let greatestDepth = 64

  /// The most properties accepted, inherited ones counted wherever they recur; the largest
  /// model in a public app's store has 1,382.
  static let greatestCount = 100_000

  /// Resolves the parents of entities that are in byte order of their names.
  ///
  /// - Parameter composites: The composites in byte order of their names.
  /// - Throws: ``ModelError`` where names recur, or parents are missing or form a cycle.
  init(
    entities: [EntityDescription],
    composites: [CompositeDescription]
  ) throws(ModelError) {
    var indexes: [String: Int] = [:]
    for (index, entity) in entities.enumerated() {
      guard indexes.updateValue(index, forKey: entity.name) == nil else {
        throw ModelError(
          code: .duplicateName,
          entityName: entity.name,
          message: "Two entities are named \(entity.name).",
          recovery: "Rename one of them."
        )
      }
    }
    var parents = [Int?](repeating: nil, count: entities.count)
    var children = [[Int]](repeating: [], count: entities.count)
    for (index, entity) in entities.enumerated() {
      guard let name = entity.superentityName else { continue }
      guard let parent = indexes[name] else {
        throw ModelError(
          code: .missingParent,
          entityName: entity.name,
          message: "Entity \(entity.name) has the parent \(name), which the model does not have.",
          recovery: "Add the parent, or clear it."
        )
      }
      parents[index] = parent
      children[parent].append(index)
    }
    self.indexes = indexes
    self.parents = parents
    self.children = children
    var properties = [[ManagedObjectModel.DeclaredProperty]](repeating: [], count: entities.count)
    var count = 0
    for index in entities.indices {
      let line = try Self.lineage(of: index, parents: parents, entities: entities)
      count += line.reduce(0) { $0 + entities[$1].propertyCount }
      guard count <= Self.greatestCount else { throw Self.tooLarge(entities[index].name) }
      properties[index] = Self.collect(line.map { entities[$0] })
    }
    declared = properties
    if !composites.isEmpty {
      var count = 0
      for index in entities.indices {
        properties[index] = try Self.replace(properties[index], by: composites, count: &count)
      }
    }
    self.properties = properties
  }

  /// Returns the properties with the elements of composites in their place, in byte order of their names.
  ///
  /// - Parameter count: The number of replacements before, which is bounded.
  private static func replace(
    _ declared: [ManagedObjectModel.DeclaredProperty],
    by composites: [CompositeDescription],
    count: inout Int
  ) throws(ModelError) -> [ManagedObjectModel.DeclaredProperty] {
    guard declared.contains(where: { $0.property.attribute?.attributeType == .composite }) else {
      count += declared.count
      return declared
    }
    var result: [ManagedObjectModel.DeclaredProperty] = []
    for property in declared {
      guard let attribute = property.property.attribute,
        let elements = attribute.elements(in: composites)
      else {
        result.append(property)
        continue
      }
      count += elements.count
      guard count <= greatestCount else { throw tooLarge(property.entityName) }
      for element in elements {
        result.append(.init(entityName: property.entityName, property: .attribute(element)))
      }
    }
    return result.sorted { ByteOrder.precedes($0.property.name, $1.property.name) }
  }

  private static func tooLarge(_ entityName: String) -> ModelError {
    ModelError(
      code: .tooLarge,
      entityName: entityName,
      message:
        "Up to entity \(entityName), the entities have more than \(greatestCount) properties,"
        + " inherited ones and elements of composites included.",
      recovery: "Models have far less; check that this is one."
    )
  }

  /// Returns the entity and its ancestors, nearest first.
  private static func lineage(
    of index: Int,
    parents: [Int?],
    entities: [EntityDescription]
  ) throws(ModelError) -> [Int] {
    var line = [index]
    var next = parents[index]
    while let parent = next {
      guard parent != index, line.count <= greatestDepth else {
        let isCycle = line.dropFirst().contains(parent) || parent == index
        throw ModelError(
          code: isCycle ? .parentCycle : .tooDeep,
          entityName: entities[index].name,
          message: isCycle
            ? "Entity \(entities[index].name) descends from itself."
            : "Entity \(entities[index].name) has more than \(greatestDepth) ancestors.",
          recovery: "Correct the parents of the entities above it."
        )
      }
      line.append(parent)
      next = parents[parent]
    }
    return line
  }

  /// Returns the properties of a line of ancestors; of equal names, the nearest declaration.
  private static func collect(
    _ line: [EntityDescription]
  ) -> [ManagedObjectModel.DeclaredProperty] {
    var seen: Set<String> = []
    let count = line.reduce(0) { $0 + $1.propertyCount }
    var result: [ManagedObjectModel.DeclaredProperty] = []
    result.reserveCapacity(count)
    var names: [String] = []
    names.reserveCapacity(count)
    for entity in line {
      func add(_ name: String, _ property: PropertyDescription) {
        guard line.count == 1 || seen.insert(name).inserted else { return }
        names.append(name)
        result.append(.init(entityName: entity.name, property: property))
      }
      for attribute in entity.attributes { add(attribute.name, .attribute(attribute)) }
      for relationship in entity.relationships {
        add(relationship.name, .relationship(relationship))
      }
      for fetched in entity.fetchedProperties { add(fetched.name, .fetchedProperty(fetched)) }
    }
    // Positions are sorted, as properties are large; equal names keep their order.
    let order = names.indices.sorted { first, second in
      ByteOrder.precedes(names[first], names[second])
    }
    return order.map { result[$0] }
  }
}

extension EntityDescription {
  /// The number of properties that the entity declares itself.
  fileprivate var propertyCount: Int {
    attributes.count + relationships.count + fetchedProperties.count
  }
}
