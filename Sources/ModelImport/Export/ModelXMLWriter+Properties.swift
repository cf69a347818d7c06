import ObjectModel
import XMLParsing

extension ModelXMLWriter {
  mutating func element(
    _ attribute: AttributeDescription,
    of entityName: String,
    echoing indexes: [FetchIndexDescription] = []
  ) throws(ModelImportError) -> XMLElement {
    let place = Finding.Place(entity: entityName, property: attribute.name)
    if attribute.derivationExpression?.description.isEmpty == true {
      throw Self.unsayable(
        "The derivation of \(entityName).\(attribute.name) has a form that is not known."
      )
    }
    if attribute.attributeType == .composite, attribute.compositeName == nil {
      leaveOut("The parts of the composite attribute are not known.", at: place)
    }
    let type = attribute.attributeType
    let reader = XMLAttributeValue(type: type)
    let minimum = text(attribute.validation.minimum, type, at: place, reader.bound)
    let maximum = text(attribute.validation.maximum, type, at: place, reader.bound)
    let value = text(attribute.defaultValue, type, at: place, reader.value)
    let isDate = type == .date
    return XMLElement(
      "attribute",
      [
        ("name", attribute.name), ("optional", flag(attribute.isOptional)),
        ("transient", flag(attribute.isTransient)),
        (
          "attributeType",
          type == .undefined ? nil : type == .objectID ? "ObjectID" : type.nameInXcode
        ),
        ("valueTransformerName", attribute.valueTransformerName),
        ("customClassName", attribute.attributeValueClassName),
        ("composite", attribute.compositeName),
        ("derived", flag(attribute.derivationExpression != nil)),
        ("derivationExpression", attribute.derivationExpression?.description),
        (isDate ? "minDateTimeInterval" : "minValueString", minimum),
        (isDate ? "maxDateTimeInterval" : "maxValueString", maximum),
        ("regularExpressionString", attribute.validation.regularExpression),
        (isDate ? "defaultDateTimeInterval" : "defaultValueString", value),
        ("usesScalarValueType", attribute.usesScalarValueType.map(word)),
        ("allowsExternalBinaryDataStorage", flag(attribute.allowsExternalBinaryDataStorage)),
        ("allowsCloudEncryption", flag(attribute.allowsCloudEncryption)),
        ("indexed", flag(attribute.isIndexed && !indexes.echo([attribute.name]))),
        ("preserveAfterDeletion", flag(attribute.preservesValueInHistoryOnDeletion)),
        ("spotlightIndexingEnabled", flag(attribute.isIndexedBySpotlight)),
        ("storedInTruthFile", flag(attribute.isStoredInExternalRecord)),
        ("elementID", attribute.renamingIdentifier),
        ("versionHashModifier", attribute.versionHashModifier),
      ],
      children: userInfo(attribute.userInfo)
    )
  }

  func element(
    _ relationship: RelationshipDescription,
    echoing indexes: [FetchIndexDescription]
  ) -> XMLElement {
    XMLElement(
      "relationship",
      [
        ("name", relationship.name), ("optional", flag(relationship.isOptional)),
        ("transient", flag(relationship.isTransient)),
        ("toMany", flag(relationship.isToMany)),
        ("minCount", relationship.minCount == 0 ? nil : "\(relationship.minCount)"),
        ("maxCount", relationship.maxCount == 0 ? nil : "\(relationship.maxCount)"),
        ("deletionRule", Self.word(relationship.deletionRule)),
        ("ordered", flag(relationship.isOrdered)),
        ("destinationEntity", relationship.destinationEntityName),
        ("inverseName", relationship.inverseName),
        ("inverseEntity", relationship.inverseEntityName),
        ("indexed", flag(relationship.isIndexed && !indexes.echo([relationship.name]))),
        ("spotlightIndexingEnabled", flag(relationship.isIndexedBySpotlight)),
        ("storedInTruthFile", flag(relationship.isStoredInExternalRecord)),
        ("elementID", relationship.renamingIdentifier),
        ("versionHashModifier", relationship.versionHashModifier),
      ],
      children: userInfo(relationship.userInfo)
    )
  }

  /// Returns the text of a default or bound, or nil with a finding where no text is read as that value.
  private mutating func text(
    _ value: AttributeValue?,
    _ type: AttributeType,
    at place: Finding.Place,
    _ read: (String) -> AttributeValue?
  ) -> String? {
    guard let value else { return nil }
    if type == .date, case .date(let seconds) = value, seconds.isFinite {
      return Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
    if let text = Self.text(value), read(text) == value { return text }
    leaveOut("A default or bound that the model format cannot spell is left out.", at: place)
    return nil
  }

  private static func text(_ value: AttributeValue) -> String? {
    switch value {
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .decimal(let text), .string(let text), .uri(let text): text
    case .boolean(let flag): flag ? "YES" : "NO"
    case .uuid(let bytes): text(uuid: bytes)
    case .date, .binary: nil
    }
  }

  private static func text(uuid bytes: [UInt8]) -> String? {
    guard bytes.count == 16 else { return nil }
    let digits = Hexadecimal.string(bytes).uppercased()
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }

  private static func word(_ rule: RelationshipDescription.DeletionRule) -> String {
    switch rule {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}

extension [FetchIndexDescription] {
  /// Returns whether one of them is of just these properties.
  ///
  /// Xcode's compiler repeats such an index in the form of before iOS 11; that is no index of its own.
  func echo(_ names: [String]) -> Bool { contains { $0.elements.map(\.propertyName) == names } }
}
