public import ObjectModel

extension NormalMapping {
  /// The normal form of a mapping model between two versions.
  ///
  /// - Parameters:
  ///   - arrival: The version of equal hashes whose defaults new objects get, where it is another than
  ///     the destination.
  ///   - name: What tells the mapping from all others; opaque steps are named after it.
  /// - Complexity: O(*p*) in the properties of the destination, inherited ones counted wherever they
  ///   recur.
  public init(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    arrivingAt arrival: ManagedObjectModel? = nil,
    named name: String
  ) {
    self.init(source: source, destination: destination)
    if !mapping.actionsBefore.isEmpty { opaqueSteps.append("\(name), before") }
    if !mapping.actionsAfter.isEmpty { opaqueSteps.append("\(name), after") }
    let normalizer = Normalizer(
      mapping: mapping,
      source: source,
      destination: arrival ?? destination,
      name: name
    )
    for entity in mapping.entityMappings {
      guard let from = entity.sourceEntityName, let to = entity.destinationEntityName,
        source[from]?.isAbstract == false, destination[to]?.isAbstract == false,
        let origin = normalizer.origin(entity, from: from, to: to)
      else { continue }
      origins[to, default: []].append(origin)
    }
    let names = Set(origins.keys).sorted(by: ByteOrder.precedes)
    completeByInverses(
      names.map { ($0, destination.relationships(of: $0).filter(\.isPersistent).map(\.name)) }
    )
  }

  /// The normal form of a mapping model between two nodes.
  ///
  /// What inference adds has the defaults of the version where it arrives.
  init(
    _ mapping: MappingModel,
    from source: VersionNode,
    to destination: VersionNode,
    kind: EdgeKind
  ) {
    self.init(
      mapping,
      from: source.model,
      to: destination.model,
      arrivingAt: kind == .authored ? nil : destination.arrivalModel(from: source),
      named: "\(source.name) to \(destination.name)"
    )
  }

  /// The normal form of what inference makes of two versions, of whose mapping only the parts that
  /// change objects are made.
  ///
  /// - Parameters:
  ///   - source: The model of the node that it leaves.
  ///   - destination: The model of the node that it leads to.
  ///   - arrival: The version of equal hashes that the inference is made for.
  ///   - isShared: Whether the inference is between these very models, rather than equal ones.
  /// - Complexity: O(*e* + *p*) in the entities, and the properties of those that changed.
  init(
    _ inference: MappingInference,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    arrivingAt arrival: ManagedObjectModel,
    isShared: Bool,
    cache: inout PairCache
  ) {
    self.init(source: source, destination: destination)
    let normalizer = Normalizer(
      mapping: MappingModel(entityMappings: []),
      source: source,
      destination: arrival,
      name: ""
    )
    origins.reserveCapacity(inference.entities.pairs.count)
    copies.reserveCapacity(inference.entities.pairs.count)
    var changed: [(entity: String, relationships: [String])] = []
    for pair in inference.entities.pairs {
      let (from, to) = (pair.source, pair.destination)
      if from.isAbstract || to.isAbstract { continue }
      if pair.isEqual {
        origins[to.name] = to.copyOrigins
        copies.insert(to.name)
        continue
      }
      let make = { () -> [Origin] in
        let mapping = inference.mapping(of: pair)
        return normalizer.origin(mapping, from: from.name, to: to.name).map { [$0] } ?? []
      }
      origins[to.name] = isShared ? cache.origins(of: pair, make) : make()
      changed.append((to.name, to.relationshipNames))
    }
    completeByInverses(changed)
  }

  /// Gives relationships that no mapping speaks of the links that their inverses carry.
  private mutating func completeByInverses(
    _ entities: [(entity: String, relationships: [String])]
  ) {
    let before = self
    for (entity, relationships) in entities {
      for (index, origin) in (before.origins[entity] ?? []).enumerated() {
        for name in relationships where origin.values[name] == nil {
          guard
            let relationship = destination.property(name, of: entity)?.property.relationship,
            let value = before.valueByInverse(of: relationship, from: origin.sourceEntityName)
          else { continue }
          origins[entity]?[index].values[name] = value
        }
      }
    }
  }

  private func valueByInverse(
    of relationship: RelationshipDescription,
    from sourceEntity: String
  ) -> Expression? {
    guard let inverse = destination.inverse(of: relationship) else { return nil }
    for entity in destination.hierarchyNames(below: inverse.entityName) {
      for origin in origins[entity] ?? [] {
        guard case .keyPath(.variable("source"), let path)? = origin.values[inverse.property.name],
          path.count == 1,
          let old = source.property(path[0], of: origin.sourceEntityName)?.property.relationship
        else { continue }
        guard let back = source.inverse(of: old) else {
          return ValueSteps.owners(path[0], of: origin.sourceEntityName)
        }
        guard source.isKind(sourceEntity, of: back.entityName) else { continue }
        guard carries(inverse.property.name, fromAll: back.property.relationship) else {
          return .call(ValueSteps.opaque, [.source(back.property.name)])
        }
        return ValueSteps.shaped(
          .source(back.property.name),
          from: back.property.relationship,
          to: relationship
        )
      }
    }
    return nil
  }
}

