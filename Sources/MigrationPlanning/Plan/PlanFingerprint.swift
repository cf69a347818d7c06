import ObjectModel

/// The bytes that distinguish two plans, and their digest.
///
/// Every text and list is preceded by its length, so that no two plans have the same bytes.
struct PlanFingerprint {
  /// The part of the tool's version that changes when plans are to be made anew.
  static let toolVersion = "waystone-plan-1"

  private var hash = SHA256()

  /// Returns the digest of a plan as 64 hexadecimal digits.
  static func text(source: VersionGroup, destination: VersionGroup, hops: [Hop]) -> String {
    var fingerprint = PlanFingerprint()
    fingerprint.add(toolVersion)
    fingerprint.add(source.hashes)
    fingerprint.add(destination.hashes)
    fingerprint.add(count: hops.count)
    for hop in hops {
      fingerprint.add(hop.kind.rawValue)
      fingerprint.add(hop.source.hashes)
      fingerprint.add(hop.destination.hashes)
      fingerprint.add(hop.mapping)
      if hop.kind == .authored { fingerprint.add(defaultsOf: hop) }
    }
    return Hexadecimal.string(fingerprint.hash.finalize())
  }

  private mutating func add(count: Int) {
    withUnsafeBytes(of: UInt64(truncatingIfNeeded: count).littleEndian) { hash.update(Array($0)) }
  }

  private mutating func add(_ text: String?) {
    guard let text else { return add(count: -1) }
    add(count: text.utf8.count)
    hash.update(text.utf8)
  }

  private mutating func add(_ hashes: [String: VersionHash]) {
    add(count: hashes.count)
    for name in hashes.keys.sorted(by: ByteOrder.precedes) {
      add(name)
      hash.update(hashes[name]?.bytes ?? [])
    }
  }

  /// Adds the defaults that a mapping leaves to the model, which no version hash has.
  private mutating func add(defaultsOf hop: Hop) {
    var defaults: [(name: String, value: AttributeValue)] = []
    for entity in hop.mapping.entityMappings {
      guard let name = entity.destinationEntityName else { continue }
      let given = entity.attributeMappings.filter { $0.valueExpression != nil }.map(\.name)
      for attribute in hop.destination.model.attributes(of: name)
      where !given.contains(attribute.name) {
        guard let value = attribute.defaultValue else { continue }
        defaults.append(("\(entity.name).\(attribute.name)", value))
      }
    }
    guard !defaults.isEmpty else { return }
    add(count: defaults.count)
    for (name, value) in defaults {
      add(name)
      add(value)
    }
  }

  private mutating func add(_ userInfo: [String: String]) {
    add(count: userInfo.count)
    for key in userInfo.keys.sorted(by: ByteOrder.precedes) {
      add(key)
      add(userInfo[key])
    }
  }

  private mutating func add(_ mapping: MappingModel) {
    add(mapping.actionsBefore)
    add(mapping.actionsAfter)
    add(count: mapping.entityMappings.count)
    for entity in mapping.entityMappings {
      add(entity.name)
      add(count: entity.mappingType.rawValue)
      add(entity.sourceEntityName)
      add(entity.sourceEntityVersionHash?.description)
      add(entity.destinationEntityName)
      add(entity.destinationEntityVersionHash?.description)
      add(entity.sourcePredicate)
      add(count: entity.deduplicationKeys.count)
      for key in entity.deduplicationKeys { add(key) }
      add(entity.pieces)
      add(entity.entityMigrationPolicyClassName)
      add(entity.userInfo)
      for properties in [entity.attributeMappings, entity.relationshipMappings] {
        add(count: properties.count)
        for property in properties {
          add(property.name)
          add(property.userInfo)
          add(count: property.valueExpression == nil ? 0 : 1)
          if let expression = property.valueExpression { add(expression) }
        }
      }
    }
  }

  private mutating func add(_ pieces: EntityMapping.Pieces?) {
    add(count: pieces == nil ? 0 : 1)
    guard let pieces else { return }
    add(pieces.value)
    add(pieces.separator)
    add(count: pieces.trimsBlanks ? 1 : 0)
  }

  private mutating func add(_ expression: Expression) {
    switch expression {
    case .constant(let value):
      add("constant")
      add(value)
    case .evaluatedObject: add("self")
    case .variable(let name):
      add("variable")
      add(name)
    case .keyPath(let operand, let path):
      add("path")
      add(operand)
      add(count: path.count)
      for name in path { add(name) }
    case .function(let target, let selector, let arguments):
      add("function")
      add(target)
      add(selector)
      add(arguments)
    case .className(let name):
      add("class")
      add(name)
    case .call(let name, let arguments):
      add("call")
      add(name)
      add(arguments)
    case .aggregate(let members):
      add("aggregate")
      add(members)
    case .conditional(let predicate, let first, let second):
      add("conditional")
      add(predicate)
      add([first, second])
    case .subquery(let collection, let variable, let predicate):
      add("subquery")
      add(collection)
      add(variable)
      add(predicate)
    case .setOperation(let operation, let left, let right):
      add(operation.rawValue)
      add([left, right])
    case .fetch(let request, let context, let countOnly):
      add("fetch")
      add([request, context])
      add(count: countOnly ? 1 : 0)
    }
  }

  private mutating func add(_ expressions: [Expression]) {
    add(count: expressions.count)
    for expression in expressions { add(expression) }
  }

  private mutating func add(_ actions: [MigrationAction]) {
    add(count: actions.count)
    for action in actions {
      switch action {
      case .sql(let text):
        add("sql")
        add(text)
      case .handler(let name):
        add("handler")
        add(name)
      }
    }
  }

  private mutating func add(_ predicate: Predicate?) {
    switch predicate {
    case nil: add("none")
    case .comparison(let comparison):
      add("comparison")
      add([comparison.left, comparison.right])
      add(count: Int(comparison.relation.rawValue))
      add(count: Int(comparison.quantifier.rawValue))
      add(count: comparison.isCaseInsensitive ? 1 : 0)
      add(count: comparison.isDiacriticInsensitive ? 1 : 0)
    case .all(let parts):
      add("all")
      add(count: parts.count)
      for part in parts { add(part) }
    case .any(let parts):
      add("any")
      add(count: parts.count)
      for part in parts { add(part) }
    case .not(let part):
      add("not")
      add(part)
    }
  }

  private mutating func add(_ value: AttributeValue?) {
    switch value {
    case nil: add("nil")
    case .integer(let integer):
      add("integer")
      add("\(integer)")
    case .real(let real):
      add("real")
      add("\(real.bitPattern)")
    case .decimal(let digits):
      add("decimal")
      add(digits)
    case .string(let text):
      add("string")
      add(text)
    case .boolean(let flag):
      add("boolean")
      add(flag ? "YES" : "NO")
    case .date(let seconds):
      add("date")
      add("\(seconds.bitPattern)")
    case .binary(let bytes):
      add("binary")
      add(Hexadecimal.string(bytes))
    case .uuid(let bytes):
      add("uuid")
      add(Hexadecimal.string(bytes))
    case .uri(let text):
      add("uri")
      add(text)
    }
  }
}
