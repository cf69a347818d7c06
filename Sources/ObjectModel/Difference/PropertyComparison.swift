/// A comparison of the properties of two versions of a model, which collects their changes.
struct PropertyComparison {
  /// A property and its later declaration, which differ.
  private struct Match {
    let old: PropertyDescription
    let new: PropertyDescription
  }

  /// The rest of a pair of entities when its own properties have been matched.
  private struct Rest {
    let pair: ModelComparison.Pair
    var matches: [Match] = []
    var removed: [PropertyDescription] = []
    var added: [PropertyDescription] = []
  }

  private let comparison: ModelComparison
  /// The later name of each relationship, by its earlier entity and name.
  private let renamed: [ModelComparison.Place: String]
  private var rests: [Rest] = []
  private var moves: [ModelChange] = []

  init(_ comparison: ModelComparison) {
    self.comparison = comparison
    var renamed: [ModelComparison.Place: String] = [:]
    let haveSameComposites = comparison.source.composites == comparison.destination.composites
    for pair in comparison.pairs {
      if pair.source == pair.destination, haveSameComposites {
        // Equal declarations make no change, but may contain inverses of other relationships.
        for relationship in pair.source.relationships {
          let place = ModelComparison.Place(
            entityName: pair.source.name,
            propertyName: relationship.name
          )
          renamed[place] = relationship.name
        }
        rests.append(Rest(pair: pair))
        continue
      }
      var (former, latter) = (pair.source, pair.destination)
      if haveSameComposites {
        // Equal attributes match each other, and make no change.
        former.attributes = pair.source.attributes.without(pair.destination.attributes)
        latter.attributes = pair.destination.attributes.without(pair.source.attributes)
      }
      let old = comparison.source.ownProperties(of: former)
      let new = comparison.destination.ownProperties(of: latter)
      let matching = CanonicalMatching(source: old.map(\.key), destination: new.map(\.key))
      var rest = Rest(pair: pair)
      for (property, match) in zip(new, matching.matches) {
        guard let match else {
          rest.added.append(property)
          continue
        }
        let earlier = old[match.source]
        // Equal declarations make no change.
        if earlier != property { rest.matches.append(Match(old: earlier, new: property)) }
        guard earlier.relationship != nil else { continue }
        let place = ModelComparison.Place(
          entityName: pair.source.name,
          propertyName: earlier.name
        )
        renamed[place] = property.name
      }
      rest.removed = matching.unmatchedSources.map { old[$0] }
      rests.append(rest)
    }
    self.renamed = renamed
    findMoves()
  }

  func changes(suspectingRenames: Bool) -> [ModelChange] {
    var changes = moves
    for rest in rests {
      let name = rest.pair.destination.name
      changes += rest.added.map { change(.added, $0, entity: name) }
      changes += rest.removed.map { change(.removed, $0, entity: name) }
      if suspectingRenames { changes += suspected(rest) }
      for match in rest.matches { changes += differences(match, entity: name) }
    }
    return changes
  }

  private func change(
    _ action: ModelChange.Action,
    _ property: PropertyDescription,
    entity: String
  ) -> ModelChange {
    ModelChange(
      action,
      property.subject,
      entity: entity,
      name: property.name,
      changesHash: property.isHashed
    )
  }

  /// Finds properties that an ancestor or a descendant declares from now on.
  private mutating func findMoves() {
    var arrived: Set<ModelComparison.Place> = []
    var left: Set<ModelComparison.Place> = []
    for index in rests.indices {
      let pair = rests[index].pair
      let entity = pair.destination.name
      for property in rests[index].removed where pair.destination.superentityName != nil {
        // Upwards: the entity still has it, from an ancestor.
        guard
          let declared = comparison.destination.propertiesWithElements(of: entity).first(where: {
            $0.property.key.canonicalName == property.key.canonicalName && $0.entityName != entity
          }), declared.property.subject == property.subject,
          isAdded(declared.property.name, to: declared.entityName)
        else { continue }
        report(property, declared.property, from: entity, to: declared.entityName, at: entity)
        arrived.insert(
          .init(entityName: declared.entityName, propertyName: declared.property.name)
        )
        left.insert(.init(entityName: entity, propertyName: property.name))
      }
      for property in rests[index].added where pair.source.superentityName != nil {
        // Downwards: the entity had it, from an ancestor.
        let earlier = pair.source.name
        guard
          let declared = comparison.source.propertiesWithElements(of: earlier).first(where: {
            $0.property.key.canonicalName == property.key.canonicalName && $0.entityName != earlier
          }), declared.property.subject == property.subject
        else { continue }
        // An ancestor that is gone took nothing with it that its descendants declare themselves.
        let ancestor = comparison.laterNames[declared.entityName] ?? declared.entityName
        guard
          comparison.laterNames[declared.entityName] == nil
            || isRemoved(declared.property.name, from: ancestor)
        else { continue }
        report(declared.property, property, from: ancestor, to: entity, at: entity)
        arrived.insert(.init(entityName: entity, propertyName: property.name))
        left.insert(.init(entityName: ancestor, propertyName: declared.property.name))
      }
    }
    for index in rests.indices {
      let entity = rests[index].pair.destination.name
      rests[index].added.removeAll {
        arrived.contains(.init(entityName: entity, propertyName: $0.name))
      }
      rests[index].removed.removeAll {
        left.contains(.init(entityName: entity, propertyName: $0.name))
      }
    }
  }

