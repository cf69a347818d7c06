public import ObjectModel

extension ManagedObjectModel {
  /// The model with other types of numbers, and more or less that is required or unique, at random.
  ///
  /// - Parameter isStrict: Whether something may be required without a default, and unique.
  /// - Returns: Nil where chance makes no model of it.
  public func demanding(
    _ random: inout SeededGenerator,
    isStrict: Bool = false
  ) -> ManagedObjectModel? {
    let composites = composites.map { composite in
      let members = composite.attributes.map { Self.demanding($0, &random, isStrict) }
      return CompositeDescription(name: composite.name, attributes: members)
    }
    let entities = entities.map { entity in
      var entity = entity
      entity.attributes = entity.attributes.map { attribute in
        attribute.attributeType == .composite
          ? attribute : Self.demanding(attribute, &random, isStrict)
      }
      let names = ownAttributes(of: entity.name).filter { !$0.isTransient }.map(\.name)
      if isStrict, Int.random(in: 0..<3, using: &random) == 0,
        let name = names.randomElement(using: &random)
      {
        entity.uniquenessConstraints = [[name]]
      }
      return entity
    }
    return try? ManagedObjectModel(entities: entities, composites: composites)
  }

  private static func demanding(
    _ attribute: AttributeDescription,
    _ random: inout SeededGenerator,
    _ isStrict: Bool
  ) -> AttributeDescription {
    var attribute = attribute
    guard !attribute.isTransient, attribute.derivationExpression == nil else { return attribute }
    if attribute.attributeType.isNumeric {
      let types: [AttributeType] = [.integer16, .integer32, .integer64, .double, .boolean]
      attribute.attributeType = types.randomElement(using: &random) ?? .double
    }
    if Int.random(in: 0..<3, using: &random) == 0, attribute.attributeType != .binary {
      attribute.isOptional = false
      attribute.defaultValue = value(of: attribute.attributeType)
      if isStrict, Bool.random(using: &random) { attribute.defaultValue = nil }
    }
    return attribute
  }

  private static func value(of type: AttributeType) -> AttributeValue {
    switch type {
    case .string: .string("d")
    case .boolean: .boolean(true)
    default: .integer(7)
    }
  }
}
