import ObjectModel

/// What happens to a value on its way between versions, as calls around the expression of the value.
///
/// The calls have names that no expression of a mapping has.
enum ValueSteps {
  /// A number became one of another type.
  static let convert = "waystone.convert:"
  /// What was absent became a value.
  static let fill = "waystone.fill:"
  /// One of several links was kept.
  private static let first = "waystone.first:"
  /// The order of links was forgotten.
  private static let unordered = "waystone.unordered:"
  /// The objects of an entity whose relationship leads to this object, which has no way back.
  private static let owners = "ownersOf:"
  /// Nobody can look into it.
  static let opaque = "waystone.opaque:"

  /// The objects of an entity whose relationship leads to the source object.
  static func owners(_ relationship: String, of entity: String) -> Expression {
    .call(owners, [.constant(.string(entity)), .constant(.string(relationship))])
  }

  /// The entity and relationship whose owners a value is, if it is that.
  static func owned(_ value: Expression) -> (entity: String, relationship: String)? {
    guard case .call(owners, let arguments) = value, arguments.count == 2,
      case .constant(.string(let entity)?) = arguments[0],
      case .constant(.string(let relationship)?) = arguments[1]
    else { return nil }
    return (entity, relationship)
  }

  /// Whether a value, or a part of it, is one that nobody can look into.
  static func isOpaque(_ expression: Expression?) -> Bool {
    expression?.contains { if case .call(opaque, _) = $0 { true } else { false } } ?? false
  }

  /// The value of a carried attribute.
  static func converted(
    _ value: Expression,
    from old: AttributeDescription,
    to new: AttributeDescription
  ) -> Expression {
    var result = value
    if old.attributeType != new.attributeType, old.attributeType.isNumeric {
      result = .call(
        convert,
        [result, type(old.attributeType), type(new.attributeType)]
      )
    }
    if old.isOptional, !new.isOptional, let value = new.defaultValue {
      result = .call(fill, [result, .constant(value)])
    }
    return simplified(result)
  }

  /// The links of a carried relationship.
  static func shaped(
    _ value: Expression,
    from old: RelationshipDescription?,
    to new: RelationshipDescription
  ) -> Expression {
    guard let old else { return value }
    if old.isToMany, !new.isToMany { return simplified(.call(first, [value])) }
    if old.isToMany, new.isToMany, old.isOrdered, !new.isOrdered {
      return simplified(.call(unordered, [value]))
    }
    return value
  }

  /// The expression without steps that change nothing.
  static func simplified(_ expression: Expression) -> Expression {
    guard case .call(let name, let arguments) = expression, let operand = arguments.first else {
      return expression
    }
    switch name {
    case convert: return simplifiedConversion(simplified(operand), arguments)
    case fill: return simplifiedFill(simplified(operand), arguments)
    case first, unordered:
      let inner = simplified(operand)
      if case .constant = inner { return inner }
      if case .call(name, _) = inner { return inner }
      if case .call(first, _) = inner { return inner }
      return .call(name, [inner])
    default: return expression
    }
  }

  /// Of two conversions the first goes where it loses nothing.
  private static func simplifiedConversion(
    _ operand: Expression,
    _ arguments: [Expression]
  ) -> Expression {
    guard arguments.count == 3, let last = type(arguments[2]) else { return operand }
    if case .constant(let value) = operand, isWhole(value), last != .boolean { return operand }
    guard case .call(convert, let inner) = operand, inner.count == 3,
      let origin = type(inner[1]), let between = type(inner[2]),
      NumericConversion(source: origin, destination: between).isExact
    else { return .call(convert, [operand, arguments[1], arguments[2]]) }
    if origin == last { return inner[0] }
    return .call(convert, [inner[0], inner[1], arguments[2]])
  }

  private static func simplifiedFill(
    _ operand: Expression,
    _ arguments: [Expression]
  ) -> Expression {
    switch operand {
    case .constant(nil): arguments.last ?? operand
    case .constant: operand
    case .call(fill, _): operand
    default: .call(fill, [operand] + arguments.dropFirst())
    }
  }

  private static func isWhole(_ value: AttributeValue?) -> Bool {
    switch value {
    case nil: true
    case .integer(let number)?: (-32_768...32_767).contains(number)
    default: false
    }
  }

  private static func type(_ type: AttributeType) -> Expression {
    .constant(.integer(Int64(type.rawValue)))
  }

  static func type(_ expression: Expression) -> AttributeType? {
    guard case .constant(.integer(let number)?) = expression else { return nil }
    return Int32(exactly: number).flatMap(AttributeType.init(rawValue:))
  }
}
