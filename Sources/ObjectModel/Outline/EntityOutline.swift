/// The declarations of an entity of a version that may matter to data, as texts.
///
/// Unlike a version hash it contains the declarations themselves, so that a later outline of the same
/// entity can be compared with it property by property, and it includes what the hash leaves out:
/// defaults, validation, delete rules, indexes, transformers, former names. Declarations that only code
/// reads (class names, annotations, stored fetches) are in ``remainder``, as a digest.
package struct EntityOutline: Codable, Hashable, Sendable {
  /// An own attribute or relationship.
  package struct Property: Codable, Hashable, Sendable {
    /// Whether it is an attribute or a relationship.
    package var kind: ModelChange.Subject
    /// The name.
    package var name: String
    /// The aspects that have a value.
    package var values: [ModelAspect: String]
    /// The coding of its values; nil where there is none, and in outlines of before this was kept.
    package var codings: [ValueCoding]?
  }

  /// The name.
  package var name: String
  /// The version hash, in which inherited properties have a part too.
  package var hash: VersionHash
  /// The aspects of the entity itself that have a value.
  package var values: [ModelAspect: String]
  /// The own attributes and relationships, in byte order of their names; each composite attribute with
  /// its elements behind it.
  package var properties: [Property]
  /// Eight hexadecimal digits that change with the entity's other declarations.
  package var remainder: String

  /// Returns a property by its name.
  package func property(_ name: String) -> Property? { properties.first { $0.name == name } }
}

extension ManagedObjectModel {
  /// The outlines of all entities, in byte order of their names.
  ///
  /// - Complexity: O(*p*) in the own properties of all entities.
  package var entityOutlines: [EntityOutline] {
    var memberships: [String: [String]] = [:]
    for configuration in configurations.keys.sorted(by: ByteOrder.precedes) {
      for name in configurations[configuration] ?? [] {
        memberships[name, default: []].append(configuration)
      }
    }
    return entities.compactMap { entity in
      entityVersionHashes[entity.name].map { hash in
        entity.outline(
          hash: hash,
          configurations: memberships[entity.name] ?? [],
          attributes: entity.attributes.flatMap { [$0] + (elements(of: $0) ?? []) }
        )
      }
    }
  }

  /// Eight hexadecimal digits that change with declarations outside of entities: stored fetches, identifiers.
  package var remainder: String {
    var digest = TextDigest()
    for request in fetchRequestTemplates { digest.add(request.text) }
    digest.add("identifiers")
    for identifier in versionIdentifiers { digest.add(identifier) }
    return digest.text
  }
}

extension EntityDescription {
  fileprivate func outline(
    hash: VersionHash,
    configurations: [String],
    attributes: [AttributeDescription]
  ) -> EntityOutline {
    var rest = TextDigest()
    var values = aspects.outlined(of: .entity, rest: &rest)
    values[.superentity] = superentityName
    values[.configurations] = configurations.listed
    var properties = attributes.map { attribute in
      rest.add(attribute.name)
      let values = attribute.aspects.outlined(of: .attribute, rest: &rest)
      return EntityOutline.Property(
        kind: .attribute,
        name: attribute.name,
        values: values,
        codings: attribute.codings.isEmpty ? nil : attribute.codings
      )
    }
    properties += relationships.map { relationship in
      rest.add(relationship.name)
      return EntityOutline.Property(
        kind: .relationship,
        name: relationship.name,
        values: relationship.aspects.outlined(of: .relationship, rest: &rest)
      )
    }
    for property in fetchedProperties {
      rest.add(property.name)
      for value in property.aspects { rest.add(value.text ?? "") }
    }
    properties.sort { ByteOrder.precedes($0.name, $1.name) }
    return EntityOutline(
      name: name,
      hash: hash,
      values: values,
      properties: properties,
      remainder: rest.text
    )
  }
}

extension [AspectValue] {
  /// Returns the values that an outline has; all others go into the digest of the rest.
  fileprivate func outlined(
    of subject: ModelChange.Subject,
    rest: inout TextDigest
  ) -> [ModelAspect: String] {
    var values: [ModelAspect: String] = [:]
    // Compiled models have no names of composites; elements are listed themselves.
    for value in self where value.aspect != .composite {
      if value.aspect.isOutlined(of: subject) {
        guard let text = value.text, !(text == "no" && value.aspect.isFlag) else { continue }
        values[value.aspect] = text.shortened
      } else {
        rest.add(value.aspect.rawValue)
        rest.add(value.text ?? "")
      }
    }
    return values
  }
}

extension ModelAspect {
  /// Whether its values are yes and no; an outline leaves out no.
  fileprivate var isFlag: Bool {
    switch self {
    case .isAbstract, .isOptional, .isTransient, .externalStorage, .historyPreservation,
      .cloudEncryption, .indexes, .isOrdered:
      true
    default: false
    }
  }

  /// Returns whether data may depend on it; only the program's own code reads the others.
  fileprivate func isOutlined(of subject: ModelChange.Subject) -> Bool {
    switch self {
    case .codeGeneration, .isSyncable, .userInfo, .scalarType, .spotlight: false
    // The class of an attribute's values determines their storage, that of an entity does not.
    case .className: subject == .attribute
    default: true
    }
  }

  /// Whether version hashes depend on it.
  var isHashed: Bool {
    switch self {
    case .isAbstract, .superentity, .uniquenessConstraints, .versionHashModifier, .type,
      .isOptional,
      .isTransient, .externalStorage, .historyPreservation, .derivation, .destination, .inverse,
      .cardinality, .minCount, .maxCount, .isOrdered, .kind:
      true
    default: false
    }
  }
}

extension String {
  /// The text, or where it is long its beginning and a digest of all of it.
  fileprivate var shortened: String {
    guard utf8.count > 120 else { return self }
    var digest = TextDigest()
    digest.add(self)
    return "\(prefix(80))… (\(digest.text))"
  }
}

/// A digest of texts, one after the other.
struct TextDigest {
  private var hash = SHA256()

  /// Appends a text, with its length so that no two lists of texts look alike.
  mutating func add(_ text: String) {
    hash.update("\(text.utf8.count):".utf8)
    hash.update(text.utf8)
  }

  /// Eight hexadecimal digits.
  var text: String {
    var hash = hash
    return Hexadecimal.string(hash.finalize().prefix(4))
  }
}
