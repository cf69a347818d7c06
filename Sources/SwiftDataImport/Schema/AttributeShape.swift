internal import ObjectModel

/// An element of a composite, which may be a composite itself.
struct ShapeElement {
  /// The element.
  var attribute: AttributeDescription
  /// The elements of a composite; nil of any other attribute.
  var elements: [ShapeElement]?
}

/// The attribute that SwiftData makes of a property's type.
struct AttributeShape {
  private(set) var type = AttributeType.undefined
  private(set) var valueClassName: String?
  private(set) var transformerName: String?
  /// The elements of a composite.
  private(set) var elements: [ShapeElement]?
  /// The declarations of a composite's elements, where a structure declares them.
  private(set) var declarations: [String: SourceSchema.Declaration] = [:]
  /// The user info that SwiftData adds for an enumeration.
  private(set) var userInfo: [String: String] = [:]
  /// The structures and enumerations on which it depends, but for those of raw values.
  private(set) var values: [TypeDeclaration] = []
  /// The rules on which it rests and that no measured store shows.
  private(set) var rules: [ShapeRule] = []
  /// The type without an attribute, with the reason; nil where it has one.
  private(set) var unresolved: (type: String, reason: String)?

  private let module: SourceModule

  /// The greatest depth of structures in structures.
  private static let greatestDepth = 8
  /// The most elements of one property, those of structures in structures included.
  private static let greatestCount = 1_000
  private var count = 0

  init(
    _ resolved: ResolvedType,
    of property: PropertyDeclaration,
    written: SourceType,
    in module: SourceModule
  ) {
    self.module = module
    func no(_ reason: String) { unresolved = ("\(written)", reason) }
    switch resolved {
    case .known(let known, let name): read(known, name)
    case .collection(let collection):
      type = .transformable
      valueClassName = collection.text
      transformerName = "NSSecureUnarchiveFromData"
      note("\(written)", .transformable, collection.proof)
    case .structure(let declaration), .enumeration(let declaration):
      read(declaration, of: property)
    case .unresolved(let type, let reason): unresolved = (type, reason)
    case .model, .models: no("it is a model")
    }
    if unresolved != nil {
      type = .undefined
      elements = nil
      rules = []
    }
  }

  private mutating func note(_ subject: String, _ kept: AttributeType, _ proof: ShapeProof) {
    guard proof > .measured else { return }
    rules.append(ShapeRule(subject, "\(kept)", proof))
  }

  private mutating func read(_ known: KnownType, _ name: String) {
    switch known.form {
    case .attribute(let type):
      self.type = type
      note(name, type, known.proof)
    case .composite(let parts):
      type = .composite
      elements = Self.parts(parts)
    }
  }

  private static func parts(_ parts: [(name: String, type: AttributeType)]) -> [ShapeElement] {
    parts.map {
      ShapeElement(attribute: AttributeDescription(name: $0.name, attributeType: $0.type))
    }
  }

  /// A structure or enumeration becomes a composite: of its stored properties, of its raw value, or of one
  /// text for each case.
  private mutating func read(_ declaration: TypeDeclaration, of property: PropertyDeclaration) {
    if let raw = rawType(of: declaration) {
      guard let type = attributeType(of: raw, declaration) else { return }
      var element = AttributeDescription(name: property.name, attributeType: type)
      element.isOptional = true
      elements = [ShapeElement(attribute: element)]
      userInfo = [SwiftEnumNote.typeKey: SwiftEnumNote.yes]
    } else if declaration.kind == .structure {
      elements = structure(declaration, below: [])
    } else {
      elements = cases(of: declaration)
      if elements != nil {
        userInfo = [
          SwiftEnumNote.typeKey: SwiftEnumNote.yes,
          SwiftEnumNote.casesKey: declaration.cases.map(\.name)
            .joined(separator: String(SwiftEnumNote.separator)),
        ]
      }
    }
    type = .composite
  }

