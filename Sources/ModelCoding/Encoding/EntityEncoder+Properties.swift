import ObjectModel
import PropertyLists

/// The bits of an archived property's `_P`, measured on 26,000 properties of public apps' models.
private struct PropertyFlags: OptionSet {
  let rawValue: Int64

  static let always = PropertyFlags(rawValue: 1)
  static let optional = PropertyFlags(rawValue: 2)
  static let readOnly = PropertyFlags(rawValue: 4)
  static let transient = PropertyFlags(rawValue: 8)
  static let withoutValidation = PropertyFlags(rawValue: 16 | 32)
  static let withoutUserInfo = PropertyFlags(rawValue: 64)
  static let withoutHashModifier = PropertyFlags(rawValue: 128)
  static let indexedBySpotlight = PropertyFlags(rawValue: 256)
  static let ordered = PropertyFlags(rawValue: 1024)
}

/// The fields that an archive has for a property of any kind.
private struct CommonFields {
  var name: String
  var canonicalName: String
  var entityName: String
  var isOptional = false
  var isTransient = false
  var isReadOnly = false
  var isIndexed = false
  var isIndexedBySpotlight = false
  var versionHashModifier: String?
  var userInfo: [String: String] = [:]
}

extension EntityEncoder {
  private mutating func fields(
    _ common: CommonFields,
    extra: PropertyFlags = []
  ) -> [String: PropertyList] {
    var flags: PropertyFlags = [
      .always, .withoutValidation, .withoutUserInfo, .withoutHashModifier,
    ]
    var fields: [String: PropertyList] = [
      "NSPropertyName": writer.string(common.name).value,
      "NSRenamingIdentifier": writer.string(common.canonicalName).value,
      "NSEntity": reference(to: common.entityName),
    ]
    let marks: [(isSet: Bool, key: String, flag: PropertyFlags)] = [
      (common.isOptional, "NSIsOptional", .optional),
      (common.isTransient, "NSIsTransient", .transient),
      (common.isReadOnly, "NSIsReadOnly", .readOnly),
      (common.isIndexed, "NSIsIndexed", []),
      (common.isIndexedBySpotlight, "NSIndexedBySpotlight", .indexedBySpotlight),
    ]
    for mark in marks where mark.isSet {
      fields[mark.key] = .boolean(true)
      flags.insert(mark.flag)
    }
    if !common.userInfo.isEmpty {
      fields["NSUserInfo"] = add(common.userInfo).value
      flags.remove(.withoutUserInfo)
    }
    if let modifier = common.versionHashModifier {
      fields["NSVersionHashModifier"] = writer.string(modifier).value
      flags.remove(.withoutHashModifier)
    }
    fields["_P"] = .integer(flags.union(extra).rawValue)
    return fields
  }

  mutating func fill(
    _ reference: Reference,
    _ attribute: AttributeDescription,
    of entityName: String
  ) throws(ModelCodingError) {
    var common = CommonFields(
      name: attribute.name,
      canonicalName: attribute.canonicalName,
      entityName: entityName
    )
    common.isOptional = attribute.isOptional
    common.isTransient = attribute.isTransient
    common.isReadOnly = attribute.derivationExpression != nil
    common.isIndexed = attribute.isIndexed
    common.isIndexedBySpotlight = attribute.isIndexedBySpotlight
    common.versionHashModifier = attribute.versionHashModifier
    common.userInfo = attribute.userInfo
    var fields = fields(common)
    let type = attribute.attributeType
    let className = attribute.attributeValueClassName ?? type.valueClassName
    let storage: Int64 =
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0)
      + (attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
    fields["NSAttributeType"] = .integer(Int64(type.rawValue))
    fields["NSAttributeValueClassName"] = writer.string(className).value
    fields["NSValueTransformerName"] = writer.string(attribute.valueTransformerName).value
    fields["NSFlagsKey"] = .integer(storage)
    fields["NSDefaultValue"] = Reference.null.value
    if let value = attribute.defaultValue {
      let reference =
        switch type == .transformable ? EmptyCollection(value) : nil {
        case .array: writer.array([])
        case .dictionary: writer.dictionary([])
        case nil: try writer.add(value)
        }
      fields["NSDefaultValue"] = reference.value
    }
    try addValidation(of: attribute, to: &fields)
    var hierarchy = ["NSAttributeDescription", "NSPropertyDescription", "NSObject"]
    if let derivation = attribute.derivationExpression {
      hierarchy.insert("NSDerivedAttributeDescription", at: 0)
      fields["NSDerivationExpression"] = try writer.add(derivation).value
      fields["NSFilteringPredicate"] = Reference.null.value
    }
    if type == .composite {
      hierarchy.insert("NSCompositeAttributeDescription", at: 0)
      let elements = try addElements(of: attribute, entityName)
      fields["NSCompositeElements"] = writer.array(elements).value
      if attribute.isOfSwiftEnum { fields["NSUserInfo"] = add(enumNote: attribute.userInfo).value }
    }
    writer.fill(reference, hierarchy: hierarchy, fields)
  }

  /// Adds the elements of a composite attribute as attributes of the entity.
  ///
  /// Measured on model caches of SwiftData's stores.
  private mutating func addElements(
    of attribute: AttributeDescription,
    _ entityName: String
  ) throws(ModelCodingError) -> [Reference] {
    guard let elements = model.composite(of: attribute)?.attributes, !elements.isEmpty,
      !elements.contains(where: { $0.attributeType == .composite })
    else {
      throw .unsupported(
        "The archived form of the composite attribute \(entityName).\(attribute.name) is not known."
      )
    }
    var references: [Reference] = []
    for element in elements {
      let reference = writer.reserve()
      try fill(reference, element, of: entityName)
      references.append(reference)
    }
    return references
  }

