import ObjectModel

extension RandomModel {
  /// Changes what the model demands of rows, in some places, each of which leaves a consistent model.
  public mutating func changeRules(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let before = self
      let index = Int.random(in: entities.indices, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0...5: changeRule(ofAttributeIn: index, &random)
      case 6...8: changeRule(ofRelationshipIn: index, &random)
      case 9: changeUniqueness(in: index, &random)
      case 10: changeIndex(in: index, &random)
      default: entities[index].isAbstract.toggle()
      }
      if model == nil { self = before }
    }
  }

  private mutating func changeRule(ofAttributeIn index: Int, _ random: inout SeededGenerator) {
    let places = entities[index].attributes.indices.filter {
      let attribute = entities[index].attributes[$0]
      return attribute.attributeType != .composite && attribute.derivationExpression == nil
    }
    guard let place = places.randomElement(using: &random) else { return }
    var attribute = entities[index].attributes[place]
    switch Int.random(in: 0..<8, using: &random) {
    case 0...2:
      attribute.isOptional.toggle()
      if !attribute.isOptional, Bool.random(using: &random) {
        attribute.defaultValue = Self.value(attribute.attributeType, &random)
      }
    case 3:
      attribute.defaultValue =
        attribute.defaultValue == nil ? Self.value(attribute.attributeType, &random) : nil
    case 4, 5:
      attribute.attributeType = Self.types.randomElement(using: &random) ?? .string
      attribute.defaultValue = nil
      attribute.validation = AttributeValidation()
      attribute.allowsExternalBinaryDataStorage = false
    case 6: attribute.versionHashModifier = attribute.versionHashModifier == nil ? "m" : nil
    default: attribute.validation = Self.validation(attribute.attributeType, &random)
    }
    entities[index].attributes[place] = attribute
  }

  private mutating func changeRule(ofRelationshipIn index: Int, _ random: inout SeededGenerator) {
    guard let place = entities[index].relationships.indices.randomElement(using: &random) else {
      return
    }
    var relationship = entities[index].relationships[place]
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: relationship.isOptional.toggle()
    case 2 where relationship.isToMany: relationship.isOrdered.toggle()
    case 3 where relationship.isToMany:
      relationship.minCount = Int32.random(in: 0...2, using: &random)
      relationship.maxCount = Bool.random(using: &random) ? 0 : relationship.minCount + 2
    default:
      relationship.maxCount = relationship.isToMany ? 1 : 0
      relationship.minCount = 0
      relationship.isOrdered = false
    }
    entities[index].relationships[place] = relationship
  }

  private mutating func changeUniqueness(in index: Int, _ random: inout SeededGenerator) {
    guard entities[index].uniquenessConstraints.isEmpty else {
      entities[index].uniquenessConstraints = []
      return
    }
    let attribute = entities[index].attributes.filter { !$0.isTransient }
      .randomElement(using: &random)
    if let attribute { entities[index].uniquenessConstraints = [[attribute.name]] }
  }

  private mutating func changeIndex(in index: Int, _ random: inout SeededGenerator) {
    guard entities[index].indexes.isEmpty else {
      entities[index].indexes = []
      return
    }
    let attributes = entities[index].attributes.filter {
      !$0.isTransient && $0.attributeType != .composite
    }
    guard let attribute = attributes.randomElement(using: &random) else { return }
    var element = FetchIndexDescription.Element(propertyName: attribute.name)
    element.isAscending = Bool.random(using: &random)
    entities[index].indexes = [FetchIndexDescription(name: "by", elements: [element])]
  }

  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
    .binary, .uuid, .uri, .transformable,
  ]

  private static func value(
    _ type: AttributeType,
    _ random: inout SeededGenerator
  ) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64: .integer(Int64.random(in: -9...9, using: &random))
    case .decimal: .decimal(["0", "-1.5", "12"].randomElement(using: &random) ?? "0")
    case .double, .float: .real([0, 0.5, -3].randomElement(using: &random) ?? 0)
    case .string: .string(["", "a", "é€"].randomElement(using: &random) ?? "")
    case .boolean: .boolean(Bool.random(using: &random))
    case .date: .date([0, 1.5, -86_400].randomElement(using: &random) ?? 0)
    default: nil
    }
  }

  private static func validation(
    _ type: AttributeType,
    _ random: inout SeededGenerator
  ) -> AttributeValidation {
    var validation = AttributeValidation()
    switch type {
    case .integer16, .integer32, .integer64:
      validation.minimum = .integer(Int64.random(in: -40_000...5, using: &random))
      if Bool.random(using: &random) { validation.maximum = .integer(30_000) }
    case .double, .float: validation.minimum = .real(Double.random(in: -9...0, using: &random))
    case .string:
      validation.minimum = .integer(Int64.random(in: 0...2, using: &random))
      if Bool.random(using: &random) { validation.maximum = .integer(40) }
    default: break
    }
    return validation
  }
}
