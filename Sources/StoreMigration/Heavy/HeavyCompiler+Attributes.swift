import ObjectModel
import StoreAccess

extension HeavyCompiler {
  /// The SQL of an attribute's value over the source row `s`; nil where it is for code.
  func value(
    of attribute: AttributeDescription,
    _ entity: EntityMapping,
    _ ends: Ends
  ) throws(MigrationError) -> String? {
    let property = entity.attributeMappings.first { $0.name == attribute.name }
    if attribute.derivationExpression != nil {
      return derived(attribute, property?.valueExpression, ends)
    }
    guard let expression = property?.valueExpression else {
      // An object is made with the defaults of its entity.
      return literal(attribute.defaultValue, attribute)
    }
    switch expression {
    case .constant(let value):
      guard value.map({ Self.fits($0, attribute.attributeType) }) ?? true else {
        throw refusal(
          entity,
          "gives \(attribute.name) a constant of another type than \(attribute.attributeType)",
          Self.correct
        )
      }
      return literal(value, attribute)
    case .keyPath(.variable("source"), let path) where path.count == 1:
      guard let declared = source.model.property(path[0], of: ends.source) else {
        throw refusal(
          entity,
          "reads \(path[0]), which \(ends.source) does not have",
          Self.correct
        )
      }
      guard let old = declared.property.attribute,
        let column = source.column(of: path[0], in: ends.source)
      else { return try computed(expression, attribute, entity, ends) }
      guard
        old.attributeType == attribute.attributeType
          || old.attributeType.isNumeric && attribute.attributeType.isNumeric
      else {
        throw refusal(
          entity,
          "carries \(path[0]) into \(attribute.name), whose type is another",
          "Convert it by an expression."
        )
      }
      return ValueConversion(from: old, to: attribute).sql("s.\(SQL.identifier(column.name))")
    default: return try computed(expression, attribute, entity, ends)
    }
  }

  /// The SQL of an expression's value, as the column of an attribute keeps it.
  private func computed(
    _ expression: Expression,
    _ attribute: AttributeDescription,
    _ entity: EntityMapping,
    _ ends: Ends
  ) throws(MigrationError) -> String? {
    guard let compiled = expressions(ends).compile(expression) else { return nil }
    switch (compiled.type, attribute.attributeType) {
    case (nil, _): return "NULL"
    case (.string?, .string), (.string?, .uri), (.uri?, .uri), (.date?, .date), (.uuid?, .uuid),
      (.double?, .double), (.decimal?, .double), (.decimal?, .decimal):
      return compiled.sql
    case (.boolean?, let type) where type.isNumeric: return compiled.sql
    case (.binary?, .binary), (.binary?, .transformable):
      return attribute.allowsExternalBinaryDataStorage
        ? "\(ExternalData.tagFunction)(\(compiled.sql))" : compiled.sql
    case (let from?, let type) where from.isNumeric && type.isNumeric:
      return "\(StoredNumber.function)(\(type.rawValue), \(compiled.sql))"
    case (.binary?, .uuid): return nil
    case (let from?, let type):
      throw refusal(
        entity,
        "gives \(attribute.name), which is \(type), a value that is \(from)",
        "Convert it by an expression, such as CAST."
      )
    }
  }

  private func literal(_ value: AttributeValue?, _ attribute: AttributeDescription) -> String {
    guard let value else { return "NULL" }
    let isBinary =
      attribute.attributeType == .binary || attribute.attributeType == .transformable
    return ValueConversion.literal(
      value,
      isExternal: isBinary && attribute.allowsExternalBinaryDataStorage
    )
  }

  /// A derived attribute keeps what it holds until it is computed anew; some forms never are.
  private func derived(
    _ attribute: AttributeDescription,
    _ expression: Expression?,
    _ ends: Ends
  ) -> String {
    let name = expression?.carriedSourcePropertyName ?? attribute.name
    guard let old = source.model.property(name, of: ends.source)?.property.attribute,
      old.derivationExpression != nil, old.attributeType == attribute.attributeType,
      let column = source.column(of: name, in: ends.source)?.name
    else { return "NULL" }
    return "s.\(SQL.identifier(column))"
  }

  /// Whether Core Data would take a constant for a value of a type.
  private static func fits(_ value: AttributeValue, _ type: AttributeType) -> Bool {
    switch value {
    case .integer, .boolean, .real, .decimal: type.isNumeric
    case .string: type == .string
    case .uri: type == .uri
    case .date: type == .date
    case .binary: type == .binary || type == .transformable
    case .uuid: type == .uuid
    }
  }
}