extension NormalMapping {
  /// Whether a relationship gets its links from the objects of each entity that a source relationship
  /// leads to, and of which objects go over at all.
  fileprivate func carries(_ name: String, fromAll old: RelationshipDescription?) -> Bool {
    guard let old else { return true }
    let all = origins.values.joined()
    return source.hierarchyNames(below: old.destinationEntityName).allSatisfy { entity in
      let made = all.filter { $0.sourceEntityName == entity }
      return made.isEmpty || made.contains { $0.values[name] != nil }
    }
  }
}

/// Turns the parts of a mapping into their normal form.
private struct Normalizer {
  let mapping: MappingModel
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let name: String

  func origin(
    _ entity: EntityMapping,
    from: String,
    to: String
  ) -> NormalMapping.Origin? {
    var origin = NormalMapping.Origin(sourceEntityName: from)
    if let predicate = entity.sourcePredicate.map(normal) {
      switch predicate.constantValue {
      case true?: break
      case false?: return nil
      case nil: origin.predicates = [predicate]
      }
    }
    if !entity.deduplicationKeys.isEmpty { origin.deduplicationKeys = [entity.deduplicationKeys] }
    if entity.entityMigrationPolicyClassName != nil {
      origin.opaqueSteps = ["\(name), \(entity.name)"]
    }
    if entity.pieces != nil { origin.opaqueSteps.append("\(name), parts of \(entity.name)") }
    let compared = Set(NormalMapping.comparedProperties(of: to, in: destination))
    for property in entity.attributeMappings where compared.contains(property.name) {
      origin.values[property.name] = attribute(property, of: entity, from: from, to: to)
    }
    // An object is made with the defaults of its entity.
    let given = Set(
      entity.attributeMappings.filter { $0.valueExpression != nil }.map(\.name)
    )
    for attribute in destination.attributes(of: to)
    where compared.contains(attribute.name) && !given.contains(attribute.name) {
      if let value = attribute.defaultValue { origin.values[attribute.name] = .constant(value) }
    }
    for property in entity.relationshipMappings where compared.contains(property.name) {
      origin.values[property.name] = relationship(property, of: entity, from: from, to: to)
    }
    return origin
  }

  private func attribute(
    _ property: PropertyMapping,
    of entity: EntityMapping,
    from: String,
    to: String
  ) -> Expression? {
    guard let expression = property.valueExpression,
      let new = destination.property(property.name, of: to)?.property.attribute
    else { return nil }
    if case .constant(nil) = expression { return nil }
    if usesPolicy(expression) { return opaque(property, entity) }
    guard let carried = expression.carriedSourcePropertyName else {
      return ValueSteps.simplified(normal(expression))
    }
    guard let old = source.property(carried, of: from)?.property.attribute, old.isPersistent else {
      return nil
    }
    return ValueSteps.converted(.source(carried), from: old, to: new)
  }

  private func relationship(
    _ property: PropertyMapping,
    of entity: EntityMapping,
    from: String,
    to: String
  ) -> Expression? {
    guard let expression = property.valueExpression,
      let new = destination.property(property.name, of: to)?.property.relationship
    else { return nil }
    if case .constant(nil) = expression { return nil }
    if usesPolicy(expression) { return opaque(property, entity) }
    guard let carried = carriedRelationship(expression) else { return normal(expression) }
    let old = source.property(carried, of: from)?.property.relationship
    guard let old, old.isPersistent else { return nil }
    return ValueSteps.shaped(.source(carried), from: old, to: new)
  }

  /// The source relationship whose destinations' objects an expression gives, all of them.
  private func carriedRelationship(_ expression: Expression) -> String? {
    guard let carried = expression.carriedLinks else { return nil }
    guard let made = carried.mapping else { return carried.relationship }
    guard let maker = mapping.entityMappings.first(where: { $0.name == made }),
      let from = maker.sourceEntityName, maker.sourcePredicate == nil,
      mapping.mappings(fromSource: from).count == 1
    else { return nil }
    return carried.relationship
  }

  private func opaque(_ property: PropertyMapping, _ entity: EntityMapping) -> Expression {
    .call(ValueSteps.opaque, [.constant(.string("\(name), \(entity.name).\(property.name)"))])
  }

  private func usesPolicy(_ expression: Expression) -> Bool {
    expression.contains { if case .variable("entityPolicy") = $0 { true } else { false } }
  }

  /// Key paths of the evaluated object read the source object too.
  private func normal(_ expression: Expression) -> Expression {
    expression.replacing { part in
      switch part {
      case .evaluatedObject: .variable("source")
      case .keyPath(.evaluatedObject, let path): .keyPath(.variable("source"), path)
      default: nil
      }
    }
  }

  private func normal(_ predicate: Predicate) -> Predicate {
    predicate.mappingExpressions(normal).simplified
  }
}
