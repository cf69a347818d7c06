/// An aspect with its value as text, nil where there is none.
struct AspectValue {
  let aspect: ModelAspect
  let text: String?
  /// The part of it that goes into the version hash, nil where there is none.
  let hashedText: String?

  init(_ aspect: ModelAspect, _ text: String?, isHashed: Bool = false) {
    self.init(aspect, text, hashedText: isHashed ? text : nil)
  }

  init(_ aspect: ModelAspect, _ text: String?, hashedText: String?) {
    self.aspect = aspect
    self.text = text
    self.hashedText = hashedText
  }

  init(_ aspect: ModelAspect, _ flag: Bool, isHashed: Bool = false) {
    self.init(aspect, flag ? "yes" : "no", isHashed: isHashed)
  }
}

extension EntityDescription {
  /// The aspects in which two versions of the entity can differ, in the order of reports.
  var aspects: [AspectValue] {
    [
      AspectValue(.isAbstract, isAbstract, isHashed: true),
      // Core Data sorts constraints before it hashes them.
      AspectValue(
        .uniquenessConstraints,
        Self.text(uniquenessConstraints),
        hashedText: Self.text(uniquenessConstraints.sorted { "\($0)" < "\($1)" })
      ),
      AspectValue(.versionHashModifier, versionHashModifier, isHashed: true),
      AspectValue(.renamingIdentifier, renamingIdentifier),
      AspectValue(.indexes, (indexes.map(\.text) + compoundIndexes.map(Self.text)).listed),
      AspectValue(.className, managedObjectClassName),
      AspectValue(.codeGeneration, codeGenerationType),
      AspectValue(.isSyncable, isSyncable.map { $0 ? "yes" : "no" }),
      AspectValue(.userInfo, userInfo.text),
    ]
  }

  private static func text(_ names: [String]) -> String { "(\(names.joined(separator: ", ")))" }

  private static func text(_ lists: [[String]]) -> String? { lists.map(text).listed }
}

extension AttributeDescription {
  /// The aspects in which two versions of the attribute can differ, in the order of reports.
  var aspects: [AspectValue] {
    // The hash of a derived attribute is that of its derivation alone, that of a composite one of its
    // elements.
    let isPlain = derivationExpression == nil && attributeType != .composite
    let rules = [
      validation.minimum.map { "at least \($0.text)" },
      validation.maximum.map { "at most \($0.text)" },
      validation.regularExpression.map { "matches \"\($0)\"" },
    ]
    return [
      AspectValue(.type, unknownType ?? "\(attributeType)", isHashed: isPlain),
      AspectValue(
        .isOptional,
        isOptional ? "yes" : "no",
        hashedText: isPlain ? (membership?.isOptional ?? isOptional ? "yes" : "no") : nil
      ),
      AspectValue(.isTransient, isTransient, isHashed: true),
      AspectValue(.derivation, derivationExpression?.description, isHashed: true),
      AspectValue(.externalStorage, allowsExternalBinaryDataStorage, isHashed: isPlain),
      AspectValue(.historyPreservation, preservesValueInHistoryOnDeletion, isHashed: isPlain),
      AspectValue(.versionHashModifier, versionHashModifier, isHashed: isPlain),
      AspectValue(.renamingIdentifier, renamingIdentifier),
      AspectValue(.defaultValue, defaultValue?.text ?? (hasComputedDefault ? "computed" : nil)),
      AspectValue(.validation, rules.compactMap { $0 }.listed),
      AspectValue(.valueTransformer, valueTransformerName),
      AspectValue(.className, attributeValueClassName),
      AspectValue(.composite, compositeName),
      AspectValue(.scalarType, usesScalarValueType.map { $0 ? "yes" : "no" }),
      AspectValue(.cloudEncryption, allowsCloudEncryption),
      AspectValue(.indexes, isIndexed),
      AspectValue(
        .spotlight,
        [isIndexedBySpotlight ? "indexed" : nil, isStoredInExternalRecord ? "recorded" : nil]
          .compactMap { $0 }.listed
      ),
      AspectValue(.userInfo, userInfo.text),
    ]
  }
}

