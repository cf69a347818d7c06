import MigrationPlanning
import ObjectModel
import StoreAccess

extension ObjectHopCompiler {
  /// Returns the SQL of an attribute's value over the source row `s`; nil where it is for code.
  func value(
    of attribute: AttributeDescription,
    _ entity: ResolvedEntityMapping,
    _ ends: Ends
  ) throws(MigrationError) -> String? {
    let origin = entity.attributes[attribute.name] ?? .nothing
    if case .computed(let expression, _) = origin {
      return try computed(expression, attribute, entity.mapping, ends)
    }
    if !entity.derived.contains(attribute.name) {
      try check(origin, attribute, entity.mapping, ends)
    }
    return ColumnValue(origin, of: attribute, from: ends.source, in: source)?.sql
  }

  /// Refuses a value that is of another type than its attribute, or of a property that is not there.
  private func check(
    _ origin: ValueOrigin,
    _ attribute: AttributeDescription,
    _ entity: EntityMapping,
    _ ends: Ends
  ) throws(MigrationError) {
    let name = attribute.name
    let given = entity.attributeMappings.first { $0.name == name }?.valueExpression
    if case .constant(let value?)? = given, !Self.fits(value, attribute.attributeType) {
      throw refusal(
        entity,
        "gives \(name) a constant of another type than \(attribute.attributeType)",
        Self.correct
      )
    }
    if let given = given?.ofSource.carriedSourcePropertyName,
      source.model.property(given, of: ends.source) == nil
    {
      throw refusal(entity, "reads \(given), which \(ends.source) does not have", Self.correct)
    }
    guard let carried = origin.unchanged.carriedProperty,
      let old = source.model.property(carried, of: ends.source)?.property.attribute
    else { return }
    guard attribute.attributeType.takesValues(of: old.attributeType) else {
      throw refusal(
        entity,
        "carries \(carried) into \(name), whose type is another",
        "Convert it by an expression."
      )
    }
  }

  /// Returns the SQL of an expression's value, as the column of an attribute keeps it.
  private func computed(
    _ expression: Expression,
    _ attribute: AttributeDescription,
    _ entity: EntityMapping,
    _ ends: Ends
  ) throws(MigrationError) -> String? {
    guard let compiled = expressions(ends).compile(expression) else { return nil }
    let isPlain = compiled.sql == compiled.exactSQL
    switch (compiled.type, attribute.attributeType) {
    case (nil, _): return "NULL"
    case (let from?, let type) where from.isNumeric && type.isStoredAsNumber && !isPlain:
      return "\(StoredNumber.function)(\(type.rawValue), \(compiled.exactSQL))"
    case (.string?, .string), (.string?, .uri), (.uri?, .uri), (.date?, .date), (.uuid?, .uuid),
      (.double?, .double), (.decimal?, .decimal):
      return compiled.sql
    case (.boolean?, let type) where type.isStoredAsNumber: return compiled.sql
    case (.binary?, .binary), (.binary?, .transformable):
      return attribute.allowsExternalBinaryDataStorage
        ? "\(ExternalData.tagFunction)(\(compiled.sql))" : compiled.sql
    case (let from?, let type) where from.isNumeric && type.isStoredAsNumber:
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

  /// Returns whether Core Data would take a constant for a value of a type.
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
