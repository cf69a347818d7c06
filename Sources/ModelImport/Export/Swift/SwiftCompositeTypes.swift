import ObjectModel

/// The Swift types for a model's composites: nested enums and structs, each written once.
///
/// The model does not contain the Swift type that the app has; any type whose elements have these
/// names and types gives the same version hash.
struct SwiftCompositeTypes {
  /// The Swift declaration of a composite.
  enum Form: Hashable {
    /// An enum with raw values, whose one element has the property's own name, so that each property
    /// has one of its own.
    case rawValues(AttributeType, of: String)
    /// An enum with a payload for each case.
    case payloads([Element])
    /// A struct.
    case properties([Element])
    /// `Color.Resolved`, the only type of a framework seen in a store.
    case resolvedColor
  }

  /// An element of a struct or a case of an enum.
  struct Element: Hashable {
    let name: String
    let type: AttributeType
    let isOptional: Bool
  }

  private let model: ManagedObjectModel
  private(set) var names: [Form: String] = [:]
  private(set) var order: [Form] = []
  private var taken: Set<String>

  /// Finds the types for all composite attributes, in the order of entities and attributes.
  init(_ model: ManagedObjectModel) {
    self.model = model
    taken = SwiftText.reserved.union(model.entities.map(\.name))
    for entity in model.entities {
      for attribute in entity.attributes { add(attribute) }
    }
  }

  private mutating func add(_ attribute: AttributeDescription) {
    guard let form = form(of: attribute), form != .resolvedColor, names[form] == nil else { return }
    let wished = SwiftText.capitalized(attribute.name)
    var name = taken.contains(wished) ? wished + "Value" : wished
    var number = 2
    while !taken.insert(name).inserted {
      name = "\(wished)Value\(number)"
      number += 1
    }
    names[form] = name
    order.append(form)
  }

  /// Returns the declaration of an attribute's composite; nil for any other attribute.
  func form(of attribute: AttributeDescription) -> Form? {
    guard attribute.attributeType == .composite,
      let members = model.composite(of: attribute)?.attributes, !members.isEmpty
    else { return nil }
    let elements = members.map {
      Element(name: $0.name, type: $0.attributeType, isOptional: $0.isOptional)
    }
    if members.count == 1, members[0].name == attribute.name,
      [.string, .integer64].contains(members[0].attributeType)
    {
      return .rawValues(members[0].attributeType, of: attribute.name)
    }
    if attribute.isOfSwiftEnum { return .payloads(elements) }
    return elements == Self.resolvedColor ? .resolvedColor : .properties(elements)
  }

  /// Returns the Swift type of a composite attribute.
  func type(of attribute: AttributeDescription) -> String? {
    form(of: attribute).flatMap { $0 == .resolvedColor ? "Color.Resolved" : names[$0] }
  }

  /// The elements of `Color.Resolved`, as the stores of a public app have them.
  private static let resolvedColor = ["linearRed", "linearGreen", "linearBlue", "opacity"].map {
    Element(name: $0, type: .float, isOptional: false)
  }
}
