internal import ObjectModel

/// A reader of the properties and value types of a schema as Swift, so that a copy needs nothing outside of
/// it.
struct SpellingReader {
  private let module: SourceModule
  /// The names of the entities by the paths of their classes.
  private let models: [[String]: String]
  private var names: [[String]: String] = [:]
  private var taken: Set<String>
  private var rest: [TypeDeclaration] = []
  private var files: Set<String> = []
  private var spelling = SwiftSpelling()
  /// The number of types that may still be spelled: aliases of dictionaries of aliases grow without
  /// bound.
  private var left = 100_000

  /// The most value types that are followed.
  private static let greatestCount = 1_000
  /// Protocols that the compiler conforms a copy of stored parts to.
  private static let protocols = [
    "OptionSet", "RawRepresentable", "Codable", "Encodable", "Decodable", "Hashable", "Equatable",
    "CaseIterable", "Sendable",
  ]
  /// Constants of types of frameworks.
  private static let constants: Set<String> = [
    "now", "distantPast", "distantFuture", "zero", "pi", "infinity", "max", "min",
  ]

  /// Returns the spelling of the classes of some entities.
  static func read(_ drafts: [EntityDraft], in module: SourceModule) -> SwiftSpelling {
    var reader = SpellingReader(drafts, module)
    for draft in drafts { reader.read(draft) }
    while !reader.rest.isEmpty { reader.read(reader.rest.removeFirst()) }
    reader.finish(drafts)
    return reader.spelling
  }

  private init(_ drafts: [EntityDraft], _ module: SourceModule) {
    self.module = module
    models = Dictionary(
      drafts.map { ($0.type.path, $0.entity.name) },
      uniquingKeysWith: { first, _ in first }
    )
    taken = Set(drafts.map(\.entity.name))
  }

  private mutating func finish(_ drafts: [EntityDraft]) {
    spelling.isPublic = !drafts.isEmpty && drafts.allSatisfy(\.type.isPublic)
    let imports = module.files.filter { files.contains($0.name) }.flatMap(\.imports)
    spelling.imports = Set(imports).sorted(by: ByteOrder.precedes)
    var seen: Set<String> = []
    spelling.problems = spelling.problems.filter { seen.insert($0).inserted }
  }

  // MARK: Declarations

  private mutating func read(_ draft: EntityDraft) {
    let type = draft.type
    files.insert(type.place.file)
    for property in type.properties where draft.declarations[property.name] != nil {
      guard let spelled = spelled(property, of: type) else {
        problem("The type of \(type.name).\(property.name) is not written", property.place)
        continue
      }
      if spelled.value == nil, let value = property.value, value != .null {
        spelling.leftOut.append(.init(entity: draft.entity.name, property: property.name))
      }
      spelling.properties[draft.entity.name, default: [:]][property.name] = spelled
    }
  }

  private mutating func read(_ type: TypeDeclaration) {
    let isEnumeration = type.kind == .enumeration
    files.insert(type.place.file)
    var result = SwiftSpelling.ValueType(
      name: names[type.path] ?? type.name,
      isEnumeration: isEnumeration
    )
    let functions = ([type] + module.extensions(of: type)).map(\.functions)
      .reduce(into: Set<String>()) { $0.formUnion($1) }
    let name = type.qualifiedName
    if type.isGeneric { problem("\(name) is generic", type.place) }
    if let doubt = type.doubts.first {
      problem("\(name) cannot be read: \(doubt.reason)", doubt.place)
    }
    if module.declares("CodingKeys", in: type) || functions.contains("init(from:)")
      || functions.contains("encode(to:)")
    {
      problem("\(name) has coding keys or code of its own that encodes it", type.place)
    }
    let raw = isEnumeration ? rawType(of: type) : nil
    let conformances = conformances(of: type)
    let isCompared = functions.contains("hash(into:)") || functions.contains("==(_:_:)")
    result.inherited =
      [raw].compactMap(\.self)
      + Self.protocols.filter {
        conformances.contains($0) && !(isCompared && ["Hashable", "Equatable"].contains($0))
          && !(raw != nil && $0 == "RawRepresentable")
      }
    if isEnumeration {
      if raw == nil, conformances.contains("RawRepresentable") {
        problem("\(name) computes its raw values", type.place)
      }
      result.cases = type.cases.map { item in
        item.name.escaped + payload(of: item, in: type)
          + (item.rawValue.flatMap { literal($0) }.map { " = \($0)" } ?? "")
      }
    } else {
      for property in type.properties where !property.isStatic && property.storage == .stored {
        guard let spelled = spelled(property, of: type) else {
          problem("The type of \(name).\(property.name) is not written", property.place)
          continue
        }
        result.properties.append(spelled)
      }
      result.isRawRepresentable =
        !conformances.isDisjoint(with: ["OptionSet", "RawRepresentable"])
      if result.isRawRepresentable, !result.properties.contains(where: { $0.name == "rawValue" }) {
        problem("\(name) computes its raw value", type.place)
      }
    }
    spelling.valueTypes.append(result)
  }

