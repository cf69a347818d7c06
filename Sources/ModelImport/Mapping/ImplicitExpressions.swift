import ObjectModel

/// The values that Xcode gives to properties without an expression in their mapping.
///
/// Read off the one pair of `xcmapping.xml` and `.cdm` that is public: an attribute takes the value
/// of the source's property of the same name, own or inherited, and is left alone where there is
/// none; a relationship takes the objects made from those that the source's relationship of the
/// same name leads to, and names their entity mapping where exactly one can make them.
struct ImplicitExpressions {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let entityMappings: [EntityMapping]

  /// Returns the value of an attribute.
  func attribute(_ name: String, in mapping: EntityMapping) -> Expression? {
    guard let entity = mapping.sourceEntityName,
      source.declaredProperty(name, of: entity)?.property.attribute != nil
    else { return nil }
    return .source(name)
  }

  /// Returns the value of a relationship.
  ///
  /// - Parameters:
  ///   - path: The key path to the source objects, where the mapping has one.
  ///   - producer: The entity mapping that makes the objects, where the mapping names one.
  func relationship(
    _ name: String,
    in mapping: EntityMapping,
    along path: Expression? = nil,
    producer: String? = nil
  ) -> Expression? {
    guard let entity = mapping.sourceEntityName, let made = mapping.destinationEntityName else {
      return nil
    }
    let carried = path.map { $0.carriedSourcePropertyName } ?? name
    let isCarried =
      carried.flatMap { source.property($0, of: entity)?.property.relationship } != nil
    guard path != nil || isCarried else { return nil }
    if let only = producer ?? onlyProducer(of: name, madeFor: made) {
      return .destinationInstances(forMapping: only, of: path ?? .source(name))
    }
    return isCarried ? carried.map { .destinationInstances(forSourceRelationship: $0) } : nil
  }

  /// Returns the name of the one entity mapping that makes objects which the relationship can lead to.
  private func onlyProducer(of name: String, madeFor entity: String) -> String? {
    guard
      let target = destination.property(name, of: entity)?.property.relationship?
        .destinationEntityName
    else { return nil }
    let producers = entityMappings.filter { mapping in
      mapping.sourceEntityName != nil
        && (mapping.destinationEntityName.map { destination.isKind($0, of: target) } ?? false)
    }
    return producers.count == 1 ? producers.first?.name : nil
  }
}