  /// Adds the user info of a composite that represents an enum, as SwiftData has it.
  private mutating func add(enumNote userInfo: [String: String]) -> Reference {
    var entries: [(key: Reference, value: Reference)] = []
    for (key, text) in userInfo.sorted(by: { ByteOrder.precedes($0.key, $1.key) }) {
      let value: Reference
      switch key {
      case SwiftEnumNote.typeKey: value = writer.scalar(.boolean(true))
      case SwiftEnumNote.casesKey:
        let cases = text.split(separator: SwiftEnumNote.separator).map { writer.string(String($0)) }
        value = writer.array(cases)
      default: value = writer.string(text)
      }
      entries.append((writer.string(key), value))
    }
    return writer.dictionary(entries)
  }

  /// Adds the rules, each with the number of the error that breaking it gives.
  private mutating func addValidation(
    of attribute: AttributeDescription,
    to fields: inout [String: PropertyList]
  ) throws(ModelCodingError) {
    let rules = attribute.validation.predicates(for: attribute.attributeType)
    guard !rules.isEmpty else { return }
    var predicates: [Reference] = []
    for rule in rules { predicates.append(try writer.add(rule.predicate)) }
    let warnings = rules.map { writer.scalar(.integer($0.errorCode)) }
    fields["NSValidationPredicates"] = writer.array(predicates, isMutable: true).value
    fields["NSValidationWarnings"] = writer.array(warnings, isMutable: true).value
    if case .integer(let flags) = fields["_P"] {
      fields["_P"] = .integer(flags & ~PropertyFlags.withoutValidation.rawValue)
    }
  }

  mutating func fill(
    _ reference: Reference,
    _ relationship: RelationshipDescription,
    of entityName: String
  ) {
    var common = CommonFields(
      name: relationship.name,
      canonicalName: relationship.canonicalName,
      entityName: entityName
    )
    common.isOptional = relationship.isOptional
    common.isTransient = relationship.isTransient
    common.isIndexed = relationship.isIndexed
    common.isIndexedBySpotlight = relationship.isIndexedBySpotlight
    common.versionHashModifier = relationship.versionHashModifier
    common.userInfo = relationship.userInfo
    var fields = fields(common, extra: relationship.isOrdered ? .ordered : [])
    let destination = relationship.destinationEntityName
    let inverse = relationship.inverseName.flatMap {
      properties[PropertyKey(entityName: destination, propertyName: $0)]
    }
    fields["NSDestinationEntity"] = self.reference(to: destination)
    fields["_NSDestinationEntityName"] = writer.string(destination).value
    fields["NSInverseRelationship"] = (inverse ?? .null).value
    fields["_NSInverseRelationshipName"] = writer.string(relationship.inverseName).value
    fields["NSMinCount"] = .integer(Int64(relationship.minCount))
    fields["NSMaxCount"] = .integer(Int64(relationship.maxCount))
    fields["NSDeleteRule"] = .integer(Int64(relationship.deletionRule.rawValue))
    if relationship.isOrdered { fields["NSIsOrdered"] = .boolean(true) }
    writer.fill(
      reference,
      hierarchy: ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"],
      fields
    )
  }

  mutating func fill(
    _ reference: Reference,
    _ fetched: FetchedPropertyDescription,
    of entityName: String
  ) throws(ModelCodingError) {
    var common = CommonFields(
      name: fetched.name,
      canonicalName: fetched.renamingIdentifier ?? fetched.name,
      entityName: entityName
    )
    common.isOptional = fetched.isOptional
    common.isTransient = true
    common.isReadOnly = true
    common.userInfo = fetched.userInfo
    var fields = fields(common)
    fields["NSFetchRequest"] = try add(fetched.fetchRequest).value
    fields["_NSFetchRequestEntityName"] = writer.string(fetched.fetchRequest.entityName).value
    writer.fill(
      reference,
      hierarchy: ["NSFetchedPropertyDescription", "NSPropertyDescription", "NSObject"],
      fields
    )
  }

  /// Adds the model's named fetch requests; the reference to nothing where there are none.
  mutating func addTemplates() throws(ModelCodingError) -> Reference {
    guard !model.fetchRequestTemplates.isEmpty else { return .null }
    var entries: [(key: Reference, value: Reference)] = []
    for template in model.fetchRequestTemplates {
      entries.append((writer.string(template.name), try add(template)))
    }
    return writer.dictionary(entries, isMutable: true)
  }

  private mutating func add(
    _ request: FetchRequestTemplate
  ) throws(ModelCodingError) -> Reference {
    let predicate = try add(predicate: request.predicate, of: "fetch request \(request.name)")
    var fields: [String: PropertyList] = [
      "NSEntity": reference(to: request.entityName),
      "NSPredicate": predicate.value,
      "NSResultType": .integer(Int64(request.resultType.rawValue)),
      "NSFetchLimit": .integer(Int64(request.fetchLimit)),
      "NSBatchSize": .integer(Int64(request.fetchBatchSize)),
      "NSFetchOffset": .integer(0), "NSAllocationType": .integer(0),
      "NSHasFetchRequestFlags": .boolean(true),
      "NSFetchRequestFlags": .integer(FetchRequestFlags(request).rawValue),
    ]
    for key in [
      "NSSortDescriptors", "NSValuesToFetch", "NSValuesToGroupBy", "NSHavingPredicate",
      "NSRelationshipKeyPathsForPrefetching",
    ] {
      fields[key] = Reference.null.value
    }
    return writer.object(
      hierarchy: ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"],
      fields
    )
  }
}
