import ObjectModel

/// Which properties of the source object the expressions of an entity mapping read.
struct SourceReads {
  /// The names of the properties.
  private(set) var names: Set<String> = []
  /// Whether something may read any of them: code that is given the object itself, or a policy.
  private(set) var readsAll = false

  init(_ mapping: EntityMapping) {
    readsAll = mapping.entityMigrationPolicyClassName != nil
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      if let expression = property.valueExpression { add(expression) }
    }
    if let pieces = mapping.pieces { add(pieces.value) }
  }

  private mutating func add(_ expression: Expression) {
    var names: Set<String> = []
    var isGivenAway = false
    expression.forEachPart { part in
      switch part {
      case .keyPath(.variable("source"), let path):
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
