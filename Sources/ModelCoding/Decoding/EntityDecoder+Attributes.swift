import ObjectModel
import PropertyLists

extension EntityDecoder {
  mutating func attribute(
    _ object: ArchivedObject,
    named name: String,
    place: Finding.Place
  ) throws(PropertyListError) -> AttributeDescription {
    guard let number = try object.integer("NSAttributeType"),
      let type = Int32(exactly: number).flatMap({ AttributeType(rawValue: $0) })
    else { throw object.unexpected("NSAttributeType", "a type of attribute that is known") }
    var attribute = AttributeDescription(name: name, attributeType: type)
    attribute.isOptional = try object.flag("NSIsOptional")
    attribute.isTransient = try object.flag("NSIsTransient")
    attribute.isIndexed = try object.flag("NSIsIndexed")
    attribute.isIndexedBySpotlight = try object.flag("NSIndexedBySpotlight")
    attribute.versionHashModifier = try object.string("NSVersionHashModifier")
    attribute.renamingIdentifier = try object.renamingIdentifier(unless: name)
    attribute.valueTransformerName = try object.string("NSValueTransformerName")
    attribute.userInfo = try userInfo(of: object, place: place)
    if let value = object["NSDefaultValue"] {
      attribute.defaultValue = AttributeValue(value, type: type)
      // Another transformer keeps a collection in bytes of its own.
      if let transformer = attribute.valueTransformerName,
        !["NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"].contains(
          where: transformer.hasPrefix
        ),
        attribute.defaultValue.flatMap(EmptyCollection.init) != nil
      {
        attribute.defaultValue = nil
      }
      if attribute.defaultValue == nil {
        note("The default value is \(value.kind), which a model cannot say.", at: place)
      }
    }
    let className = try object.string("NSAttributeValueClassName")
    attribute.attributeValueClassName = className == type.valueClassName ? nil : className
    let flags = try object.integer("NSFlagsKey") ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    if flags & ~20 != 0 {
      note("The attribute has the flags \(flags), of which only 4 and 16 are known.", at: place)
    }
    if type == .composite {
      attribute.compositeName = try composite(of: object, named: name, place: place)
    }
    try readDerivation(of: object, into: &attribute, place: place)
    try readValidation(of: object, into: &attribute, place: place)
    return attribute
  }

  /// Reads the elements of a composite, which archives keep with each attribute that holds it.
  ///
  /// - Returns: The name given to the composite: the same for equal elements under one attribute's
  ///   name, so that what is inherited or written again is the same composite.
  private mutating func composite(
    of object: ArchivedObject,
    named name: String,
    place: Finding.Place
  ) throws(PropertyListError) -> String? {
    var elements: [AttributeDescription] = []
    let archivedElements = try object.elements("NSCompositeElements") ?? []
    count(elements: archivedElements.count)
    guard !isExhausted else { return nil }
    for archived in archivedElements {
      guard let element = archived.object, element.isKind(of: "NSAttributeDescription"),
        !element.isKind(of: "NSCompositeAttributeDescription"),
        let elementName = try element.string("NSPropertyName")
      else {
        note("The composite holds something other than a plain attribute.", at: place)
        return nil
      }
      elements.append(try attribute(element, named: elementName, place: place))
    }
    guard !elements.isEmpty else {
      note("The composite has no elements.", at: place)
      return nil
    }
    return add(composite: elements, named: name)
  }

  private mutating func readDerivation(
    of object: ArchivedObject,
    into attribute: inout AttributeDescription,
    place: Finding.Place
  ) throws(PropertyListError) {
    guard object.isKind(of: "NSDerivedAttributeDescription") else { return }
    if let archived = try object.object("NSDerivationExpression") {
      attribute.derivationExpression = derivation(archived)
    }
    if attribute.derivationExpression == nil {
      // Kept as derived, so that its version hash is marked as unproven.
      attribute.derivationExpression = .other("")
      note("The derivation has a form that is not known and is left out.", at: place)
    }
    if object["NSFilteringPredicate"] != nil {
      note("The derivation's filtering predicate is left out.", at: place)
    }
  }

  private mutating func readValidation(
    of object: ArchivedObject,
    into attribute: inout AttributeDescription,
    place: Finding.Place
  ) throws(PropertyListError) {
    let archived = try object.elements("NSValidationPredicates") ?? []
    let warnings = try object.elements("NSValidationWarnings") ?? []
    for element in archived {
      guard let predicate = validation(element), attribute.add(predicate) else {
        note("A validation rule has a form that is not known and is left out.", at: place)
        continue
      }
    }
    if warnings.contains(where: { $0.integer == nil }) {
      note("The messages of the validation rules are left out.", at: place)
    }
  }
}

extension AttributeDescription {
  /// Adds a predicate's conditions to the validation; returns false where the model cannot express them.
  ///
  /// Compiled models write a least and greatest value as `SELF >= x` and `SELF <= x`, of text as a
  /// `length`, and a pattern as `SELF MATCHES x`.
  fileprivate mutating func add(_ predicate: Predicate) -> Bool {
    if case .all(let parts) = predicate {
      var copy = self
      for part in parts {
        guard case .comparison = part, copy.add(part) else { return false }
      }
      self = copy
      return !parts.isEmpty
    }
    guard case .comparison(let rule) = predicate, rule.quantifier == .direct, rule.options == 0,
      case .constant(let bound?) = rule.right
    else { return false }
    let isText = attributeType == .string
    if rule.relation == .matches {
      guard isText, rule.left == .evaluatedObject, case .string(let pattern) = bound,
        validation.regularExpression == nil
      else { return false }
      validation.regularExpression = pattern
      return true
    }
    guard rule.left == (isText ? .keyPath(.evaluatedObject, ["length"]) : .evaluatedObject),
      let value = isText ? bound.whole : bound.fitted(to: attributeType)
    else { return false }
    switch rule.relation {
    case .greaterThanOrEqual where validation.minimum == nil: validation.minimum = value
    case .lessThanOrEqual where validation.maximum == nil: validation.maximum = value
    default: return false
    }
    return true
  }
}

extension AttributeValue {
  /// The value itself, where it is a whole number.
  fileprivate var whole: AttributeValue? {
    if case .integer = self { self } else { nil }
  }

  /// Returns the value in the case in which a model keeps values of the type.
  fileprivate func fitted(to type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64:
      switch self {
      case .integer: self
      case .real(let number): Int64(exactly: number).map { .integer($0) }
      default: nil
      }
    case .double, .float:
      switch self {
      case .real: self
      case .integer(let number): .real(Double(number))
      default: nil
      }
    case .decimal:
      switch self {
      case .decimal: self
      case .integer(let number): .decimal(String(number))
      case .real(let number): .decimal(String(number))
      default: nil
      }
    case .date: if case .date = self { self } else { nil }
    case .boolean, .string, .uri, .uuid, .binary, .transformable, .undefined, .objectID,
      .composite:
      nil
    }
  }
}
