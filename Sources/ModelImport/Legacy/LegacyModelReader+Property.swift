import ObjectModel
import PropertyLists

extension LegacyModelReader {
  private static let propertyKeys: Set<String> = [
    "XD_PPSK_elementID", "XD_PPSK_isIndexed", "XD_PPSK_isOptional", "XD_PPSK_isSpotlightIndexed",
    "XD_PPSK_isStoredInTruthFile", "XD_PPSK_isTransient", "XD_PPSK_userInfo",
    "XD_PPSK_versionHashModifier",
  ]
  private static let attributeKeys: Set<String> = [
    "XD_PAttK_allowsExternalBinaryDataStorage", "XD_PAttK_attributeType",
    "XD_PAttK_defaultValueAsString", "XD_PAttK_maxValueString", "XD_PAttK_minValueString",
    "XD_PAttK_regularExpressionString", "XD_PAttK_valueTransformerName",
  ]
  private static let relationshipKeys: Set<String> = [
    "XD_PRK_deleteRule", "XD_PRK_destination", "XD_PRK_inverseRelationship", "XD_PRK_isToMany",
    "XD_PRK_maxCount", "XD_PRK_minCount", "XD_PRK_ordered",
  ]

  mutating func attribute(
    _ object: ArchivedObject,
    named name: String,
    at place: Finding.Place
  ) throws(ModelImportError) -> AttributeDescription {
    let common = try LegacyStereotype("XD_PPropStereotype", of: object, file: file)
    let own = try LegacyStereotype("XD_PAtt_Stereotype", of: object, file: file)
    leaveOutUnknown(in: common, beyond: Self.propertyKeys, at: place)
    leaveOutUnknown(in: own, beyond: Self.attributeKeys, at: place)
    guard let type = try own.count("XD_PAttK_attributeType").flatMap(AttributeType.init(rawValue:))
    else { throw own.damaged("XD_PAttK_attributeType", "a type of attribute that is known") }
    var attribute = AttributeDescription(name: name, attributeType: type)
    attribute.isOptional = try common.flag("XD_PPSK_isOptional")
    attribute.isTransient = try common.flag("XD_PPSK_isTransient")
    attribute.isIndexed = try common.flag("XD_PPSK_isIndexed")
    attribute.isIndexedBySpotlight = try common.flag("XD_PPSK_isSpotlightIndexed")
    attribute.isStoredInExternalRecord = try common.flag("XD_PPSK_isStoredInTruthFile")
    attribute.renamingIdentifier = try common.text("XD_PPSK_elementID")
    attribute.versionHashModifier = try common.text("XD_PPSK_versionHashModifier")
    attribute.userInfo = userInfo(common["XD_PPSK_userInfo"], at: place).texts
    attribute.allowsExternalBinaryDataStorage =
      try own.flag("XD_PAttK_allowsExternalBinaryDataStorage")
    attribute.valueTransformerName = try own.text("XD_PAttK_valueTransformerName")
    attribute.validation.regularExpression = try own.text("XD_PAttK_regularExpressionString")
    attribute.defaultValue = try value("XD_PAttK_defaultValueAsString", of: own, type, at: place)
    attribute.validation.minimum = try value("XD_PAttK_minValueString", of: own, type, at: place)
    attribute.validation.maximum = try value("XD_PAttK_maxValueString", of: own, type, at: place)
    return attribute
  }

  /// Returns a default value or a bound, which the editor keeps as the text that was typed.
  private mutating func value(
    _ key: String,
    of stereotype: LegacyStereotype,
    _ type: AttributeType,
    at place: Finding.Place
  ) throws(ModelImportError) -> AttributeValue? {
    guard let text = try stereotype.text(key) else { return nil }
    let reader = XMLAttributeValue(type: type)
    let isDefault = key == "XD_PAttK_defaultValueAsString"
    let value = isDefault ? reader.value(text) ?? reader.compiled(text) : reader.bound(text)
    if value == nil { leaveOut("The \(key), which is no value of the type,", at: place) }
    return value
  }

  mutating func relationship(
    _ object: ArchivedObject,
    named name: String,
    at place: Finding.Place
  ) throws(ModelImportError) -> RelationshipDescription {
    let common = try LegacyStereotype("XD_PPropStereotype", of: object, file: file)
    let own = try LegacyStereotype("XD_PR_Stereotype", of: object, file: file)
    leaveOutUnknown(in: common, beyond: Self.propertyKeys, at: place)
    leaveOutUnknown(in: own, beyond: Self.relationshipKeys, at: place)
    guard let destination = own["XD_PRK_destination"]?.object else {
      throw own.damaged("XD_PRK_destination", "an entity")
    }
    var relationship = RelationshipDescription(
      name: name,
      destinationEntityName: try self.name(of: destination)
    )
    if let value = own["XD_PRK_inverseRelationship"] {
      guard let inverse = value.object, let owner = inverse["_owner"]?.object else {
        throw own.damaged("XD_PRK_inverseRelationship", "a relationship of an entity")
      }
      relationship.inverseName = try self.name(of: inverse)
      relationship.inverseEntityName = try self.name(of: owner)
    }
    relationship.isOptional = try common.flag("XD_PPSK_isOptional")
    relationship.isTransient = try common.flag("XD_PPSK_isTransient")
    relationship.isIndexed = try common.flag("XD_PPSK_isIndexed")
    relationship.isIndexedBySpotlight = try common.flag("XD_PPSK_isSpotlightIndexed")
    relationship.isStoredInExternalRecord = try common.flag("XD_PPSK_isStoredInTruthFile")
    relationship.renamingIdentifier = try common.text("XD_PPSK_elementID")
    relationship.versionHashModifier = try common.text("XD_PPSK_versionHashModifier")
    relationship.userInfo = userInfo(common["XD_PPSK_userInfo"], at: place).texts
    let isToMany = try own.flag("XD_PRK_isToMany")
    relationship.minCount = try own.count("XD_PRK_minCount") ?? 0
    relationship.maxCount = try own.count("XD_PRK_maxCount") ?? (isToMany ? 0 : 1)
    relationship.isOrdered = try own.flag("XD_PRK_ordered")
    let rule = try own.count("XD_PRK_deleteRule") ?? 1
    guard let rule = RelationshipDescription.DeletionRule(rawValue: rule) else {
      throw own.damaged("XD_PRK_deleteRule", "a delete rule")
    }
    relationship.deletionRule = rule
    return relationship
  }
}