extension RelationshipDescription {
  /// The aspects in which two versions of the relationship can differ, in the order of reports.
  var aspects: [AspectValue] {
    [
      AspectValue(.destination, destinationEntityName, isHashed: true),
      AspectValue(.cardinality, isToMany ? "to-many" : "to-one", isHashed: true),
      AspectValue(.inverse, inverseText, hashedText: inverseName),
      AspectValue(.isOptional, isOptional, isHashed: true),
      AspectValue(.isTransient, isTransient, isHashed: true),
      AspectValue(.isOrdered, isOrdered, isHashed: true),
      AspectValue(.minCount, minCount == 0 ? nil : "\(minCount)", isHashed: true),
      // The maximum of a to-one is always 1, which its cardinality implies.
      AspectValue(.maxCount, isToMany && maxCount != 0 ? "\(maxCount)" : nil, isHashed: true),
      AspectValue(.versionHashModifier, versionHashModifier, isHashed: true),
      AspectValue(.renamingIdentifier, renamingIdentifier),
      AspectValue(.deletionRule, "\(deletionRule)"),
      AspectValue(.indexes, isIndexed),
      AspectValue(
        .spotlight,
        [isIndexedBySpotlight ? "indexed" : nil, isStoredInExternalRecord ? "recorded" : nil]
          .compactMap { $0 }.listed
      ),
      AspectValue(.userInfo, userInfo.text),
    ]
  }

  private var inverseText: String? {
    guard let inverseName else { return nil }
    guard let inverseEntityName, inverseEntityName != destinationEntityName else {
      return inverseName
    }
    return "\(inverseEntityName).\(inverseName)"
  }
}

extension FetchedPropertyDescription {
  /// The aspects in which two versions of the property can differ, in the order of reports.
  var aspects: [AspectValue] {
    [
      AspectValue(.fetchRequest, fetchRequest.text), AspectValue(.isOptional, isOptional),
      AspectValue(.renamingIdentifier, renamingIdentifier), AspectValue(.userInfo, userInfo.text),
    ]
  }
}

extension PropertyDescription {
  var aspects: [AspectValue] {
    switch self {
    case .attribute(let attribute): attribute.aspects
    case .relationship(let relationship): relationship.aspects
    case .fetchedProperty(let property): property.aspects
    }
  }

  var subject: ModelChange.Subject {
    switch self {
    case .attribute: .attribute
    case .relationship: .relationship
    case .fetchedProperty: .fetchedProperty
    }
  }

  /// Whether the entity's version hash depends on it.
  var isHashed: Bool {
    switch self {
    // The elements of a composite attribute are hashed instead of it.
    case .attribute(let attribute): !attribute.isTransient && !isComposite
    case .relationship(let relationship): !relationship.isTransient
    case .fetchedProperty: false
    }
  }
}

extension FetchIndexDescription {
  /// The index in one line: its name, columns and condition.
  fileprivate var text: String {
    let columns = elements.map { element in
      (element.isExpression ? "expression " : "") + element.propertyName
        + (element.isAscending ? "" : " descending")
        + (element.collation == .rTree ? " rTree" : "")
    }
    let condition = partialIndexPredicate.map { " where \($0)" } ?? ""
    return "\(name) (\(columns.joined(separator: ", ")))\(condition)"
  }
}

extension FetchRequestTemplate {
  /// The request in one line, with everything that it states.
  var text: String {
    let flags: [(String, Bool?)] = [
      ("subentities", includesSubentities), ("property values", includesPropertyValues),
      ("pending changes", includesPendingChanges), ("faults", returnsObjectsAsFaults),
      ("distinct", returnsDistinctResults),
    ]
    let parts =
      [
        "\(name): \(entityName)", predicate.map { "where \($0)" },
        resultType == .managedObjects ? nil : "as \(resultType)",
        fetchLimit == 0 ? nil : "at most \(fetchLimit)",
        fetchBatchSize == 0 ? nil : "in batches of \(fetchBatchSize)",
      ] + flags.map { name, value in value.map { "\(name) \($0 ? "yes" : "no")" } }
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}

extension AttributeValue {
  /// The value in one line.
  fileprivate var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .decimal(let text): text
    case .string(let text): "\"\(text)\""
    case .boolean(let flag): flag ? "yes" : "no"
    case .date(let seconds): "\(seconds) s after 2001"
    case .binary(let bytes):
      EmptyCollection(self)?.literal ?? "<\(Hexadecimal.string(bytes))>"
    case .uuid(let bytes): "UUID \(Hexadecimal.string(bytes))"
    case .uri(let text): "<\(text)>"
    }
  }
}

extension [String] {
  /// The text between the items of a list.
  static let separator = "; "

  /// The texts in a row, or nil where there are none.
  var listed: String? { isEmpty ? nil : joined(separator: Self.separator) }
}

extension [String: String] {
  /// The entries in byte order of their keys, or nil where there are none.
  fileprivate var text: String? {
    sorted { ByteOrder.precedes($0.key, $1.key) }.map { "\($0.key) = \"\($0.value)\"" }.listed
  }
}
