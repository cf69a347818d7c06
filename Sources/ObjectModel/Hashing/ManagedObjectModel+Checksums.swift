extension ManagedObjectModel {
  /// The text of `NSStoreModelVersionHashesDigest`.
  ///
  /// Base64 of the SHA-512 of each entity's name and hash, in byte order of the names. Measured on
  /// 224 stores of public apps.
  public var versionHashesDigest: String {
    var hash = SHA512()
    for name in entityVersionHashes.keys.sorted(by: ByteOrder.precedes) {
      hash.update(name.utf8)
      hash.update(entityVersionHashes[name]?.bytes ?? [])
    }
    return Base64.string(hash.finalize())
  }

  /// The text of `NSManagedObjectModel.versionChecksum` and of `NSStoreModelVersionChecksumKey`.
  ///
  /// Base64 of the SHA-256 of the hashes alone, in byte order of the names. Measured on 33 stores.
  public var versionChecksum: String {
    var hash = SHA256()
    for name in entityVersionHashes.keys.sorted(by: ByteOrder.precedes) {
      hash.update(entityVersionHashes[name]?.bytes ?? [])
    }
    return Base64.string(hash.finalize())
  }

  /// Returns the forms in an entity that no measured store has, for which its hash is not proven; or nothing.
  public func unprovenHashReasons(of entityName: String) -> [String] {
    let isASCII = { (text: String) in text.utf8.allSatisfy { $0 < 0x80 } }
    var reasons: [String] = isASCII(entityName) ? [] : ["a name outside of ASCII"]
    if let modifier = self[entityName]?.versionHashModifier, !isASCII(modifier) {
      reasons.append("a hash modifier outside of ASCII")
    }
    if unknownEntities.contains(entityName) { reasons.append("its version hash is unknown") }
    var declared: Set<String> = []
    for name in [entityName] + ancestorNames(of: entityName) {
      guard let entity = self[name] else { continue }
      let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
      for property in names where !declared.insert(property).inserted {
        reasons.append("\(property) overrides an inherited property")
      }
    }
    for declaration in declaredProperties(of: entityName) {
      switch declaration.property {
      case .attribute(let attribute) where !attribute.isTransient:
        reasons += attribute.unprovenHashReasons
        if attribute.attributeType == .composite {
          reasons += unprovenReasons(ofComposite: attribute)
        }
      case .relationship(let relationship) where !relationship.isTransient:
        if isOwnInverse(relationship, declaredBy: declaration.entityName),
          declaration.entityName != entityName
        {
          reasons.append("\(relationship.name) is an inherited relationship, its own inverse")
        }
        if !isASCII(relationship.name + (relationship.versionHashModifier ?? "")) {
          reasons.append("\(relationship.name) has a name or modifier outside of ASCII")
        }
      default: break
      }
    }
    if let parent = self[entityName]?.superentityName {
      reasons += unprovenHashReasons(of: parent)
    }
    var seen: Set<String> = []
    return reasons.filter { seen.insert($0).inserted }
  }
}

extension ManagedObjectModel {
  /// Returns the reasons why a composite's part of a version hash is not proven: stores were seen with
  /// composites that have elements, none of them a composite itself.
  private func unprovenReasons(ofComposite attribute: AttributeDescription) -> [String] {
    guard let elements = composite(of: attribute)?.attributes, !elements.isEmpty else {
      return ["\(attribute.name) is a composite attribute whose elements are not known"]
    }
    let modifier =
      attribute.versionHashModifier == nil
      ? [] : ["\(attribute.name) is a composite with a modifier"]
    return modifier
      + elements.flatMap { element in
        element.attributeType == .composite
          ? ["\(attribute.name) holds a composite in a composite"] : element.unprovenHashReasons
      }
  }
}

extension AttributeDescription {
  /// The reasons why this attribute's part of a version hash is not proven, or nothing.
  var unprovenHashReasons: [String] {
    var reasons: [String] = []
    switch attributeType {
    case .objectID: reasons.append("\(name) is an object identifier")
    case .undefined: reasons.append("\(name) has no type and is not transient")
    case .transformable:
      if let unknownType {
        reasons.append("\(name) is of type \(unknownType), which is not resolved")
      }
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
      .binary, .uuid, .uri, .composite:
      break
    }
    switch derivationExpression {
    case nil, .now, .keyPath: break
    case .function(name: "canonical", keyPath: _): break
    case .aggregate(keyPath: _, operation: "count", operand: let operand) where operand.isEmpty:
      break
    case .function, .aggregate, .other:
      reasons.append("\(name) is derived by a form that no measured store has")
    }
    if allowsExternalBinaryDataStorage, preservesValueInHistoryOnDeletion {
      reasons.append("\(name) is stored externally and preserved on deletion")
    }
    if !(name + (versionHashModifier ?? "")).utf8.allSatisfy({ $0 < 0x80 }) {
      reasons.append("\(name) has a name or modifier outside of ASCII")
    }
    return reasons
  }
}
