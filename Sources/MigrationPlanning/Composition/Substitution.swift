import ObjectModel

/// A substitution of one origin's values for the properties that a later mapping reads.
struct Substitution {
  let mapping: ComposedMapping
  let origin: ComposedMapping.Origin
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
    case .chosen(let inner, by: let name):
      let links = apply(inner)
      return links == .nothing ? links : .chosen(links, by: name)
    case .without(let inner, let entities): return leavingOut(entities, of: apply(inner))
    case .partly(let inner):
      let links = apply(inner)
      return links == .nothing ? links : .partly(links)
    case .owners(let entity, let relationship): return owners(relationship, of: entity)
    case .computed(let expression, let inputs):
      var formula = ExpressionNormalizer()
      let result = formula.substitute(in: expression) { read($0, inputs) }
      return result.asksForNothing ? .nothing : ValueOrigin(result, inputs: formula.inputs)
    }
  }

  /// Returns the links without those to objects of entities between the two mappings.
  private func leavingOut(_ entities: [String], of links: ValueOrigin) -> ValueOrigin {
    var left: Set<String> = []
    for entity in mapping.reach(of: links, from: origin.sourceEntityName) {
      let made = mapping.destinations(of: entity).map(entities.contains)
      if made.isEmpty || !made.contains(true) { continue }
      // One object became several, and the link to some of them stays.
      guard !made.contains(false) else { return .partly(links) }
      left.insert(entity)
    }
    return .narrowing(links, by: left)
  }

  func apply(_ condition: OriginCondition) -> OriginCondition {
    var formula = ExpressionNormalizer()
    let predicate = formula.substitute(in: condition.predicate) { read($0, condition.inputs) }
    return OriginCondition(predicate, inputs: formula.inputs)
  }

  /// Returns the value that a part of an expression reads from the object between the two mappings; nil
  /// for any other part.
  private func read(_ part: Expression, _ inputs: [ValueOrigin]) -> ValueOrigin? {
    switch part {
    case .keyPath(.variable("source"), let path): value(path)
    case .variable("source"): unseen("\(entity) as a whole", reading: origin.allReads)
    case .variable: ExpressionNormalizer.input(part, among: inputs).map(apply)
    case .subquery where !mapping.isIdentity: selection(part, inputs)
    case .fetch where !mapping.isIdentity: unseen(part)
    case .function where part.isLookup && !mapping.isIdentity: unseen(part)
    default: nil
    }
  }

  /// Returns a value that cannot be followed to the version before the two mappings.
  private func unseen(_ words: String, reading properties: Set<String>) -> ValueOrigin {
    .opaque(words, .init(mapping: mapping.hashValue, properties: properties))
  }

  /// Returns the opaque value of a part of an expression.
  private func unseen(_ part: Expression) -> ValueOrigin {
    let read = ValueOrigin.computed(part, []).properties
    return unseen(
      "\(part.words()) of \(entity)",
      reading: Set(read.flatMap { origin.values[$0]?.properties ?? [] })
    )
  }

  /// Returns the selection of objects between the two mappings by a condition, rewritten for the objects
  /// before them.
  private func selection(_ part: Expression, _ inputs: [ValueOrigin]) -> ValueOrigin {
    guard case .subquery(let collection, let variable, let predicate) = part,
      case .keyPath(.variable("source"), let path) = collection,
      let target = mapping.destination.end(of: path, from: entity),
      case .carried(let old) = value(path),
      let before = mapping.source.end(of: old, from: origin.sourceEntityName),
      let renamed = renamed(predicate, of: variable, Ends(before: before, between: target))
    else { return unseen(part) }
    var formula = ExpressionNormalizer()
    let owners = formula.substitute(in: collection) { read($0, inputs) }
    let condition = formula.substitute(in: renamed) { read($0, inputs) }
    return .computed(.subquery(owners, variable: variable, condition), formula.inputs)
  }

  /// Returns a condition on objects between the two mappings, with the names that their properties have
  /// before them; nil where these are not all.
  private func renamed(
    _ predicate: Predicate,
    of variable: String,
    _ target: Ends
  ) -> Predicate? {
    var isWhole = true
    let result = predicate.mappingExpressions { expression in
      expression.replacing { part in
        switch part {
        case .keyPath(.variable(variable), let path):
          if let names = renamed(path, from: target) { return .keyPath(.variable(variable), names) }
          isWhole = false
        case .subquery, .fetch: isWhole = false
        default: if part.isLookup { isWhole = false }
        }
        return nil
      }
    }
    return isWhole ? result : nil
  }

  /// Returns the owners of a relationship between the two mappings, in terms of the objects before them.
  private func owners(_ relationship: String, of entity: String) -> ValueOrigin {
    let makers = mapping.origins[entity] ?? []
    let values = Set(
      makers.map { Value(entity: $0.sourceEntityName, value: $0.values[relationship]) }
    )
    // Without objects, or where these lead nowhere, there are no owners.
    guard values.contains(where: { $0.value != nil }) else { return .nothing }
    guard values.count == 1, let only = values.first, let name = only.value?.carriedProperty,
      let old = mapping.source.property(name, of: only.entity)?.property.relationship
    else { return unseen("\(entity).\(relationship)", reading: []) }
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
      let before = mapping.source.end(of: start, from: origin.sourceEntityName),
      let between = mapping.destination.end(of: [first], from: entity),
      let renamed = renamed(Array(path.dropFirst()), from: Ends(before: before, between: between))
    else { return unseen("\(entity).\(path.joined(separator: "."))", reading: value.properties) }
    return .carried(start + renamed)
  }

  /// The entity of the objects to which a path leads, before the two mappings and between them.
  private struct Ends {
    var before: String
    var between: String
  }

  /// Returns the names that a path has in the earlier model, where all objects that it leads to agree,
  /// and none of them is dropped, shared or made several.
  private func renamed(_ path: [String], from start: Ends) -> [String]? {
    if mapping.isIdentity { return path }
    var ends = start
    var result: [String] = []
    guard arrivesWhole(ends) else { return nil }
    for name in path {
      if name.hasPrefix("@") {
        result.append(name)
        continue
      }
      let origins = mapping.destination.hierarchyNames(below: ends.between)
        .flatMap { mapping.origins[$0] ?? [] }
      let values = Set(origins.map { $0.values[name] })
      guard values.count == 1, case .carried(let step)?? = values.first else { return nil }
      result += step
      guard let between = mapping.destination.end(of: [name], from: ends.between) else { continue }
      guard let before = mapping.source.end(of: step, from: ends.before) else { return nil }
      ends = Ends(before: before, between: between)
      guard arrivesWhole(ends) else { return nil }
    }
    return result
  }

  /// Returns whether each object to which the earlier version's path may lead becomes one of its own to
  /// which the later one's does.
  private func arrivesWhole(_ ends: Ends) -> Bool {
    mapping.opaqueSteps.isEmpty
      && mapping.source.hierarchyNames(below: ends.before).allSatisfy { name in
        if mapping.source[name]?.isAbstract != false { return true }
        let made = mapping.destinations(of: name)
        return made.count == 1
          && made.allSatisfy { entity in
            mapping.destination.isKind(entity, of: ends.between)
              && mapping.origins[entity]?.allSatisfy {
                $0.conditions.isEmpty && $0.deduplicationKeys.isEmpty && $0.opaqueSteps.isEmpty
              } == true
          }
      }
  }
}

extension ComposedMapping.Origin {
  /// The properties of the source object that any value reads.
  fileprivate var allReads: Set<String> {
    values.values.reduce(into: []) { $0.formUnion($1.properties) }
  }
}

extension Expression {
  /// Whether it asks the migration manager for the object that has a key.
  fileprivate var isLookup: Bool {
    guard case .function(.variable("manager"), let selector, _) = self else { return false }
    return [Self.sourceInstanceForKey, Self.destinationInstanceForKey].contains(selector)
  }
}