  /// Returns the names behind the colons of a type, with those of the app's protocols among them.
  private func conformances(of type: TypeDeclaration) -> Set<String> {
    var result: Set<String> = []
    var seen: Set<[String]> = [type.path]
    var rest = [type]
    while let next = rest.popLast(), seen.count <= Self.greatestCount {
      result.formUnion(module.conformances(of: next))
      let scope = Array(next.path.dropLast())
      for case .named(let path, _) in ([next] + module.extensions(of: next)).flatMap(\.inherited) {
        guard
          case .type(let parent) = module.meaning(of: path, in: scope, file: next.place.file),
          parent.kind == .protocol, seen.insert(parent.path).inserted
        else { continue }
        rest.append(parent)
      }
    }
    return result
  }

  private mutating func payload(of item: EnumerationCase, in type: TypeDeclaration) -> String {
    guard let payload = item.payload else { return "" }
    var parts: [String] = []
    for part in payload {
      parts.append(
        (part.label.map { "\($0): " } ?? "")
          + spelled(part.type, in: type.path, file: type.place.file, at: item.place)
      )
    }
    return "(\(parts.joined(separator: ", ")))"
  }

  /// Returns the type of raw values, which comes first after the colon.
  private mutating func rawType(of type: TypeDeclaration) -> String? {
    guard case .named(let path, _)? = type.inherited.first, let last = path.last,
      !SourceModule.protocols.contains(last)
    else { return nil }
    let scope = Array(type.path.dropLast())
    switch module.meaning(of: path, in: scope, file: type.place.file) {
    case .type(let declared) where declared.kind == .protocol: return nil
    default:
      return spelled(type.inherited[0], in: scope, file: type.place.file, at: type.place)
    }
  }

  private mutating func spelled(
    _ property: PropertyDeclaration,
    of type: TypeDeclaration
  ) -> SwiftSpelling.Property? {
    let (scope, file) = (type.path, type.place.file)
    let written =
      property.type ?? property.value.flatMap { module.type(of: $0, in: scope, file: file) }
    guard let written else { return nil }
    var result = SwiftSpelling.Property(
      name: property.name,
      type: spelled(written, in: scope, file: file, at: property.place)
    )
    result.isConstant = property.isConstant
    result.value = property.value.flatMap { value in
      value == .null ? nil : expression(value, of: written, in: scope, file: file)
    }
    return result
  }

  // MARK: Types

  private mutating func spelled(
    _ type: SourceType,
    in scope: [String],
    file: String,
    at place: SourcePlace,
    left: Int = SourceModule.longestChain
  ) -> String {
    self.left -= 1
    guard left > 0, self.left > 0 else {
      if self.left >= 0 { problem("\(type) leads to itself, or is too large", place) }
      return "\(type)"
    }
    func inner(_ type: SourceType, _ reader: inout SpellingReader) -> String {
      reader.spelled(type, in: scope, file: file, at: place, left: left - 1)
    }
    switch type {
    case .optional(let wrapped): return inner(wrapped, &self) + "?"
    case .array(let element): return "[\(inner(element, &self))]"
    case .set(let element): return "Set<\(inner(element, &self))>"
    case .dictionary(let key, let value): return "[\(inner(key, &self)): \(inner(value, &self))]"
    case .other(let text):
      problem("\(text) is a type that is not understood", place)
      return text
    case .named(let path, let arguments):
      switch module.meaning(of: path, in: scope, file: file) {
      case .type(let declaration):
        if let name = models[declaration.path] { return name.escaped }
        guard [.structure, .enumeration].contains(declaration.kind), arguments.isEmpty else {
          problem("\(type) is no structure or enumeration", place)
          return "\(type)"
        }
        return self.name(of: declaration).escaped
      case .spelled(let other, let around, let otherFile):
        if other != type || around != scope {
          return spelled(other, in: around, file: otherFile, at: place, left: left - 1)
        }
      case .missing:
        if KnownType.named(path) == nil {
          spelling.foreignTypes.insert(path.joined(separator: "."))
        }
      case .ambiguous, .hidden:
        problem("\(type) may mean several types", place)
        return "\(type)"
      }
      let list = arguments.map { inner($0, &self) }.joined(separator: ", ")
      return path.joined(separator: ".") + (list.isEmpty ? "" : "<\(list)>")
    }
  }

