package import ObjectModel

extension ComposedMapping {
  /// Makes the normal form of a mapping model between two versions.
  ///
  /// - Parameters:
  ///   - arrival: The version of equal hashes whose defaults new objects get, where it is another than
  ///     the destination.
  ///   - name: The name that distinguishes the mapping from all others; opaque steps are named after it.
  /// - Complexity: O(*p*) in the properties of the destination, inherited ones counted for each
  ///   subentity.
  package init(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    arrivingAt arrival: ManagedObjectModel? = nil,
    named name: String
  ) {
    self.init(source: source, destination: destination)
    if !mapping.actionsBefore.isEmpty { opaqueSteps.append("\(name), before") }
    if !mapping.actionsAfter.isEmpty { opaqueSteps.append("\(name), after") }
    let resolved = ResolvedMapping(mapping, from: source, to: arrival ?? destination, named: name)
    for entity in resolved.entities.compactMap(\.self) {
      guard source[entity.source]?.isAbstract == false,
        destination[entity.destination]?.isAbstract == false,
        let origin = Origin(entity, named: name)
      else { continue }
      origins[entity.destination, default: []].append(origin)
    }
    let names = Set(origins.keys).sorted(by: ByteOrder.precedes)
    completeByInverses(
      names.map { ($0, destination.relationships(of: $0).filter(\.isPersistent)) }
    )
  }

  /// The normal form of a mapping model between two versions.
  ///
  /// Properties that inference adds have the defaults of the version at its end.
  init(
    _ mapping: MappingModel,
    from source: VersionGroup,
    to destination: VersionGroup,
    kind: EdgeKind
  ) {
    self.init(
      mapping,
      from: source.model,
      to: destination.model,
      arrivingAt: kind == .authored ? nil : destination.arrivalModel(from: source),
      named: "\(source.name) to \(destination.name)"
    )
    if kind == .authored { nameChoosers(mapping, "\(source.name) to \(destination.name)") }
  }

