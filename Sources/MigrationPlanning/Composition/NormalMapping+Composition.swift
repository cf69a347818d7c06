import ObjectModel

extension NormalMapping {
  /// What this way does and then another, which starts where this one ends.
  ///
  /// Composing is associative, and composing with the identity changes nothing.
  /// - Complexity: O(*p*) in the properties of the last model, for mappings without expressions of
  ///   their own.
  package func followed(by next: NormalMapping) -> NormalMapping {
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
    origin.conditions = earlier.conditions
    for condition in later.conditions {
      let composed = substitution.apply(condition)
      switch composed.certainty {
      case true?: break
      case false?: return nil
      case nil: origin.conditions.append(composed)
      }
    }
    origin.deduplicationKeys = earlier.deduplicationKeys + later.deduplicationKeys
    origin.opaqueSteps = earlier.opaqueSteps + later.opaqueSteps
    if later.opaqueSteps.isEmpty {
      origin.splits = earlier.splits
    } else if earlier.opaqueSteps.isEmpty, let splits = later.splits {
      origin.splits = Set(splits.flatMap { earlier.values[$0]?.properties ?? [] })
    }
    origin.values.reserveCapacity(later.values.count)
    for (name, value) in later.values {
      let composed = substitution.apply(value)
      if composed != .nothing { origin.values[name] = composed }
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

  func apply(_ value: ValueOrigin) -> ValueOrigin {
    switch value {
    case .constant, .opaque: return value
    case .carried(let path): return self.value(path)
    case .converted(let inner, from: let old, to: let new):
      return .converting(apply(inner), from: old, to: new)
    case .filled(let inner, let fill): return .filling(apply(inner), with: fill)
    case .first(let inner): return .choosing(apply(inner))
    case .unordered(let inner): return .disordering(apply(inner))
    case .cut(let inner): return .cutting(apply(inner))
    case .partly(let inner):
      let links = apply(inner)
      return links == .nothing ? links : .partly(links)
    case .owners(let entity, let relationship): return owners(relationship, of: entity)
    case .computed(let expression, let inputs):
      var formula = Formula()
      let result = formula.substitute(in: expression) { read($0, inputs) }
      return result.asksForNothing ? .nothing : ValueOrigin(result, inputs: formula.inputs)
    }
  }

  func apply(_ condition: OriginCondition) -> OriginCondition {
    var formula = Formula()
    let predicate = formula.substitute(in: condition.predicate) { read($0, condition.inputs) }
    return OriginCondition(predicate, inputs: formula.inputs)
  }

  /// What a part of an expression reads of the object between the two mappings, if it does.
  private func read(_ part: Expression, _ inputs: [ValueOrigin]) -> ValueOrigin? {
    switch part {
    case .keyPath(.variable("source"), let path): value(path)
    case .variable("source"): .opaque("\(entity) as a whole")
    case .variable: Formula.input(part, among: inputs).map(apply)
    default: nil
    }
  }

  /// The owners of a relationship between the two mappings, said of the objects before them.
  private func owners(_ relationship: String, of entity: String) -> ValueOrigin {
    let makers = mapping.origins[entity] ?? []
    let values = Set(
      makers.map { Value(entity: $0.sourceEntityName, value: $0.values[relationship]) }
    )
    // Without objects, or where these lead nowhere, there are no owners.
    guard values.contains(where: { $0.value != nil }) else { return .nothing }
    guard values.count == 1, let only = values.first, let name = only.value?.carriedProperty,
      let old = mapping.source.property(name, of: only.entity)?.property.relationship
    else { return .opaque("\(entity).\(relationship)") }
    if let back = mapping.source.inverse(of: old),
      back.property.relationship?.isToMany == true,
      back.property.relationship?.isOrdered == false,
      mapping.source.isKind(origin.sourceEntityName, of: back.entityName)
    {
      return .carried([back.property.name])
    }
    return .owners(entity: only.entity, relationship: name)
  }

  private struct Value: Hashable {
    let entity: String
    let value: ValueOrigin?
  }

  private func value(_ path: [String]) -> ValueOrigin {
    guard let first = path.first, let value = origin.values[first] else { return .nothing }
    if path.count == 1 { return value }
    guard case .carried(let start) = value,
      let renamed = renamed(Array(path.dropFirst()), beyond: first)
    else { return .opaque("\(entity).\(path.joined(separator: "."))") }
    return .carried(start + renamed)
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
      guard values.count == 1, case .carried(let step)?? = values.first else { return nil }
      result += step
      let next = mapping.destination.property(name, of: target)?.property.relationship
      if let next { target = next.destinationEntityName }
    }
    return result
  }
}
