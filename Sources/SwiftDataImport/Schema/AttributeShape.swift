internal import ObjectModel

/// What a property's type makes of its attribute.
struct AttributeShape {
  private(set) var type = AttributeType.undefined
  private(set) var valueClassName: String?
  private(set) var transformerName: String?
  /// The elements of a composite.
  private(set) var elements: [AttributeDescription]?
  /// Where the elements of a composite are declared, and how, where a structure declares them.
  private(set) var declarations: [String: SourceSchema.Declaration] = [:]
  /// What SwiftData notes beside it of an enumeration.
  private(set) var userInfo: [String: String] = [:]
  /// The structures and enumerations on which it depends, but for those of raw values.
  private(set) var values: [TypeDeclaration] = []
  /// The forms in it that no measured store has.
  private(set) var unmeasured: [String] = []
  /// Why no attribute follows.
  private(set) var unresolved: (type: String, reason: String)?

  private let module: SourceModule

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
    case .strings:
      type = .transformable
      valueClassName = "Array<String>"
      transformerName = "NSSecureUnarchiveFromData"
    case .structure(let declaration): structure(declaration)
    case .enumeration(let declaration): enumeration(declaration, property)
    case .array:
      no("of arrays of values, only [String] is known from stores")
    case .unresolved(let type, let reason): unresolved = (type, reason)
    case .model, .models: no("it is a model")
    }
    if unresolved != nil {
      type = .undefined
      elements = nil
    }
  }

  private mutating func read(_ known: KnownType, _ name: String) {
    if case .documented = known.source { unmeasured.append("an attribute of type \(name)") }
    switch known.form {
    case .attribute(let type): self.type = type
    case .composite(let parts):
      type = .composite
      elements = parts.map { AttributeDescription(name: $0.name, attributeType: $0.type) }
    }
  }

  /// A structure becomes a composite of its stored properties, all of which are optional.
  private mutating func structure(_ declaration: TypeDeclaration) {
    values.append(declaration)
    if let reason = problem(of: declaration) {
      unresolved = (declaration.qualifiedName, reason)
      return
    }
    var elements: [AttributeDescription] = []
    for property in declaration.properties where !property.isStatic && property.storage == .stored {
      guard let type = elementType(of: property, in: declaration) else { return }
      var element = AttributeDescription(name: property.name, attributeType: type)
      element.isOptional = true
      elements.append(element)
      declarations[property.name] = .init(
        place: property.place,
        type: property.type.map { "\($0)" }
      )
    }
    guard !elements.isEmpty else {
      unresolved = (declaration.qualifiedName, "it has no stored property")
      return
    }
    type = .composite
    self.elements = elements
  }

  /// Why a structure or enumeration need not be kept by its parts.
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
    let conformances = module.conformances(of: declaration)
    if conformances.contains("RawRepresentable") || conformances.contains("OptionSet") {
      return "it is RawRepresentable, and what SwiftData makes of that is not known"
    }
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

  private mutating func elementType(
    of property: PropertyDeclaration,
    in declaration: TypeDeclaration
  ) -> AttributeType? {
    func no(_ type: String, _ reason: String) -> AttributeType? {
      unresolved = (
        declaration.qualifiedName, "its property \(property.name) is of type \(type): \(reason)"
      )
      return nil
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
      if case .documented = known.source { unmeasured.append("an attribute of type \(name)") }
      guard case .attribute(let type) = known.form else {
        return no("\(written)", "a composite in a composite was never seen")
      }
      return type
    case .array(let areDeclared):
      if !areDeclared { unmeasured.append("\(written) in a structure") }
      return .binary
    case .strings:
      unmeasured.append("[String] in a structure")
      return .binary
    case .structure, .enumeration:
      return no("\(written)", "a composite in a composite was never seen")
    case .model, .models: return no("\(written)", "a model in a structure was never seen")
    case .unresolved(let type, let reason): return no(type, reason)
    }
  }

  /// An enumeration becomes a composite: of one element for its raw value, or of one text for each case.
  private mutating func enumeration(
    _ declaration: TypeDeclaration,
    _ property: PropertyDeclaration
  ) {
    if let reason = problem(of: declaration) {
      unresolved = (declaration.qualifiedName, reason)
      return
    }
    switch rawType(of: declaration) {
    case .known(let known, let name):
      guard case .attribute(let rawType) = known.form else {
        unresolved = (declaration.qualifiedName, "its raw values are of type \(name)")
        return
      }
      if ![.string, .integer64].contains(rawType) || name == "Int64" {
        unmeasured.append("an enumeration of \(name)")
      }
      var element = AttributeDescription(name: property.name, attributeType: rawType)
      element.isOptional = true
      elements = [element]
      type = .composite
      userInfo = [SwiftEnumNote.typeKey: SwiftEnumNote.yes]
    case .unknown(let name):
      unresolved = (declaration.qualifiedName, "its raw values may be of type \(name)")
    case .none: cases(of: declaration)
    }
  }

  private mutating func cases(of declaration: TypeDeclaration) {
    values.append(declaration)
    if let payload = declaration.cases.first(where: \.hasPayload) {
      let reason =
        "its case \(payload.name) carries values, and what SwiftData makes of those is not known"
      unresolved = (declaration.qualifiedName, reason)
      return
    }
    guard !declaration.cases.isEmpty else {
      unresolved = (declaration.qualifiedName, "it has no cases")
      return
    }
    elements = declaration.cases.map { item in
      var element = AttributeDescription(name: item.name, attributeType: .string)
      element.isOptional = true
      return element
    }
    type = .composite
    userInfo = [
      SwiftEnumNote.typeKey: SwiftEnumNote.yes,
      SwiftEnumNote.casesKey: declaration.cases.map(\.name)
        .joined(separator: String(SwiftEnumNote.separator)),
    ]
  }

  private enum RawType {
    case none
    case known(KnownType, String)
    case unknown(String)
  }

  /// The type of raw values, which stands first behind the colon.
  private func rawType(of declaration: TypeDeclaration) -> RawType {
    let scope = Array(declaration.path.dropLast())
    guard let first = declaration.inherited.first else { return .none }
    guard case .named(let path, _) = first, let name = path.last else {
      return .unknown("\(first)")
    }
    switch module.meaning(of: path, in: scope, file: declaration.place.file) {
    case .type(let type) where type.kind == .protocol: return .none
    case .missing where SourceModule.protocols.contains(name): return .none
    default: break
    }
    if case .known(let known, let name) = module.resolve(
      first,
      in: scope,
      file: declaration.place.file
    ).type {
      return .known(known, name)
    }
    return .unknown("\(first)")
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
