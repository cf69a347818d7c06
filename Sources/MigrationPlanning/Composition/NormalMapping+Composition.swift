import ObjectModel

extension NormalMapping {
  /// What this way does and then another, which starts where this one ends.
  ///
  /// Composing is associative, and composing with the identity changes nothing.
  /// - Complexity: O(*p*) in the properties of the last model, for mappings without expressions of
  ///   their own.
  public func followed(by next: NormalMapping) -> NormalMapping {
    var result = NormalMapping(source: source, destination: next.destination)
    result.opaqueSteps = opaqueSteps + next.opaqueSteps
    result.origins.reserveCapacity(next.origins.count)
    for (entity, list) in next.origins {
      if next.copies.contains(entity) {
        guard let origins = origins[entity] else { continue }
        result.origins[entity] = origins
        if copies.contains(entity) { result.copies.insert(entity) }
        continue
      }
      let composed = list.flatMap { later in
        (origins[later.sourceEntityName] ?? []).compactMap { compose($0, later) }
      }
      if !composed.isEmpty { result.origins[entity] = composed }
    }
    return result
  }

  /// The origin of objects that are made from objects made from others; nil where there are none.
  private func compose(_ earlier: Origin, _ later: Origin) -> Origin? {
    let substitution = Substitution(mapping: self, origin: earlier, entity: later.sourceEntityName)
    var origin = Origin(sourceEntityName: earlier.sourceEntityName)
    origin.predicates = earlier.predicates
    for predicate in later.predicates {
      let composed = predicate.mappingExpressions(substitution.apply).simplified
      switch composed.constantValue {
      case true?: break
      case false?: return nil
      case nil: origin.predicates.append(composed)
      }
    }
    origin.deduplicationKeys = earlier.deduplicationKeys + later.deduplicationKeys
    origin.opaqueSteps = earlier.opaqueSteps + later.opaqueSteps
    origin.values.reserveCapacity(later.values.count)
    for (name, value) in later.values {
      if case .keyPath(.variable("source"), let path) = value, path.count == 1 {
        origin.values[name] = earlier.values[path[0]]
        continue
      }
      let composed = ValueSteps.simplified(substitution.apply(value))
      if case .constant(nil) = composed { continue }
      origin.values[name] = composed
    }
    return origin
  }
}

/// Puts the values of one origin in the place of the properties that a later mapping reads.
private struct Substitution {
  let mapping: NormalMapping
  let origin: NormalMapping.Origin
  /// The entity of the objects between the two mappings.
  let entity: String

  func apply(_ expression: Expression) -> Expression {
    let replaced = expression.replacing { part in
      switch part {
      case .keyPath(.variable("source"), let path): value(path)
      case .call: ValueSteps.owned(part).map { owners($0.relationship, of: $0.entity) }
      case .variable("source"):
        .call(ValueSteps.opaque, [.constant(.string("\(entity) as a whole"))])
      default: nil
      }
    }
    return ValueSteps.simplified(replaced)
  }

  /// The owners of a relationship between the two mappings, said of the objects before them.
  private func owners(_ relationship: String, of entity: String) -> Expression {
    let makers = mapping.origins[entity] ?? []
    let values = Set(
      makers.map { Value(entity: $0.sourceEntityName, value: $0.values[relationship]) }
    )
    // Without objects, or where these lead nowhere, there are no owners.
    guard values.contains(where: { $0.value != nil }) else { return .constant(nil) }
    guard values.count == 1, let only = values.first,
      case .keyPath(.variable("source"), let path)? = only.value, path.count == 1,
      let old = mapping.source.property(path[0], of: only.entity)?.property.relationship
    else {
      return .call(ValueSteps.opaque, [.constant(.string("\(entity).\(relationship)"))])
    }
    if let back = mapping.source.inverse(of: old),
      back.property.relationship?.isToMany == true,
      back.property.relationship?.isOrdered == false,
      mapping.source.isKind(origin.sourceEntityName, of: back.entityName)
    {
      return .source(back.property.name)
    }
    return ValueSteps.owners(path[0], of: only.entity)
  }

  private struct Value: Hashable {
    let entity: String
    let value: Expression?
  }

  private func value(_ path: [String]) -> Expression {
    guard let first = path.first, let value = origin.values[first] else { return .constant(nil) }
    let rest = Array(path.dropFirst())
    guard !rest.isEmpty else { return value }
    guard case .keyPath(.variable("source"), let start) = value,
      let renamed = renamed(rest, beyond: first)
    else {
      return .call(
        ValueSteps.opaque,
        [.constant(.string("\(entity).\(path.joined(separator: "."))"))]
      )
    }
    return .keyPath(.variable("source"), start + renamed)
  }

  /// The names that a path has in the earlier model, where all objects that it leads to agree.
  private func renamed(_ path: [String], beyond relationship: String) -> [String]? {
    let description = mapping.destination.property(relationship, of: entity)?.property.relationship
    guard var target = description?.destinationEntityName else { return nil }
    var result: [String] = []
    for name in path {
      if name.hasPrefix("@") {
        result.append(name)
        continue
      }
      let origins = mapping.destination.hierarchyNames(below: target)
        .flatMap { mapping.origins[$0] ?? [] }
      let values = Set(origins.map { $0.values[name] })
      guard values.count == 1, case .keyPath(.variable("source"), let step)?? = values.first else {
        return nil
      }
      result += step
      let next = mapping.destination.property(name, of: target)?.property.relationship
      if let next { target = next.destinationEntityName }
    }
    return result
  }
}