  /// Returns whether the entity declares the property anew; all that a new entity declares is new.
  private func isAdded(_ property: String, to entity: String) -> Bool {
    guard let rest = rests.first(where: { $0.pair.destination.name == entity }) else {
      return true
    }
    return rest.added.contains { $0.name == property }
  }

  private func isRemoved(_ property: String, from entity: String) -> Bool {
    rests.first { $0.pair.destination.name == entity }?.removed
      .contains { $0.name == property } ?? false
  }

  private mutating func report(
    _ old: PropertyDescription,
    _ new: PropertyDescription,
    from former: String,
    to declaring: String,
    at entity: String
  ) {
    var move = change(.moved, new, entity: entity)
    move.old = former
    move.new = declaring
    moves.append(move)
    if old != new { moves += differences(Match(old: old, new: new), entity: entity) }
  }

  private func differences(_ match: Match, entity: String) -> [ModelChange] {
    let new = match.new
    guard match.old.subject == new.subject else {
      var change = change(.changed, new, entity: entity)
      change.aspect = .kind
      change.old = match.old.subject.rawValue
      change.new = new.subject.rawValue
      change.changesHash = match.old.isHashed || new.isHashed
      return [change]
    }
    var changes: [ModelChange] = []
    // A property that is transient before and after is no part of the hash.
    let isHashed = match.old.isHashed || new.isHashed
    if match.old.name != new.name {
      var change = change(.renamed, new, entity: entity)
      change.old = match.old.name
      change.new = new.name
      change.changesHash = isHashed && !(match.old.isDerived && new.isDerived)
      changes.append(change)
    }
    let aspects = ModelComparison.compare(match.old.aspects, new.aspects) { value in
      ModelChange(
        .changed,
        new.subject,
        entity: entity,
        name: new.name,
        changesHash: value && isHashed
      )
    }
    changes += aspects.map { mark($0, match) }.map { change in
      guard change.aspect == .renamingIdentifier, match.old.name != new.name else { return change }
      var change = change
      change.isConsequence = true
      return change
    }
    return changes
  }

  /// Marks what only follows from another name of an entity or of the relationship back.
  private func mark(_ change: ModelChange, _ match: Match) -> ModelChange {
    guard let old = match.old.relationship, let new = match.new.relationship else { return change }
    var change = change
    switch change.aspect {
    case .destination:
      change.isConsequence =
        comparison.laterNames[old.destinationEntityName] == new.destinationEntityName
    case .inverse:
      guard let name = old.inverseName,
        let declaring = comparison.source.inverse(of: old)?.entityName
      else { break }
      let place = ModelComparison.Place(entityName: declaring, propertyName: name)
      change.isConsequence = renamed[place] == new.inverseName
    default: break
    }
    return change
  }

  private func suspected(_ rest: Rest) -> [ModelChange] {
    Similarity.pairs(rest.removed, rest.added).map { pair in
      var change = change(
        .suspectedRename,
        rest.added[pair.new],
        entity: rest.pair.destination.name
      )
      change.old = rest.removed[pair.old].name
      change.new = rest.added[pair.new].name
      change.similarity = pair.similarity
      return change
    }
  }
}

extension ManagedObjectModel {
  /// Returns all properties that an entity itself declares: attributes, each composite one before its
  /// elements, relationships, fetched ones.
  fileprivate func ownProperties(of entity: EntityDescription) -> [PropertyDescription] {
    entity.attributes.flatMap { [$0] + (elements(of: $0) ?? []) }
      .map(PropertyDescription.attribute)
      + entity.relationships.map(PropertyDescription.relationship)
      + entity.fetchedProperties.map(PropertyDescription.fetchedProperty)
  }

  /// Returns all properties of an entity, own and inherited: composite attributes and their elements.
  fileprivate func propertiesWithElements(of entityName: String) -> [DeclaredProperty] {
    let elements = properties(of: entityName).filter { $0.property.attribute?.membership != nil }
    return declaredProperties(of: entityName) + elements
  }
}

extension [AttributeDescription] {
  /// Returns the attributes that are not the same in another list; both are in byte order of names.
  fileprivate func without(_ other: [AttributeDescription]) -> [AttributeDescription] {
    var place = other.startIndex
    return filter { attribute in
      while place < other.endIndex, ByteOrder.precedes(other[place].name, attribute.name) {
        place += 1
      }
      return place == other.endIndex || other[place] != attribute
    }
  }
}

extension PropertyDescription {
  /// Whether it is an attribute that follows from others.
  var isDerived: Bool { attribute?.derivationExpression != nil }
}