  /// Makes the normal form of an inferred mapping; only the parts that change objects are computed.
  ///
  /// - Parameters:
  ///   - source: The source's model.
  ///   - destination: The destination's model.
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
    let resolver = EntityResolver(
      mapping: MappingModel(entityMappings: []),
      source: source,
      destination: arrival,
      name: ""
    )
    origins.reserveCapacity(inference.entities.pairs.count)
    copies.reserveCapacity(inference.entities.pairs.count)
    var changed: [(entity: String, relationships: [RelationshipDescription])] = []
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
        let resolution = resolver.resolution(of: mapping, from: from.name, to: to.name)
        return Origin(resolution, named: "").map { [$0] } ?? []
      }
      origins[to.name] = isShared ? cache.origins(of: pair, make) : make()
      changed.append((to.name, to.relationships))
    }
    completeByInverses(changed)
  }

  /// Gives relationships that no mapping sets the links that their inverses carry.
  private mutating func completeByInverses(
    _ entities: [(entity: String, relationships: [RelationshipDescription])]
  ) {
    let before = self
    for (entity, relationships) in entities {
      for (index, origin) in (before.origins[entity] ?? []).enumerated() {
        for relationship in relationships where origin.values[relationship.name] == nil {
          let value = before.valueByInverse(of: relationship, from: origin.sourceEntityName)
          if let value { origins[entity]?[index].values[relationship.name] = value }
        }
      }
    }
    leaveOutTargets(entities)
    cutByInverses(entities)
  }

  /// Cuts the links of relationships whose inverses, of some entities, may hold fewer than come to them,
  /// and of those without inverse that keep one owner of each object, where there could be several.
  ///
  /// An entity whose own description does not change has such a relationship, too.
  private mutating func cutByInverses(
    _ entities: [(entity: String, relationships: [RelationshipDescription])]
  ) {
    let before = self
    for (entity, relationships) in entities {
      for (place, origin) in (before.origins[entity] ?? []).enumerated() {
        for relationship in relationships {
          if relationship.isToMany, relationship.inverseName != nil { continue }
          guard let value = origin.values[relationship.name] else { continue }
          if relationship.isToMany {
            if let old = value.unchanged.carriedProperty,
              mayShareObjects(old, of: origin.sourceEntityName)
            {
              origins[entity]?[place].values[relationship.name] = .cutting(value)
            }
            continue
          }
          switch value {
          case .first, .partly: break
          case .owners(let owner, let old) where mayShareObjects(old, of: owner): break
          default: continue
          }
          if let inverse = destination.inverse(of: relationship) { cut(inverse) }
        }
      }
    }
  }

  /// Cuts the links of a relationship, for each entity below the one that declares it.
  private mutating func cut(_ declared: ManagedObjectModel.DeclaredProperty) {
    for entity in destination.hierarchyNames(below: declared.entityName) {
      for index in (origins[entity] ?? []).indices {
        guard let links = origins[entity]?[index].values[declared.property.name] else { continue }
        origins[entity]?[index].values[declared.property.name] = .cutting(links)
        copies.remove(entity)
      }
    }
  }

  private func mayShareObjects(_ relationship: String, of entity: String) -> Bool {
    source.property(relationship, of: entity)?.property.relationship
      .map { RelationshipCardinality($0, in: source).isInverseToMany } ?? false
  }

  private func valueByInverse(
    of relationship: RelationshipDescription,
    from sourceEntity: String
  ) -> ValueOrigin? {
    guard let inverse = destination.inverse(of: relationship) else { return nil }
    let name = inverse.property.name
    // Where an owner keeps one of several links, this side gets those that it keeps: it is cut below.
    let carried = inverse.linkOrigins(in: destination) { entity in
      (origins[entity] ?? []).map { ($0.sourceEntityName, $0.values[name]) }
    }
    guard let links = carried.first(where: { $0.leads(to: sourceEntity, in: source) }),
      let old = links.description(in: source)
    else { return nil }
    guard let back = source.inverse(of: old)?.property.relationship else {
      return .owners(entity: links.entity, relationship: links.relationship)
    }
    return carries(name, fromAll: back)
      ? .carrying(back, into: relationship) : .partly(.carried([back.name]))
  }
}

extension ComposedMapping {
  /// Returns whether a relationship gets its links from the objects of each entity that a source
  /// relationship leads to and that the mapping carries.
  fileprivate func carries(_ name: String, fromAll old: RelationshipDescription?) -> Bool {
    guard let old else { return true }
    let all = origins.values.joined()
    return source.hierarchyNames(below: old.destinationEntityName).allSatisfy { entity in
      let made = all.filter { $0.sourceEntityName == entity }
      return made.isEmpty || made.contains { $0.values[name] != nil }
    }
  }
}

extension ComposedMapping.Origin {
  /// Makes the origin of the objects that an entity mapping makes; nil where its filter admits none.
  init?(_ resolution: ResolvedEntityMapping, named name: String) {
    self.init(sourceEntityName: resolution.source)
    let mapping = resolution.mapping
    if let predicate = mapping.sourcePredicate {
      let condition = OriginCondition(predicate.mappingExpressions(\.ofSource))
      switch condition.certainty {
      case true?: break
      case false?: return nil
      case nil: conditions = [condition]
      }
    }
    if !mapping.deduplicationKeys.isEmpty { deduplicationKeys = [mapping.deduplicationKeys] }
    if mapping.entityMigrationPolicyClassName != nil { opaqueSteps = ["\(name), \(mapping.name)"] }
    if let pieces = mapping.pieces {
      opaqueSteps.append("\(name), parts of \(mapping.name)")
      if opaqueSteps.count == 1 { splits = ValueOrigin(pieces.value.ofSource).properties }
    }
    values = resolution.relationships
    for (attribute, value) in resolution.attributes
    where value != .nothing && !resolution.derived.contains(attribute) {
      values[attribute] = value
    }
  }
}