  /// The attribute type of raw values; nil with the reason.
  private mutating func attributeType(
    of raw: RawType,
    _ declaration: TypeDeclaration
  ) -> AttributeType? {
    if let reason = problem(of: declaration) {
      unresolved = (declaration.qualifiedName, reason)
      return nil
    }
    guard case .known(let known, let name) = raw, case .attribute(let type) = known.form else {
      unresolved = (declaration.qualifiedName, "its raw values may be of type \(raw.name)")
      return nil
    }
    if declaration.kind == .structure || inheritedRawType(of: declaration) == nil {
      note("the raw value of \(declaration.name), RawRepresentable by \(name),", type, .assumed)
    } else if !["String", "Int"].contains(name) {
      note("an enumeration of \(name)", type, max(known.proof, .documented))
    }
    return type
  }

  /// Returns the elements of a structure: its stored properties, all optional; nil, with the reason in
  /// ``unresolved``, where it has none.
  ///
  /// - Parameter names: The names of the properties around it.
  private mutating func structure(
    _ declaration: TypeDeclaration,
    below names: [String]
  ) -> [ShapeElement]? {
    values.append(declaration)
    func no(_ reason: String) -> [ShapeElement]? {
      unresolved = (declaration.qualifiedName, reason)
      return nil
    }
    if let reason = problem(of: declaration) { return no(reason) }
    guard names.count < Self.greatestDepth else { return no("it has structures nested too deep") }
    var elements: [ShapeElement] = []
    for property in declaration.properties where !property.isStatic && property.storage == .stored {
      count += 1
      guard count <= Self.greatestCount else { return no("it has too many parts") }
      guard var element = element(of: property, in: declaration, below: names) else { return nil }
      element.attribute.isOptional = true
      elements.append(element)
      declarations[(names + [property.name]).joined(separator: ".")] = .init(
        place: property.place,
        type: property.type.map { "\($0)" }
      )
    }
    return elements.isEmpty ? no("it has no stored property") : elements
  }

  /// Returns the reason why SwiftData may not store a structure or enumeration by its parts; nil where
  /// there is none.
  private func problem(of declaration: TypeDeclaration) -> String? {
    if let doubt = declaration.doubts.first { return "\(doubt.reason) (\(doubt.place))" }
    if let strange = declaration.attributes.first(where: { !module.isHarmless($0, of: declaration) }
    ) {
      return "it has @\(strange.name), and what that macro adds to it is not known"
    }
    if let file = module.hiddenExtension(of: declaration) {
      return "\(file) extends it, and is not read as a whole"
    }
    guard module.isCodable(declaration) else { return "it is not Codable" }
    if module.declares("CodingKeys", in: declaration) {
      return "it has coding keys of its own, and what SwiftData makes of those is not known"
    }
    if let lazy = declaration.properties.first(where: \.isLazy) {
      return "its property \(lazy.name) is lazy, and what SwiftData makes of that is not known"
    }
    let functions = ([declaration] + module.extensions(of: declaration)).map(\.functions)
      .reduce(into: Set<String>()) { $0.formUnion($1) }
    if functions.contains("init(from:)") || functions.contains("encode(to:)") {
      return "it encodes itself, and what SwiftData makes of that is not known"
    }
    return nil
  }

  /// The element that a property of a structure becomes; nil with the reason.
  private mutating func element(
    of property: PropertyDeclaration,
    in declaration: TypeDeclaration,
    below names: [String]
  ) -> ShapeElement? {
    func no(_ type: String, _ reason: String) -> ShapeElement? {
      unresolved = (
        declaration.qualifiedName, "its property \(property.name) is of type \(type): \(reason)"
      )
      return nil
    }
    func made(_ type: AttributeType, _ elements: [ShapeElement]? = nil) -> ShapeElement {
      ShapeElement(
        attribute: AttributeDescription(name: property.name, attributeType: type),
        elements: elements
      )
    }
    let scope = declaration.path
    let file = declaration.place.file
    let written =
      property.type ?? property.value.flatMap { module.type(of: $0, in: scope, file: file) }
    guard let written else {
      return no("that is not written", "its initial value does not tell it")
    }
    if property.attributes.contains(where: { $0.name != "available" }) {
      return no("\(written)", "it has a wrapper or macro")
    }
    switch module.resolve(written, in: scope, file: file).type {
    case .known(let known, let name):
      switch known.form {
      case .attribute(let type):
        note(name, type, known.proof)
        return made(type)
      case .composite(let parts):
        note("\(name) in a structure", .composite, .assumed)
        return made(.composite, Self.parts(parts))
      }
    case .collection(let collection):
      note(
        "\(written) in a structure",
        .binary,
        collection.isOfDeclaredValues ? .measured : .assumed
      )
      return made(.binary)
    case .structure(let inner), .enumeration(let inner):
      if let raw = rawType(of: inner) {
        guard let type = attributeType(of: raw, inner) else { return nil }
        note("\(inner.name) in a structure", type, .assumed)
        return made(type)
      }
      note("\(inner.name) in a structure", .composite, .assumed)
      let elements =
        inner.kind == .structure
        ? structure(inner, below: names + [property.name]) : cases(of: inner)
      return elements.map { made(.composite, $0) }
    case .model, .models: return no("\(written)", "a model in a structure was never seen")
    case .unresolved(let type, let reason): return no(type, reason)
    }
  }

