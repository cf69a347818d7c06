import ObjectModel

/// The properties of the source object that the expressions of an entity mapping read.
struct ReadSet {
  /// The names of the properties.
  private(set) var names: Set<String> = []
  /// Whether something may read any of them: code that is given the object itself, or a policy.
  private(set) var readsAll = false
  /// The paths from the source object, the first name of each among ``names``.
  private(set) var paths: Set<[String]> = []

  /// The reads of a mapping.
  init(_ mapping: EntityMapping) {
    self.init(mapping) { _ in true }
  }

  /// The reads of a mapping, but for the properties that it carries.
  init(leavingOutCarried resolution: ResolvedEntityMapping) {
    self.init(resolution.mapping) { name in
      let value = resolution.attributes[name] ?? resolution.relationships[name]
      return value?.unchanged.carriedProperty == nil
    }
  }

  /// The reads of the expressions that give relationships their objects: attributes that are made of
  /// links leave nothing of these.
  init(linksOf mapping: EntityMapping) {
    let relationships = Set(mapping.relationshipMappings.map(\.name))
    self.init(mapping, where: relationships.contains)
    readsAll = ReadSet(mapping).readsAll
  }

  /// Collects the reads of the expressions that give values to attributes or parts.
  ///
  /// A relationship whose objects are looked up by an attribute keeps nothing of that attribute.
  init(valuesOf mapping: EntityMapping) {
    let attributes = Set(mapping.attributeMappings.map(\.name))
    self.init(mapping, where: attributes.contains)
    readsAll = ReadSet(mapping).readsAll
  }

  private init(_ mapping: EntityMapping, where isRead: (String) -> Bool) {
    readsAll = mapping.entityMigrationPolicyClassName != nil
    for property in mapping.attributeMappings + mapping.relationshipMappings
    where isRead(property.name) {
      if let expression = property.valueExpression { add(expression) }
    }
    if let pieces = mapping.pieces { add(pieces.value) }
  }

  /// The reads of a mapping's filter; a property that is only compared with nil is not read.
  init(filterOf mapping: EntityMapping) {
    func add(_ predicate: Predicate) {
      switch predicate {
      case .all(let parts), .any(let parts): for part in parts { add(part) }
      case .not(let part): add(part)
      case .comparison(let comparison):
        guard ![comparison.left, comparison.right].contains(.constant(nil)) else { return }
        self.add(comparison.left)
        self.add(comparison.right)
      }
    }
    if let filter = mapping.sourcePredicate { add(filter) }
  }

  private mutating func add(_ expression: Expression) {
    var names: Set<String> = []
    var isGivenAway = false
    expression.forEachPart { part in
      switch part {
      case .keyPath(.variable("source"), let path), .keyPath(.evaluatedObject, let path):
        paths.insert(path)
        if let name = path.first(where: { !$0.hasPrefix("@") }) { names.insert(name) }
      case .function(let target, let selector, let arguments):
        let isAssociation =
          target == .variable("manager") && selector.hasPrefix("destinationInstances")
        if !isAssociation, arguments.contains(.variable("source")) || target == .variable("source")
        {
          isGivenAway = true
        }
      default: break
      }
    }
    self.names.formUnion(names)
    readsAll = readsAll || isGivenAway
  }
}
