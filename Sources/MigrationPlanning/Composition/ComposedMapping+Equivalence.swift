import ObjectModel

extension ComposedMapping {
  /// Returns a value without the steps that change it in no valid store, so that two mappings of a
  /// property can be compared.
  ///
  /// No gap is filled in a required attribute; one link is the first of one; links without an order lose
  /// none; links to an object that only one object is linked to are not cut; a number is the same in
  /// each type that holds it; and a gap that is filled before a conversion is filled after it as well.
  ///
  /// Only comparisons use it: a run does each step, also to rows that violate their model.
  /// - Parameter property: The property of the destination that gets the value; nil where its type does
  ///   not matter.
  func settled(
    _ value: ValueOrigin,
    for property: PropertyDescription?,
    from entity: String
  ) -> ValueOrigin {
    let type = property?.attribute?.attributeType
    switch value {
    case .constant(let constant):
      return .constant(constant.map { $0.settled(as: type) })
    case .filled(let inner, let fill):
      let inner = settled(inner, for: property, from: entity)
      if isRequired(inner, of: entity) { return inner }
      if case .filled = inner { return inner }
      return .filling(inner, with: fill.settled(as: type))
    case .converted(let inner, from: let old, to: let new):
      return converted(settled(inner, for: nil, from: entity), old, new)
    case .first(let inner):
      let inner = settled(inner, for: property, from: entity)
      return link(inner, of: entity)?.isToMany == false ? inner : .choosing(inner)
    case .unordered(let inner):
      let inner = settled(inner, for: property, from: entity)
      return link(inner, of: entity)?.isOrdered == false ? inner : .disordering(inner)
    case .cut(let inner):
      let inner = settled(inner, for: property, from: entity)
      let isShared = link(inner, of: entity).map {
        RelationshipCardinality($0, in: source).isInverseToMany
      }
      return isShared == false ? inner : .cutting(inner)
    case .chosen(let inner, by: let name):
      let inner = settled(inner, for: property, from: entity)
      return inner.choosesLinks ? .chosen(inner, by: name) : inner
    case .without(let inner, let entities):
      // Links to objects that go are gone all the same.
      let living = origins.values.joined().map(\.sourceEntityName)
      return .narrowing(
        settled(inner, for: property, from: entity),
        by: Set(entities).intersection(living)
      )
    case .carried, .owners, .partly, .computed, .opaque: return value
    }
  }

  private func converted(
    _ value: ValueOrigin,
    _ old: AttributeType,
    _ new: AttributeType
  ) -> ValueOrigin {
    switch value {
    case .constant(let constant?):
      let number = constant.settled(as: new)
      return number.isHeld(by: new) ? .constant(number) : .converted(value, from: old, to: new)
    case .filled(let inner, let fill) where fill.settled(as: new).isHeld(by: new):
      return .filling(.converting(inner, from: old, to: new), with: fill.settled(as: new))
    default: return .converting(value, from: old, to: new)
    }
  }

  /// Returns whether a value is that of a required attribute of the source, as any number.
  private func isRequired(_ value: ValueOrigin, of entity: String) -> Bool {
    switch value {
    case .converted(let inner, _, _): return isRequired(inner, of: entity)
    case .carried(let path):
      guard path.count == 1,
        let attribute = source.property(path[0], of: entity)?.property.attribute
      else { return false }
      return !attribute.isOptional && attribute.isPersistent
        && attribute.derivationExpression == nil
    default: return false
    }
  }

  /// Returns the source relationship whose links a value carries unchanged.
  private func link(_ value: ValueOrigin, of entity: String) -> RelationshipDescription? {
    value.carriedProperty.flatMap { source.property($0, of: entity)?.property.relationship }
  }
}

extension AttributeValue {
  /// Returns a number in one form for all types that hold it; true and false where the type is Boolean.
  func settled(as type: AttributeType?) -> AttributeValue {
    guard type == nil || type?.isNumeric == true, let number else { return self }
    if type == .boolean, number == .integer(0) || number == .integer(1) {
      return .boolean(number == .integer(1))
    }
    return number
  }

  /// Returns whether a type of numbers holds it without a loss.
  fileprivate func isHeld(by type: AttributeType) -> Bool {
    switch (self, type) {
    case (.boolean, .boolean): true
    case (.integer(let value), .integer16): Int16(exactly: value) != nil
    case (.integer(let value), .integer32): Int32(exactly: value) != nil
    case (.integer, .integer64): true
    case (.integer(let value), .float): Float(exactly: value) != nil
    case (.integer(let value), .double), (.integer(let value), .decimal):
      Double(exactly: value) != nil
    default: false
    }
  }

  /// The number: an integer where it is one, else a decimal without zeros at its end, or a real.
  private var number: AttributeValue? {
    switch self {
    case .integer: return self
    case .boolean(let value): return .integer(value ? 1 : 0)
    case .real(let value): return Int64(exactly: value).map(AttributeValue.integer) ?? self
    case .decimal(let text):
      guard text.contains(".") else { return Int64(text).map(AttributeValue.integer) ?? self }
      var digits = text[...]
      while digits.last == "0" { digits.removeLast() }
      if digits.last == "." { digits.removeLast() }
      return Int64(digits).map(AttributeValue.integer) ?? .decimal(String(digits))
    case .string, .date, .binary, .uuid, .uri: return nil
    }
  }
}
