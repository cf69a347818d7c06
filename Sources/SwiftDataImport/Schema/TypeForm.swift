package import ObjectModel

/// The form in which SwiftData keeps values of a Swift type, as a store shows it.
package indirect enum TypeForm: Hashable, Sendable {
  /// An element of a composite.
  package struct Element: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The element's form.
    package var form: TypeForm
    /// Whether it may lack a value.
    package var isOptional: Bool

    /// An element.
    package init(_ name: String, _ form: TypeForm, isOptional: Bool) {
      self.name = name
      self.form = form
      self.isOptional = isOptional
    }
  }

  /// An attribute of a type.
  case attribute(AttributeType)
  /// A composite of one element, the raw value, which has the property's own name.
  case rawValue(AttributeType)
  /// A composite.
  case composite([Element])

  /// The form of an attribute that some entity has; nil of one whose elements are not known.
  package init?(_ attribute: AttributeDescription, in composites: [String: CompositeDescription]) {
    self.init(attribute, in: composites, left: 8)
  }

  private init?(
    _ attribute: AttributeDescription,
    in composites: [String: CompositeDescription],
    left: Int
  ) {
    guard attribute.attributeType == .composite else {
      guard attribute.unknownType == nil else { return nil }
      self = .attribute(attribute.attributeType)
      return
    }
    guard left > 0, let members = attribute.compositeName.flatMap({ composites[$0] })?.attributes,
      !members.isEmpty
    else { return nil }
    if members.count == 1, members[0].name == attribute.name, members[0].attributeType != .composite
    {
      self = .rawValue(members[0].attributeType)
      return
    }
    var elements: [Element] = []
    for member in members {
      guard let form = TypeForm(member, in: composites, left: left - 1) else { return nil }
      elements.append(Element(member.name, form, isOptional: member.isOptional))
    }
    self = .composite(elements)
  }

  /// Returns the form of an element at a path of names; the form itself for no name.
  func element(_ path: ArraySlice<String>) -> TypeForm? {
    guard let name = path.first else { return self }
    guard case .composite(let elements) = self else { return nil }
    return elements.first { $0.name == name }?.form.element(path.dropFirst())
  }

  /// Returns whether two make the same part of a version hash, as they do with their elements in another
  /// order.
  package func isSame(as other: TypeForm) -> Bool {
    guard case .composite(let own) = self, case .composite(let others) = other else {
      return self == other
    }
    return own.count == others.count
      && own.allSatisfy { element in
        others.contains {
          $0.name == element.name && $0.isOptional == element.isOptional
            && $0.form.isSame(as: element.form)
        }
      }
  }

  /// The type of the attribute that a property of the form becomes.
  var attributeType: AttributeType {
    if case .attribute(let type) = self { type } else { .composite }
  }

  /// Returns the elements of the attribute that a property of a name becomes; nil where it is no composite.
  func elements(of property: String) -> [ShapeElement]? {
    switch self {
    case .attribute: return nil
    case .rawValue(let type):
      var element = AttributeDescription(name: property, attributeType: type)
      element.isOptional = true
      return [ShapeElement(attribute: element)]
    case .composite(let elements):
      return elements.map { element in
        var attribute = AttributeDescription(
          name: element.name,
          attributeType: element.form.attributeType
        )
        attribute.isOptional = element.isOptional
        return ShapeElement(attribute: attribute, elements: element.form.elements(of: element.name))
      }
    }
  }

  /// Returns the form of elements that a rule made.
  static func composite(_ elements: [ShapeElement]) -> TypeForm {
    .composite(
      elements.map { element in
        Element(
          element.attribute.name,
          element.elements.map { composite($0) } ?? .attribute(element.attribute.attributeType),
          isOptional: element.attribute.isOptional
        )
      }
    )
  }
}

extension TypeForm: CustomStringConvertible {
  /// The word before the type of a raw value.
  package static let raw = "raw "

  /// The form as a value of YAML: `Integer 64`, `raw String`, `{latitude: Double, note: String?}`.
  package var description: String {
    switch self {
    case .attribute(let type): type.nameInXcode
    case .rawValue(let type): Self.raw + type.nameInXcode
    case .composite(let elements):
      "{"
        + elements.map { element in
          let isComposite = if case .composite = element.form { true } else { false }
          return "\(element.name): \(element.form)\(element.isOptional && !isComposite ? "?" : "")"
        }.joined(separator: ", ") + "}"
    }
  }
}

/// The key of a Swift type under `swiftdata: types:`.
enum TypeKey {
  /// The end of the key of a type as an element of a structure, where the rule is another.
  static let inStructure = " in a structure"

  /// Returns the key of a property's type.
  static func key(_ type: ResolvedType, written: SourceType) -> String {
    switch type {
    case .known(_, let name): name
    case .collection(let collection): collection.short
    case .structure(let declaration), .enumeration(let declaration), .model(let declaration),
      .models(let declaration, _):
      declaration.qualifiedName
    case .unresolved: "\(written.unwrapped)"
    }
  }

  /// Returns the canonical key of a type: the name behind an alias, the short form of a generic.
  static func canonical(_ key: String) -> String {
    let isInStructure = key.hasSuffix(inStructure)
    let base = isInStructure ? String(key.dropLast(inStructure.count)) : key
    let name = KnownType.aliases[base] ?? base
    return isInStructure ? name + inStructure : name
  }
}

extension SourceModule {
  /// Returns the form that stores, or `waystone.yml`, show of a type; nil where they show none, or one that
  /// does not fit the declaration in the sources.
  func learned(_ key: String, _ declaration: TypeDeclaration? = nil) -> TypeForm? {
    guard !learned.isEmpty else { return nil }
    let short = declaration.map { declaration in
      declaration.name + (key.hasSuffix(TypeKey.inStructure) ? TypeKey.inStructure : "")
    }
    guard let form = learned[key] ?? short.flatMap({ learned[$0] }) else { return nil }
    guard case .composite(let elements) = form, let declaration else { return form }
    // Another version of the type has other properties.
    let elementNames = Set(elements.map(\.name))
    return [names(of: declaration), codingKeys(of: declaration).map { Set($0.values) }]
      .contains(elementNames) ? form : nil
  }

  /// Returns the names of stored properties, or of cases.
  private func names(of declaration: TypeDeclaration) -> Set<String>? {
    declaration.kind == .enumeration
      ? Set(declaration.cases.map(\.name)) : Set(declaration.storedProperties.map(\.name))
  }

  /// Returns the coding keys of a structure by its properties' names; nil where it declares none.
  func codingKeys(of declaration: TypeDeclaration) -> [String: String]? {
    let path = declaration.path + ["CodingKeys"]
    guard
      case .type(let keys) = meaning(
        of: ["CodingKeys"],
        in: declaration.path,
        file: declaration.place.file
      ), keys.kind == .enumeration, keys.path == path
    else { return nil }
    return Dictionary(
      keys.cases.map { item in
        if case .string(let key)? = item.rawValue {
          (item.name, key)
        } else {
          (item.name, item.name)
        }
      },
      uniquingKeysWith: { first, _ in first }
    )
  }
}

extension TypeDeclaration {
  /// The properties that instances store.
  var storedProperties: [PropertyDeclaration] {
    properties.filter { !$0.isStatic && $0.storage == .stored }
  }
}
