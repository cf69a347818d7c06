import ObjectModel
import PropertyLists

/// Writes a model as Xcode's editor copies it into a mapping model: the keyed archive that
/// `sourcemodeldata` and `destinationmodeldata` hold.
///
/// The keys, classes and empty lists are those of mapping models in public apps. Only what the
/// sample models have is written: no fetch requests, and no defaults but of text and numbers.
struct EditorModelWriter {
  private typealias Reference = KeyedArchiveWriter.Reference

  private var writer = KeyedArchiveWriter()
  private let model: ManagedObjectModel
  private var entities: [String: Reference] = [:]
  private var properties: [String: Reference] = [:]
  private var yes = Reference.null
  private var ordered = Reference.null
  private var identifier: UInt32 = 1_000_000_007

  private init(_ model: ManagedObjectModel) {
    self.model = model
    yes = writer.string("YES")
    ordered = writer.string("ordered")
  }

  /// The archive of a model.
  static func archive(_ model: ManagedObjectModel) -> [UInt8] {
    var writer = EditorModelWriter(model)
    return writer.archive()
  }

  private mutating func archive() -> [UInt8] {
    let root = writer.reserve()
    let package = writer.reserve()
    for entity in model.entities {
      entities[entity.name] = writer.reserve()
      for name in names(of: entity) { properties["\(entity.name).\(name)"] = writer.reserve() }
    }
    for entity in model.entities { write(entity, package: package) }
    let members = model.entities.map {
      (key: writer.string($0.name), value: entities[$0.name] ?? .null)
    }
    var fields = named("", owner: .null)
    for bucket in ["Interfaces", "DataTypes", "Packages"] {
      fields["XDBucketFor\(bucket)storage"] = writer.dictionary([], isMutable: true).value
      fields["XDBucketFor\(bucket)wasEncoded"] = yes.value
    }
    fields["XDBucketForClassesstorage"] = writer.dictionary(members, isMutable: true).value
    fields["XDBucketForClasseswasEncoded"] = yes.value
    fields["_xd_owningModel"] = root.value
    writer.fill(
      package,
      hierarchy: ["XDModelPackage", "XDUMLPackageImp", "XDUMLNamespaceImp"] + Self.element,
      fields
    )
    let version = model.versionIdentifiers.first
    writer.fill(
      root,
      hierarchy: ["XDPMModel", "XDModel", "NSObject"],
      [
        "_xd_rootPackage": package.value,
        "_xd_comments": writer.array([], isMutable: true).value,
        "_xd_modelManager": Reference.null.value,
        "_xd_modelName": Reference.null.value,
        "_configurationsByName": writer.dictionary([], isMutable: true).value,
        "_modelVersionIdentifier": writer.string(version).value,
      ]
    )
    return writer.archive(root: root)
  }

  private static let element = ["XDUMLNamedElementImp", "XDUMLElementImp", "NSObject"]
  private static let classifier =
    ["XDUMLClassImp", "XDUMLClassifierImp", "XDUMLNamespaceImp"] + element
  private static let property = ["XDUMLPropertyImp"] + element

  private func names(of entity: EntityDescription) -> [String] {
    entity.attributes.map(\.name) + entity.relationships.map(\.name)
  }

  private mutating func named(_ name: String, owner: Reference) -> [String: PropertyList] {
    [
      "_name": writer.string(name).value, "_owner": owner.value, "_visibility": .integer(0),
      "_uniqueElementID": Reference.null.value,
    ]
  }

  /// A number that the editor makes up for each element; here they only have to differ.
  private mutating func nextIdentifier() -> PropertyList {
    identifier = identifier &* 1_664_525 &+ 1_013_904_223
    return writer.string(String(identifier)).value
  }

  // MARK: Entities

