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
    let entities = entities.map { entity in
      var entity = entity
      for index in entity.attributes.indices {
        var attribute = entity.attributes[index]
        guard !attribute.isTransient, attribute.derivationExpression == nil else { continue }
        if attribute.attributeType.isNumeric {
          let types: [AttributeType] = [.integer16, .integer32, .integer64, .double, .boolean]
          attribute.attributeType = types.randomElement(using: &random) ?? .double
        }
        if Int.random(in: 0..<3, using: &random) == 0, attribute.attributeType != .binary {
          attribute.isOptional = false
          attribute.defaultValue = Self.value(of: attribute.attributeType)
          if isStrict, Bool.random(using: &random) { attribute.defaultValue = nil }
        }
        entity.attributes[index] = attribute
      }
      let names = entity.attributes.filter { !$0.isTransient }.map(\.name)
      if isStrict, Int.random(in: 0..<3, using: &random) == 0,
        let name = names.randomElement(using: &random)
      {
        entity.uniquenessConstraints = [[name]]
      }
      return entity
    }
    return try? ManagedObjectModel(entities: entities)
  }

  private static func value(of type: AttributeType) -> AttributeValue {
    switch type {
    case .string: .string("d")
    case .boolean: .boolean(true)
    default: .integer(7)
    }
  }
}
