internal import ObjectModel

/// The arguments of `@Attribute` on a property.
///
/// Apple documents `Attribute(_:originalName:hashModifier:)` and the options before the labels:
/// https://developer.apple.com/documentation/swiftdata/schema/attribute/option
struct AttributeOptions {
  private(set) var isUnique = false
  private(set) var isTransformable = false
  private(set) var transformerName: String?
  private(set) var originalName: String?
  private(set) var hashModifier: String?
  private var flags: Set<String> = []
  /// Arguments that are not understood.
  private(set) var problems: [String] = []

  /// Options that only set a flag.
  private static let flagNames: Set<String> = [
    "externalStorage", "preserveValueOnDeletion", "ephemeral", "spotlight", "allowsCloudEncryption",
  ]

  /// Whether nothing is asked for.
  var isPlain: Bool {
    !isUnique && !isTransformable && flags.isEmpty && problems.isEmpty && originalName == nil
      && hashModifier == nil
  }

  /// The options that go into the hash, or keep an attribute out of it, and that no measured store has.
  var unmeasured: [String] {
    let hashed = ["externalStorage", "preserveValueOnDeletion", "ephemeral"]
    return hashed.filter(flags.contains).map { "@Attribute(.\($0))" }
      + (hashModifier == nil ? [] : ["@Attribute(hashModifier:)"])
  }

  /// The options of a property; none where it has no `@Attribute`.
  init(_ property: PropertyDeclaration) {
    for macro in property.attributes where macro.name == "Attribute" {
      for argument in macro.arguments { read(argument) }
    }
  }

  private mutating func read(_ argument: SourceExpression.Argument) {
    switch (argument.label, argument.value) {
    case ("originalName", .string(let text)): originalName = text
    case ("hashModifier", .string(let text)): hashModifier = text
    case ("originalName", .null), ("hashModifier", .null): break
    case (nil, let option): read(option)
    case (let label?, _):
      problems.append("has @Attribute with an argument `\(label):` that is no text.")
    }
  }

  private mutating func read(_ option: SourceExpression) {
    switch option {
    case .member(let path), .reference(let path):
      let name = path.last ?? ""
      if name == "unique" {
        isUnique = true
      } else if Self.flagNames.contains(name) {
        flags.insert(name)
      } else {
        problems.append("has @Attribute(.\(name)), and what becomes of the property is not known.")
      }
    case .call(.member(["transformable"]), let arguments)
    where arguments.count == 1 && arguments[0].label == "by":
      isTransformable = true
      switch arguments[0].value {
      case .string(let name): transformerName = name
      case .reference(let path) where path.last == "self" || path.last == "name":
        transformerName = path.dropLast().joined(separator: ".")
      default: problems.append("has a transformer that is not understood.")
      }
    default: problems.append("has @Attribute with an option that is not understood: \(option).")
    }
  }

  /// Applies the options to an attribute.
  func apply(to attribute: inout AttributeDescription) {
    attribute.renamingIdentifier = originalName
    attribute.versionHashModifier = hashModifier
    attribute.allowsExternalBinaryDataStorage = flags.contains("externalStorage")
    attribute.preservesValueInHistoryOnDeletion = flags.contains("preserveValueOnDeletion")
    attribute.isTransient = flags.contains("ephemeral")
    attribute.isIndexedBySpotlight = flags.contains("spotlight")
    attribute.allowsCloudEncryption = flags.contains("allowsCloudEncryption")
  }
}