  private mutating func write(_ entity: EntityDescription, package: Reference) {
    guard let reference = entities[entity.name] else { return }
    for attribute in entity.attributes { write(attribute, of: entity.name, reference) }
    for relationship in entity.relationships { write(relationship, of: entity.name, reference) }
    let record = writer.object(
      hierarchy: Self.classifier,
      named("XDGenericRecordClass", owner: .null).merging(["_isAbstract": .boolean(false)]) { $1 }
    )
    let constraints = entity.uniquenessConstraints.map { list in
      writer.array(list.map { writer.string($0) }, isMutable: true)
    }
    let isAbstract = writer.scalar(.boolean(entity.isAbstract))
    let stereotype = stereotype(
      "XD_PStereotype",
      of: reference,
      [
        ("XDPMCompoundIndexes", writer.array([], isMutable: true)),
        ("XD_PSK_elementID", writer.string(entity.renamingIdentifier)),
        ("XDPMUniquenessConstraints", writer.array(constraints, isMutable: true)),
        ("XD_PSK_versionHashModifier", writer.string(entity.versionHashModifier)),
        ("XD_PSK_fetchRequestsArray", writer.array([], isMutable: true)),
        ("XD_PSK_isAbstract", isAbstract),
        ("XD_PSK_userInfo", writer.dictionary([], isMutable: true)),
        ("XD_PSK_classMapping", record),
        ("XD_PSK_entityClassName", writer.string(entity.managedObjectClassName)),
      ]
    )
    let members = names(of: entity).map {
      (key: writer.string($0), value: properties["\(entity.name).\($0)"] ?? .null)
    }
    var fields = named(entity.name, owner: package)
    fields["_uniqueElementID"] = nextIdentifier()
    fields["_isAbstract"] = .boolean(entity.isAbstract)
    fields["XDBucketForStereotypesstorage"] = stereotypes([("XD_PStereotype", stereotype)])
    fields["XDBucketForOwnedAttributesstorage"] = writer.dictionary(members, isMutable: true).value
    fields["XDBucketForGeneralizationsstorage"] = generalizations(entity, reference)
    fields["XDBucketForGeneralizationsduplicates"] = writer.string("duplicates").value
    for bucket in ["Stereotypes", "OwnedAttributes", "Generalizations"] {
      fields["XDBucketFor\(bucket)ordered"] = ordered.value
      fields["XDBucketFor\(bucket)wasEncoded"] = yes.value
    }
    writer.fill(reference, hierarchy: ["XDPMEntity"] + Self.classifier, fields)
  }

  private mutating func generalizations(
    _ entity: EntityDescription,
    _ reference: Reference
  ) -> PropertyList {
    var links: [Reference] = []
    if let parent = entity.superentityName.flatMap({ entities[$0] }) {
      let fields: [String: PropertyList] = [
        "_general": parent.value, "_specific": reference.value, "_owner": reference.value,
        "_name": Reference.null.value, "_visibility": .integer(0),
        "_uniqueElementID": nextIdentifier(),
      ]
      links.append(writer.object(hierarchy: ["XDUMLGeneralizationImp"] + Self.element, fields))
    }
    return writer.array(links, isMutable: true).value
  }

  // MARK: Properties

  private mutating func write(
    _ attribute: AttributeDescription,
    of entity: String,
    _ owner: Reference
  ) {
    guard let reference = properties["\(entity).\(attribute.name)"] else { return }
    let isExternal = writer.scalar(.boolean(attribute.allowsExternalBinaryDataStorage))
    let own = stereotype(
      "XD_PAtt_Stereotype",
      of: reference,
      [
        ("XD_PAttK_defaultValueAsString", writer.string(text(attribute.defaultValue))),
        ("XD_PAttK_allowsExternalBinaryDataStorage", isExternal),
        ("XD_PAttK_minValueString", writer.string(text(attribute.validation.minimum))),
        (
          "XD_PAttK_attributeType", writer.scalar(.integer(Int64(attribute.attributeType.rawValue)))
        ),
        ("XD_PAttK_maxValueString", writer.string(text(attribute.validation.maximum))),
        ("XD_PAttK_valueTransformerName", writer.string(attribute.valueTransformerName)),
        (
          "XD_PAttK_regularExpressionString",
          writer.string(attribute.validation.regularExpression)
        ),
      ]
    )
    let common = common(
      of: reference,
      isOptional: attribute.isOptional,
      isTransient: attribute.isTransient,
      renamingIdentifier: attribute.renamingIdentifier,
      versionHashModifier: attribute.versionHashModifier
    )
    fill(reference, "XDPMAttribute", attribute.name, owner, common, ("XD_PAtt_Stereotype", own))
  }

