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
  /// The value of an initial value without elements, of an attribute that is a collection.
  private(set) var empty: EmptyCollection?
  /// The elements of a composite.
  private(set) var elements: [ShapeElement]?
  /// The declarations of a composite's elements, where a structure declares them.
  private(set) var declarations: [String: SourceSchema.Declaration] = [:]
  /// The user info that SwiftData adds for an enumeration.
  private(set) var userInfo: [String: String] = [:]
  /// The structures and enumerations on which it depends, but for those of raw values.
  private(set) var values: [TypeDeclaration] = []
  /// The rules on which it rests and that no measured store shows.
  private(set) var rules: [(rule: ShapeRule, subject: RuleSubject)] = []
  /// The key of the type under `swiftdata: types:`.
  let key: String
  /// The reason why no attribute follows.
  private(set) var unresolved: (type: String, reason: String)?

  let module: SourceModule

  /// The greatest depth of structures in structures.
  private static let greatestDepth = 8
  /// The most elements of one property, those of structures in structures included.
  private static let greatestCount = 1_000
  private var count = 0
  /// Whether doubts about declarations are left out.
  private var isGuess = false

  /// Returns the forms that a structure or enumeration may have although no rule gives it one: composites by the
  /// names of its properties, and by its coding keys.
  static func guesses(
    _ resolved: ResolvedType,
    of property: PropertyDeclaration,
    written: SourceType,
    in module: SourceModule
  ) -> [TypeForm] {
    guard case .structure(let declaration) = resolved else { return [] }
    var shape = AttributeShape(resolved, of: property, written: written, in: module)
    shape.isGuess = true
    shape.count = 0
    guard let elements = shape.structure(declaration, below: []) else { return [] }
    guard let keys = module.codingKeys(of: declaration) else { return [.composite(elements)] }
    let renamed = elements.compactMap { element in
      keys[element.attribute.name].map { key in
        var element = element
        element.attribute.name = key
        return element
      }
    }
    return [.composite(renamed), .composite(elements)]
  }

  init(
    _ resolved: ResolvedType,
    of property: PropertyDeclaration,
    written: SourceType,
    in module: SourceModule
  ) {
    self.module = module
    key = TypeKey.key(resolved, written: written)
    func no(_ reason: String) { unresolved = ("\(written)", reason) }
    if take(resolved, of: property) { return }
    switch resolved {
    case .known(let known, let name): read(known, name)
    case .collection(let collection):
      type = .transformable
      read(collection)
      note("\(written)", collection.proof, key, .attribute(.transformable))
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

  /// Takes the form that a store of the app shows; false where none does.
  private mutating func take(_ resolved: ResolvedType, of property: PropertyDeclaration) -> Bool {
    var declaration: TypeDeclaration?
    switch resolved {
    case .model, .models: return false
    case .structure(let own), .enumeration(let own): declaration = own
    case .known, .collection, .unresolved: break
    }
    guard let form = module.learned(key, declaration) else { return false }
    type = form.attributeType
    elements = form.elements(of: property.name)
    if case .collection(let collection) = resolved, type == .transformable {
      read(collection)
    }
    if let declaration {
      if rawType(of: declaration) == nil { values.append(declaration) }
      if declaration.kind == .enumeration {
        userInfo = [SwiftEnumNote.typeKey: SwiftEnumNote.yes]
      }
    }
    return true
  }

  private mutating func read(_ collection: ValueCollection) {
    valueClassName = collection.text
    transformerName = "NSSecureUnarchiveFromData"
    empty = collection.empty
  }

  /// Notes a rule that no measured store shows.
  ///
  /// - Parameters:
  ///   - key: The key of the type that a store can settle.
  ///   - form: The form that the rule gives it.
  ///   - path: The names of elements to the type's place.
  private mutating func note(
    _ subject: String,
    _ proof: ShapeProof,
    _ key: String,
    _ form: TypeForm,
    at path: [String] = []
  ) {
    guard proof > .measured else { return }
    let kept = form.attributeType
    rules.append(
      (ShapeRule(subject, "\(kept)", proof), RuleSubject(key: key, path: path, form: form))
    )
  }

  private mutating func read(_ known: KnownType, _ name: String) {
    switch known.form {
    case .attribute(let type):
      self.type = type
      note(name, known.proof, name, .attribute(type))
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

  /// Makes a structure or enumeration a composite: of its stored properties, of its raw value, or of one
  /// text for each case.
  private mutating func read(_ declaration: TypeDeclaration, of property: PropertyDeclaration) {
    if let raw = rawType(of: declaration) {
      guard let type = attributeType(of: raw, declaration, isProperty: true) else { return }
      var element = AttributeDescription(name: property.name, attributeType: type)
      element.isOptional = true
      elements = [ShapeElement(attribute: element)]
      userInfo = [SwiftEnumNote.typeKey: SwiftEnumNote.yes]
    } else if declaration.kind == .structure {
      elements = structure(declaration, below: [])
    } else {
      elements = cases(of: declaration, noting: [])
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

  /// Returns the attribute type of raw values; nil with the reason.
  private mutating func attributeType(
    of raw: RawType,
    _ declaration: TypeDeclaration,
    isProperty: Bool
  ) -> AttributeType? {
    if let reason = problem(of: declaration) {
      unresolved = (declaration.qualifiedName, reason)
      return nil
    }
    guard case .known(let known, let name) = raw, case .attribute(let type) = known.form else {
      unresolved = (declaration.qualifiedName, "its raw values may be of type \(raw.name)")
      return nil
    }
    // An element of a structure has a rule of its own.
    guard isProperty, known.proof != .measuredHere else { return type }
    let key = declaration.qualifiedName
    if declaration.kind == .structure || inheritedRawType(of: declaration) == nil {
      let subject = "the raw value of \(declaration.name), RawRepresentable by \(name),"
      note(subject, .assumed, key, .rawValue(type))
    } else if !["String", "Int"].contains(name) {
      note("an enumeration of \(name)", max(known.proof, .documented), key, .rawValue(type))
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
    for property in declaration.storedProperties {
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
    if isGuess { return nil }
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
    let bodies = module.ancestry(of: declaration).flatMap { [$0] + module.extensions(of: $0) }
    let functions = bodies.map(\.functions).reduce(into: Set<String>()) { $0.formUnion($1) }
    if functions.contains("init(from:)") || functions.contains("encode(to:)") {
      return "it encodes itself, and what SwiftData makes of that is not known"
    }
    return nil
  }

  /// Returns the element that a property of a structure becomes; nil with the reason.
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
    func made(_ form: TypeForm) -> ShapeElement {
      made(form.attributeType, form.elements(of: property.name))
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
    let path = names + [property.name]
    let resolved = module.resolve(written, in: scope, file: file).type
    let base = TypeKey.key(resolved, written: written)
    let key = base + TypeKey.inStructure
    switch resolved {
    case .known(let known, let name):
      switch known.form {
      case .attribute(let type):
        note(name, known.proof, name, .attribute(type), at: path)
        return made(type)
      case .composite(let parts):
        if let form = module.learned(key) { return made(form) }
        let elements = Self.parts(parts)
        note("\(name) in a structure", .assumed, key, .composite(elements), at: path)
        return made(.composite, elements)
      }
    case .collection(let collection):
      if let form = module.learned(key) { return made(form) }
      let proof: ShapeProof = collection.isOfDeclaredValues ? .measured : .assumed
      note("\(written) in a structure", proof, key, .attribute(.binary), at: path)
      return made(.binary)
    case .structure(let inner), .enumeration(let inner):
      if let form = module.learned(key, inner) {
        if rawType(of: inner) == nil { values.append(inner) }
        return made(form)
      }
      if let raw = rawType(of: inner) {
        guard let type = attributeType(of: raw, inner, isProperty: false) else { return nil }
        note("\(inner.name) in a structure", .assumed, key, .attribute(type), at: path)
        return made(type)
      }
      let elements =
        inner.kind == .structure
        ? structure(inner, below: path) : cases(of: inner, noting: nil)
      guard let elements else { return nil }
      note("\(inner.name) in a structure", .assumed, key, .composite(elements), at: path)
      return made(.composite, elements)
    case .model, .models: return no("\(written)", "a model in a structure was never seen")
    case .unresolved(let type, let reason):
      return module.learned(key).map { made($0) } ?? no(type, reason)
    }
  }

  /// Returns a text for each case of an enumeration; nil with the reason.
  ///
  /// - Parameter path: The place of a rule on payloads; nil where the rule of structures is noted instead.
  private mutating func cases(
    of declaration: TypeDeclaration,
    noting path: [String]?
  ) -> [ShapeElement]? {
    values.append(declaration)
    if let reason = problem(of: declaration) {
      unresolved = (declaration.qualifiedName, reason)
      return nil
    }
    guard !declaration.cases.isEmpty else {
      unresolved = (declaration.qualifiedName, "it has no cases")
      return nil
    }
    let elements = declaration.cases.map { item in
      var element = AttributeDescription(name: item.name, attributeType: .string)
      element.isOptional = true
      return ShapeElement(attribute: element)
    }
    if let path, declaration.cases.contains(where: { $0.payload != nil }) {
      let subject = "the cases of \(declaration.name), which carry values,"
      note(subject, .assumed, declaration.qualifiedName, .composite(elements), at: path)
    }
    return elements
  }
}
