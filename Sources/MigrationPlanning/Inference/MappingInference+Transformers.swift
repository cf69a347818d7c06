import ObjectModel

extension MappingInference {
  /// Adds a finding on values that are copied unchanged and read by another transformer from now on.
  mutating func checkTransformer(
    _ old: AttributeDescription,
    _ new: AttributeDescription,
    _ declared: ManagedObjectModel.DeclaredProperty
  ) {
    collector.addTransformer(from: old, to: new, entity: declared.entityName)
  }

  /// Adds findings on transformers of two entities whose hashes, which do not contain them, are equal.
  mutating func checkUnseenTransformers(of pair: EntityPair) {
    for place in pair.destination.transformablePlaces {
      let declared = pair.destination.properties[place]
      guard let new = declared.property.attribute,
        let old = pair.sourceProperty(of: new.name)?.attribute
      else { continue }
      collector.addTransformer(from: old, to: new, entity: declared.entityName)
    }
  }
}

extension FindingCollector {
  /// Adds a finding where another transformer reads the bytes of an attribute from now on.
  func addTransformer(
    from old: AttributeDescription,
    to new: AttributeDescription,
    entity: String
  ) {
    guard let change = TransformerChange(from: old, to: new) else { return }
    add(
      .transformerChanged,
      change.keepsFormat ? .note : .warning,
      change.isReadable ? .exact : .conditional,
      at: Finding.Place(entity: entity, property: new.name),
      "\(subject: "\(entity).\(new.name)") \(.changes) \(.its) transformer from \(Self.name(of: old)) to "
        + "\(Self.name(of: new)); the stored bytes stay"
        + (change.isReadable
          ? ", and both read the same archive."
          : change.keepsFormat
            ? ". Values of classes that the new transformer does not allow are lost to the app."
            : ". Values that the new transformer cannot read are lost to the app."),
      remedy: change.isReadable
        ? "Nothing needs to be done."
        : "Let the new transformer read both forms, or convert the values with a policy. Where no hash "
          + "changes, set a hash modifier so that the migration runs."
    )
  }

  /// Returns the transformer as sentences name it.
  private static func name(of attribute: AttributeDescription) -> String {
    attribute.valueTransformerName.flatMap { $0.isEmpty ? nil : $0 } ?? "the default one"
  }
}

/// A replacement of one transformer by another, for bytes that stay.
///
/// Without a name, Core Data writes keyed archives; so do two transformers of Foundation, the secure one
/// only for the classes of its list.
struct TransformerChange {
  private let old: String?
  private let new: String?

  /// Nil where both attributes have the same transformer, or have none.
  init?(from old: AttributeDescription, to new: AttributeDescription) {
    guard old.attributeType == .transformable, new.attributeType == .transformable,
      old.valueTransformerName != new.valueTransformerName
    else { return nil }
    self.old = old.valueTransformerName
    self.new = new.valueTransformerName
  }

  private static let secure = "NSSecureUnarchiveFromData"
  private static let plain: Set<String?> = [nil, "", "NSKeyedUnarchiveFromData"]

  private func isArchive(_ name: String?) -> Bool {
    Self.plain.contains(name) || name == Self.secure
  }

  /// Whether both read and write keyed archives.
  var keepsFormat: Bool { isArchive(old) && isArchive(new) }

  /// Whether the new transformer reads all values that the old one wrote.
  var isReadable: Bool { keepsFormat && new != Self.secure }
}
