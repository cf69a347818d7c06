package import ObjectModel

/// The resolved form of one entity mapping: an origin for each property of the objects that it makes.
///
/// It has only the mapping's own origins; links that follow from an inverse are in ``ResolvedMapping``.
package struct ResolvedEntityMapping: Hashable, Sendable {
  /// The entity mapping.
  package let mapping: EntityMapping
  /// The entity of the objects that are read.
  package let source: String
  /// The entity of the objects that are made.
  package let destination: String
  /// The origin of each stored attribute, by name; that of a derived one gives its value until it is
  /// computed anew.
  package let attributes: [String: ValueOrigin]
  /// The names of the derived attributes.
  package let derived: Set<String>
  /// The origin of each stored relationship that the mapping sets, by name.
  package let relationships: [String: ValueOrigin]
  /// The objects that each of these relationships is given, where it asks the manager for them.
  package let requests: [String: DestinationInstancesRequest]

  /// The stored relationships that the mapping gives links, in its order.
  package var given: [String] {
    mapping.relationshipMappings.map(\.name).filter {
      relationships[$0] != nil || requests[$0] != nil
    }
  }
}

/// A resolver of the entity mappings of a mapping model.
struct EntityResolver {
  let mapping: MappingModel
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  /// The name that distinguishes the mapping model from all others.
  let name: String

  /// Returns the resolved form of an entity mapping.
  ///
  /// - Complexity: O(*p*) in the properties of the destination entity, inherited ones included.
  func resolution(of entity: EntityMapping, from old: String, to new: String)
    -> ResolvedEntityMapping
  {
    let given = Dictionary(
      entity.attributeMappings.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var attributes: [String: ValueOrigin] = [:]
    var derived: Set<String> = []
    var relationships: [String: ValueOrigin] = [:]
    var requests: [String: DestinationInstancesRequest] = [:]
    for attribute in destination.attributes(of: new) where attribute.isPersistent {
      attributes[attribute.name] = value(
        of: attribute,
        given[attribute.name]?.valueExpression,
        entity,
        old
      )
      if attribute.derivationExpression != nil { derived.insert(attribute.name) }
    }
    for property in entity.relationshipMappings {
      guard let expression = property.valueExpression,
        let relationship = destination.property(property.name, of: new)?.property.relationship,
        relationship.isPersistent
      else { continue }
      let request = DestinationInstancesRequest(expression.ofSource)
      requests[property.name] = request
      let links = links(of: relationship, expression, request, entity, old)
      if links != .nothing { relationships[property.name] = links }
    }
    return ResolvedEntityMapping(
      mapping: entity,
      source: old,
      destination: new,
      attributes: attributes,
      derived: derived,
      relationships: relationships,
      requests: requests
    )
  }

  private func value(
    of attribute: AttributeDescription,
    _ expression: Expression?,
    _ entity: EntityMapping,
    _ from: String
  ) -> ValueOrigin {
    if attribute.derivationExpression != nil { return kept(attribute, expression, from) }
    // An object is made with the defaults of its entity.
    guard let expression else { return .constant(attribute.defaultValue) }
    if expression.callsPolicy { return opaque(attribute.name, entity) }
    let value = ValueOrigin(expression.ofSource)
    guard let name = value.carriedProperty else { return value }
    switch source.property(name, of: from)?.property {
    case .attribute(let old)?:
      return old.isPersistent ? .carrying(old, into: attribute) : .nothing
    case .relationship?: return .computed(.source(name), [])
    case .fetchedProperty?, nil: return .nothing
    }
  }

  /// Returns the origin that a derived attribute keeps until it is computed anew; some forms never are.
  ///
  /// Only values of the same derivation are its values.
  private func kept(
    _ attribute: AttributeDescription,
    _ expression: Expression?,
    _ from: String
  ) -> ValueOrigin {
    let name = expression.map { ValueOrigin($0.ofSource) }?.carriedProperty ?? attribute.name
    guard let old = source.property(name, of: from)?.property.attribute, old.isPersistent,
      old.derivationExpression == attribute.derivationExpression,
      old.attributeType == attribute.attributeType
    else { return .nothing }
    return .carried([name])
  }

  private func links(
    of relationship: RelationshipDescription,
    _ expression: Expression,
    _ request: DestinationInstancesRequest?,
    _ entity: EntityMapping,
    _ from: String
  ) -> ValueOrigin {
    if expression.callsPolicy { return opaque(relationship.name, entity) }
    guard let request, let name = request.relationship else {
      return ValueOrigin(expression.ofSource)
    }
    guard let old = source.property(name, of: from)?.property.relationship, old.isPersistent else {
      return request.mapping == nil ? .nothing : ValueOrigin(expression.ofSource)
    }
    return isWhole(request, from: old, to: relationship)
      ? .carrying(old, into: relationship) : ValueOrigin(expression.ofSource)
  }

  /// Returns whether the requested objects, of any entities, are all that a relationship can link among
  /// those made of the objects that another relationship linked.
  private func isWhole(
    _ request: DestinationInstancesRequest,
    from old: RelationshipDescription,
    to new: RelationshipDescription
  ) -> Bool {
    guard let name = request.mapping else { return true }
    let makers = DestinationInstancesRequest.makers(
      in: mapping,
      named: nil,
      of: old.destinationEntityName,
      in: source,
      for: new.destinationEntityName,
      in: destination
    ).map(\.element)
    return makers.count == 1 && makers[0].name == name && makers[0].sourcePredicate == nil
  }

  private func opaque(_ property: String, _ entity: EntityMapping) -> ValueOrigin {
    .opaque("\(name), \(entity.name).\(property)")
  }
}