  private mutating func write(
    _ relationship: RelationshipDescription,
    of entity: String,
    _ owner: Reference
  ) {
    guard let reference = properties["\(entity).\(relationship.name)"] else { return }
    let inverse = model.inverse(of: relationship).flatMap {
      properties["\($0.entityName).\($0.property.name)"]
    }
    let counts = [relationship.minCount, relationship.maxCount, relationship.deletionRule.rawValue]
      .map { writer.scalar(.integer(Int64($0))) }
    let flags = [relationship.isToMany, relationship.isOrdered].map {
      writer.scalar(.boolean($0))
    }
    let own = stereotype(
      "XD_PR_Stereotype",
      of: reference,
      [
        ("XD_PRK_minCount", counts[0]), ("XD_PRK_deleteRule", counts[2]),
        ("XD_PRK_maxCount", counts[1]),
        ("XD_PRK_destination", entities[relationship.destinationEntityName] ?? .null),
        ("XD_PRK_isToMany", flags[0]), ("XD_PRK_ordered", flags[1]),
        ("XD_PRK_inverseRelationship", inverse ?? .null),
      ]
    )
    let common = common(
      of: reference,
      isOptional: relationship.isOptional,
      isTransient: relationship.isTransient,
      renamingIdentifier: relationship.renamingIdentifier,
      versionHashModifier: relationship.versionHashModifier
    )
    fill(reference, "XDPMRelationship", relationship.name, owner, common, ("XD_PR_Stereotype", own))
  }

  private mutating func common(
    of owner: Reference,
    isOptional: Bool,
    isTransient: Bool,
    renamingIdentifier: String?,
    versionHashModifier: String?
  ) -> Reference {
    let no = writer.scalar(.boolean(false))
    let flags = [isOptional, isTransient].map { writer.scalar(.boolean($0)) }
    return stereotype(
      "XD_PPropStereotype",
      of: owner,
      [
        ("XD_PPSK_isStoredInTruthFile", no),
        ("XD_PPSK_versionHashModifier", writer.string(versionHashModifier)),
        ("XD_PPSK_userInfo", writer.dictionary([], isMutable: true)),
        ("XD_PPSK_isIndexed", no), ("XD_PPSK_isOptional", flags[0]),
        ("XD_PPSK_isSpotlightIndexed", no),
        ("XD_PPSK_elementID", writer.string(renamingIdentifier)),
        ("XD_PPSK_isTransient", flags[1]),
      ]
    )
  }

  private mutating func fill(
    _ reference: Reference,
    _ className: String,
    _ name: String,
    _ owner: Reference,
    _ common: Reference,
    _ own: (String, Reference)
  ) {
    var fields = valueFields(name, owner: owner, .null)
    fields["_uniqueElementID"] = nextIdentifier()
    fields["XDBucketForStereotypesstorage"] = stereotypes([("XD_PPropStereotype", common), own])
    fields["XDBucketForStereotypesordered"] = ordered.value
    fields["XDBucketForStereotypeswasEncoded"] = yes.value
    writer.fill(reference, hierarchy: [className, "XDPMProperty"] + Self.property, fields)
  }

  private func text(_ value: AttributeValue?) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .real(let number): "\(number)"
    default: nil
    }
  }

  // MARK: Stereotypes

  private mutating func stereotypes(_ list: [(String, Reference)]) -> PropertyList {
    writer.dictionary(list.map { (writer.string($0.0), $0.1) }, isMutable: true).value
  }

  /// The list of properties of an element: a named list whose defaults are the values.
  private mutating func stereotype(
    _ name: String,
    of owner: Reference,
    _ values: [(String, Reference)]
  ) -> Reference {
    let reference = writer.reserve()
    let members = values.map { key, value in
      (
        key: writer.string(key),
        value: writer.object(
          hierarchy: Self.property,
          valueFields(key, owner: reference, value)
        )
      )
    }
    var fields = named(name, owner: owner)
    fields["_isAbstract"] = .boolean(false)
    fields["XDBucketForOwnedAttributesstorage"] = writer.dictionary(members, isMutable: true).value
    fields["XDBucketForOwnedAttributesordered"] = ordered.value
    fields["XDBucketForOwnedAttributeswasEncoded"] = yes.value
    writer.fill(reference, hierarchy: ["XDUMLStereotypeImp"] + Self.classifier, fields)
    return reference
  }

  private mutating func valueFields(
    _ name: String,
    owner: Reference,
    _ value: Reference
  ) -> [String: PropertyList] {
    var fields = named(name, owner: owner)
    fields["_default"] = value.value
    for key in ["_type", "_association"] { fields[key] = Reference.null.value }
    for key in ["Static", "Unique", "ReadOnly", "Derived", "Ordered", "Composite", "Leaf"] {
      fields["_is\(key)"] = .boolean(false)
    }
    return fields
  }
}
