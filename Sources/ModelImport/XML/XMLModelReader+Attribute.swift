import ObjectModel
import XMLParsing

extension XMLModelReader {
  /// Returns an attribute of an entity or a composite.
  mutating func attribute(
    _ element: XMLElement,
    of entityName: String
  ) throws(ModelImportError) -> AttributeDescription {
    let name = try required("name", of: element)
    let place = place(element, entity: entityName, property: name)
    var attribute = AttributeDescription(name: name, attributeType: try type(of: element))
    attribute.isOptional = try hashedFlag("optional", of: element)
    attribute.isTransient = try hashedFlag("transient", of: element)
    attribute.renamingIdentifier = optional("elementID", of: element)
    attribute.versionHashModifier = optional("versionHashModifier", of: element)
    attribute.allowsExternalBinaryDataStorage =
      try hashedFlag("allowsExternalBinaryDataStorage", of: element)
    attribute.preservesValueInHistoryOnDeletion =
      try hashedFlag("preserveAfterDeletion", of: element)
    attribute.allowsCloudEncryption =
      flag("allowsCloudEncryption", of: element, at: place) ?? false
    attribute.valueTransformerName = optional("valueTransformerName", of: element)
    attribute.attributeValueClassName = optional("customClassName", of: element)
    attribute.usesScalarValueType = flag("usesScalarValueType", of: element, at: place)
    attribute.isIndexed = flag("indexed", of: element, at: place) ?? false
    attribute.isIndexedBySpotlight =
      flag("spotlightIndexingEnabled", of: element, at: place) ?? false
    attribute.isStoredInExternalRecord =
      flag("storedInTruthFile", of: element, at: place) ?? false
    attribute.compositeName = optional("composite", of: element)
    attribute.userInfo = userInfo(of: element, at: place)
    if try hashedFlag("derived", of: element) {
      attribute.derivationExpression = DerivationExpression(
        parsing: try required("derivationExpression", of: element)
      )
    }
    let reader = XMLAttributeValue(type: attribute.attributeType)
    attribute.defaultValue =
      value("defaultValueString", "defaultDateTimeInterval", of: element, at: place) { text in
        reader.value(text).map { ($0, false) } ?? reader.compiled(text).map { ($0, true) }
      }
    attribute.validation.minimum =
      value("minValueString", "minDateTimeInterval", of: element, at: place) { text in
        reader.bound(text).map { ($0, false) }
      }
    attribute.validation.maximum =
      value("maxValueString", "maxDateTimeInterval", of: element, at: place) { text in
        reader.bound(text).map { ($0, false) }
      }
    attribute.validation.regularExpression = optional("regularExpressionString", of: element)
    return attribute
  }

  private func type(of element: XMLElement) throws(ModelImportError) -> AttributeType {
    guard let name = optional("attributeType", of: element) else { return .undefined }
    guard let type = AttributeType.namesInXcode[name] else {
      throw badValue("attributeType", of: element, "names no type: \(name.prefix(40))")
    }
    return type
  }

  /// Returns the value in one of two attributes: dates count by their interval, all else by text.
  private mutating func value(
    _ textName: String,
    _ intervalName: String,
    of element: XMLElement,
    at place: Finding.Place,
    read: (String) -> (AttributeValue, isGuess: Bool)?
  ) -> AttributeValue? {
    let isDate = element["attributeType"] == "Date"
    if isDate, let text = element[intervalName] {
      if let seconds = Double(text), seconds.isFinite { return .date(seconds) }
      unusable(intervalName, of: element, at: place, "it is no number of seconds")
      return nil
    }
    if !isDate, element[intervalName] != nil {
      unusable(intervalName, of: element, at: place, "the attribute is no date")
    }
    guard let text = element[textName] else { return nil }
    if let (value, isGuess) = read(text) {
      if isGuess { noteCompiled(text, as: value, of: element, at: place) }
      return value
    }
    unusable(
      textName,
      of: element,
      at: place,
      isDate
        ? "it is text for people and no interval stands beside it"
        : "it is no value of the attribute's type"
    )
    return nil
  }
}