  /// Returns a text element for each case of an enumeration; nil, with the reason in ``unresolved``,
  /// where it has none.
  private mutating func cases(of declaration: TypeDeclaration) -> [ShapeElement]? {
    values.append(declaration)
    if let reason = problem(of: declaration) {
      unresolved = (declaration.qualifiedName, reason)
      return nil
    }
    guard !declaration.cases.isEmpty else {
      unresolved = (declaration.qualifiedName, "it has no cases")
      return nil
    }
    if declaration.cases.contains(where: { $0.payload != nil }) {
      note("the cases of \(declaration.name), which carry values,", .composite, .assumed)
    }
    return declaration.cases.map { item in
      var element = AttributeDescription(name: item.name, attributeType: .string)
      element.isOptional = true
      return ShapeElement(attribute: element)
    }
  }

  private enum RawType {
    case known(KnownType, String)
    case unknown(String)

    var name: String {
      switch self {
      case .known(_, let name), .unknown(let name): name
      }
    }
  }

  /// Returns the type of raw values: of an enumeration the first after the colon, else that of the
  /// property `rawValue`; nil where there are none.
  private func rawType(of declaration: TypeDeclaration) -> RawType? {
    if declaration.kind == .enumeration, let type = inheritedRawType(of: declaration) {
      return type
    }
    let conformances = module.conformances(of: declaration)
    guard !conformances.isDisjoint(with: ["RawRepresentable", "OptionSet"]) else { return nil }
    let properties = ([declaration] + module.extensions(of: declaration)).flatMap(\.properties)
    let type = properties.first { $0.name == "rawValue" && !$0.isStatic }?.type
    guard let type else { return .unknown("a type that is not written") }
    return raw(type, in: declaration.path, declaration)
  }

  private func inheritedRawType(of declaration: TypeDeclaration) -> RawType? {
    let scope = Array(declaration.path.dropLast())
    guard let first = declaration.inherited.first else { return nil }
    guard case .named(let path, _) = first, let name = path.last else {
      return .unknown("\(first)")
    }
    switch module.meaning(of: path, in: scope, file: declaration.place.file) {
    case .type(let type) where type.kind == .protocol: return nil
    case .missing where SourceModule.protocols.contains(name): return nil
    default: return raw(first, in: scope, declaration)
    }
  }

  private func raw(
    _ type: SourceType,
    in scope: [String],
    _ declaration: TypeDeclaration
  ) -> RawType {
    if case .known(let known, let name) = module.resolve(
      type,
      in: scope,
      file: declaration.place.file
    ).type {
      return .known(known, name)
    }
    return .unknown("\(type)")
  }

  /// The default that a literal gives an attribute of the type.
  func defaultValue(_ value: SourceExpression?) -> AttributeValue? {
    switch (type, value) {
    case (.string, .string(let text)): .string(text)
    case (.boolean, .boolean(let flag)): .boolean(flag)
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)):
      .integer(number)
    case (.double, .integer(let number)), (.float, .integer(let number)): .real(Double(number))
    case (.double, .real(let number)), (.float, .real(let number)): .real(number)
    default: nil
    }
  }
}