  /// Returns the name of a value type in the schema.
  private mutating func name(of type: TypeDeclaration) -> String {
    if let known = names[type.path] { return known }
    var name = type.name
    let isNested = type.path.count > 1
    if taken.contains(name) || isNested && SwiftText.reserved.contains(name) {
      name = type.path.joined()
    }
    while !taken.insert(name).inserted { name += "Value" }
    names[type.path] = name
    if names.count <= Self.greatestCount {
      rest.append(type)
    } else {
      problem("The schema has more than \(Self.greatestCount) value types", type.place)
    }
    return name
  }

  private mutating func problem(_ text: String, _ place: SourcePlace) {
    spelling.problems.append("\(text) (\(place)).")
  }

  // MARK: Values

  private func literal(_ value: SourceExpression) -> String? {
    switch value {
    case .string(let text): SwiftText.literal(text)
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .null: "nil"
    default: nil
    }
  }

  /// Returns an initial value that refers to the schema and to frameworks alone; nil for any other.
  private mutating func expression(
    _ value: SourceExpression,
    of type: SourceType?,
    in scope: [String],
    file: String
  ) -> String? {
    if let literal = literal(value) { return literal }
    switch value {
    case .array(let elements):
      var parts: [String] = []
      for element in elements {
        guard let part = expression(element, of: type?.element, in: scope, file: file) else {
          return nil
        }
        parts.append(part)
      }
      return "[\(parts.joined(separator: ", "))]"
    case .call(.type(let made), let arguments) where arguments.isEmpty:
      let place = SourcePlace(file: file, line: 0)
      return spelled(made, in: scope, file: file, at: place) + "()"
    case .call(.member(["init"]), let arguments):
      return list(arguments, in: scope, file: file).map { ".init\($0)" }
    case .call(.member(let path), let arguments) where path.count == 1:
      guard case .enumeration(let declared)? = resolved(type, scope, file),
        declared.cases.contains(where: { $0.name == path[0] && $0.payload != nil })
      else { return nil }
      return list(arguments, in: scope, file: file).map { ".\(path[0].escaped)\($0)" }
    case .call(.reference(let path), let arguments):
      let path = path.last == "init" ? Array(path.dropLast()) : path
      guard let last = path.last, last.first?.isUppercase == true,
        let owner = owner(path, scope, file), let list = list(arguments, in: scope, file: file)
      else { return nil }
      return owner + list
    case .member(let path) where path.count == 1:
      switch resolved(type, scope, file) {
      case .enumeration(let declared)?:
        return declared.cases.contains { $0.name == path[0] && $0.payload == nil }
          ? ".\(path[0].escaped)" : nil
      case .known?: return Self.constants.contains(path[0]) ? ".\(path[0])" : nil
      default: return nil
      }
    case .reference(let path) where path.count > 1:
      let (names, constant) = (Array(path.dropLast()), path[path.count - 1])
      switch module.meaning(of: names, in: scope, file: file) {
      case .type(let declared)
      where declared.kind == .enumeration
        && declared.cases.contains(where: { $0.name == constant && $0.payload == nil }):
        return "\(name(of: declared).escaped).\(constant.escaped)"
      case .missing where Self.constants.contains(constant):
        return path.joined(separator: ".")
      default: return nil
      }
    case .other("[:]"): return "[:]"
    default: return nil
    }
  }

  /// Returns the type that an initializer makes: of a framework, or a structure without initializers of
  /// its own.
  private mutating func owner(_ path: [String], _ scope: [String], _ file: String) -> String? {
    switch module.meaning(of: path, in: scope, file: file) {
    case .missing: return path.joined(separator: ".")
    case .type(let declared) where declared.kind == .structure:
      let functions = ([declared] + module.extensions(of: declared)).flatMap(\.functions)
      return functions.contains { $0.hasPrefix("init(") } ? nil : name(of: declared).escaped
    default: return nil
    }
  }

  private mutating func list(
    _ arguments: [SourceExpression.Argument],
    in scope: [String],
    file: String
  ) -> String? {
    var parts: [String] = []
    for argument in arguments {
      guard let value = expression(argument.value, of: nil, in: scope, file: file) else {
        return nil
      }
      parts.append((argument.label.map { "\($0): " } ?? "") + value)
    }
    return "(\(parts.joined(separator: ", ")))"
  }

  private func resolved(
    _ type: SourceType?,
    _ scope: [String],
    _ file: String
  ) -> ResolvedType? {
    type.map { module.resolve($0, in: scope, file: file).type }
  }
}

extension SourceType {
  /// The type of the elements of an array or a set.
  fileprivate var element: SourceType? {
    switch unwrapped {
    case .array(let element), .set(let element): element
    default: nil
    }
  }
}

extension String {
  /// The name as an identifier, in backticks where it is a keyword.
  fileprivate var escaped: String { SwiftText.identifier(self) ?? "`\(self)`" }
}
