import ObjectModel

extension ResolvedMapping {
  /// Returns a mapping model that gives each property the same source as this mapping and then another;
  /// nil where no mapping of one entity to one entity can.
  ///
  /// It names properties that one of them converts or fills as carried; the caller must compare its
  /// normal form with that of both.
  /// - Complexity: O(*p*) in the properties of the destination, inherited ones counted for each
  ///   subentity.
  func then(_ next: ResolvedMapping) -> MappingModel? {
    var mappings: [EntityMapping] = []
    var read: Set<String> = []
    for later in next.mapping.entityMappings {
      guard let name = later.destinationEntityName else { continue }
      guard let middle = later.sourceEntityName, let before = makers[middle] else {
        mappings.append(.init(mappingType: .add, source: nil, destination: name))
        continue
      }
      guard before.count == 1, let earlier = before.first,
        let resolution = next.makers[name]?.first, next.makers[name]?.count == 1,
        read.insert(earlier.source).inserted,
        let mapping = earlier.then(resolution, in: source)
      else { return nil }
      mappings.append(mapping)
    }
    for entity in source.entities where !read.contains(entity.name) {
      mappings.append(.init(mappingType: .remove, source: entity.name, destination: nil))
    }
    return MappingModel(entityMappings: mappings)
  }
}

extension ResolvedEntityMapping {
  /// Returns the entity mapping that does the same as this one and the next; nil where one mapping
  /// cannot.
  ///
  /// Values that a version in between computes of its rows cannot be read: a hop that carries one, or
  /// that starts a derived attribute anew, cannot be joined.
  fileprivate func then(
    _ next: ResolvedEntityMapping,
    in model: ManagedObjectModel
  ) -> EntityMapping? {
    var result = EntityMapping(
      mappingType: .transform,
      source: source,
      destination: next.destination
    )
    for property in next.mapping.attributeMappings {
      guard let value = next.attributes[property.name] else { continue }
      let isDerived = next.derived.contains(property.name)
      guard isDerived || value.paths.allSatisfy({ $0.first.map { !derived.contains($0) } ?? true }),
        let expression = expression(before: value)
      else { return nil }
      // A derived attribute to which nothing is carried would take what has its name.
      if isDerived, case .constant = expression, model.property(property.name, of: source) != nil {
        return nil
      }
      result.attributeMappings.append(
        PropertyMapping(name: property.name, valueExpression: expression)
      )
    }
    for property in next.mapping.relationshipMappings {
      var own = PropertyMapping(name: property.name, valueExpression: nil)
      if let links = next.relationships[property.name] {
        guard let middle = links.unchanged.carriedProperty else { return nil }
        if let before = relationships[middle] {
          guard let name = before.unchanged.carriedProperty else { return nil }
          own.valueExpression = .destinationInstances(forSourceRelationship: name)
        }
      }
      result.relationshipMappings.append(own)
    }
    return result
  }

  /// Returns the expression of a value that reads this mapping's results; nil where there is none.
  private func expression(before value: ValueOrigin) -> Expression? {
    if case .constant(let constant) = value { return .constant(constant) }
    guard let middle = value.unchanged.carriedProperty else { return nil }
    guard let before = attributes[middle] else { return .constant(nil) }
    if case .constant(let constant) = before {
      return Self.constant(constant, through: value).map { .constant($0) }
    }
    return before.unchanged.carriedProperty.map { .source($0) }
  }

  /// Returns the constant that an origin makes of a constant, its number unchanged; nil where it makes
  /// another value.
  private static func constant(
    _ constant: AttributeValue?,
    through value: ValueOrigin
  ) -> AttributeValue?? {
    switch value {
    case .carried: constant
    case .filled(let inner, let fill): Self.constant(constant, through: inner).map { $0 ?? fill }
    case .converted(let inner, from: _, to: _): Self.constant(constant, through: inner)
    default: nil
    }
  }
}
