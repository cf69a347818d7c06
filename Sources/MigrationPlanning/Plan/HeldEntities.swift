import ObjectModel

/// The entities that may have rows in a store that migrates over several steps, and the properties that may
/// have values of the store.
///
/// What neither the store's version nor the last one has may be added by one step and dropped by another;
/// that loses no row, and no value but a default.
struct HeldEntities {
  /// The properties of an entity that may have values of the store.
  private enum Properties {
    case all
    case named(Set<String>)
  }

  /// The properties, by entity; nil where code may have made rows of any entity.
  private var entities: [String: Properties]?
  /// Whether they still are all of the store's own version.
  private var isWhole = true

  /// The entities of the store's own version.
  init(of model: ManagedObjectModel) {
    entities = Dictionary(
      model.entities.map { ($0.name, .all) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Follows a step to its destination.
  mutating func take(_ mapping: MappingModel) {
    isWhole = false
    guard let held = entities, mapping.policyNames.isEmpty, mapping.actionsBefore.isEmpty,
      mapping.actionsAfter.isEmpty
    else {
      entities = nil
      return
    }
    var next: [String: Properties] = [:]
    for own in mapping.entityMappings {
      guard let name = own.destinationEntityName else { continue }
      let made: Properties
      if let source = own.sourceEntityName {
        guard let properties = held[source] else { continue }
        made = own.mappingType == .copy ? properties : Self.carried(by: own, from: properties)
      } else {
        // A mapping without a source is of a new entity, unless it is left to the developer.
        guard own.mappingType != .add else { continue }
        made = .all
      }
      switch (next[name], made) {
      case (nil, _): next[name] = made
      case (.named(let first)?, .named(let second)): next[name] = .named(first.union(second))
      case (.all?, _), (_, .all): next[name] = .all
      }
    }
    entities = next
  }

  /// Returns the properties that a mapping gives values of the store; constants are none.
  private static func carried(by mapping: EntityMapping, from held: Properties) -> Properties {
    if mapping.pieces != nil { return .all }
    let properties = mapping.attributeMappings + mapping.relationshipMappings
    return .named(
      Set(
        properties.filter { property in
          property.valueExpression.map { reads($0, held) } ?? false
        }.map(\.name)
      )
    )
  }

  /// Returns whether an expression may read a value of the store.
  private static func reads(_ expression: Expression, _ held: Properties) -> Bool {
    var (sources, paths) = (0, 0)
    var isReading = false
    expression.forEachPart { part in
      switch part {
      case .variable("source"): sources += 1
      case .variable("manager"), .constant, .aggregate, .conditional, .call, .className: break
      case .keyPath(.variable("source"), let keys):
        paths += 1
        if case .named(let names) = held, !names.contains(keys[0]) { break }
        isReading = true
      case .function(.variable("manager"), _, _): break
      default: isReading = true
      }
    }
    // The object itself was handed on.
    return isReading || sources > paths
  }

  /// Returns the findings of a step that leaves a model, without the drops of entities that can have no
  /// rows, and of properties that can have no values.
  func findings(_ findings: [Finding], leaving model: ManagedObjectModel) -> [Finding] {
    guard let entities, !isWhole else { return findings }
    func holds(_ property: String, _ entity: String) -> Bool {
      model.hierarchyNames(below: entity).contains { name in
        switch entities[name] {
        case nil: false
        case .all: true
        case .named(let names):
          names.contains { $0 == property || $0.hasPrefix(property + ".") }
        }
      }
    }
    return findings.filter { finding in
      guard finding.isDropped, let entity = finding.place.entity, model[entity] != nil else {
        return true
      }
      let names = model.hierarchyNames(below: entity)
      guard names.contains(where: { entities[$0] != nil }) else { return false }
      guard finding.code.has(.drop), let name = finding.place.property,
        let property = model.property(name, of: entity)?.property
      else { return true }
      if holds(name, entity) { return true }
      // The other end may give it its links.
      guard let relationship = property.relationship, let inverse = relationship.inverseName else {
        return false
      }
      return holds(inverse, relationship.destinationEntityName)
    }
  }
}
