internal import ObjectModel

/// A reader of the cases and coding keys of a property's Swift types, which decide how its values are
/// encoded.
struct CodingReader {
  /// The codings of a property, and the places of the types, cases and properties that they name.
  private(set) var codings: [ValueCoding] = []
  private(set) var places: [String: SourcePlace] = [:]
  private let module: SourceModule
  /// The types around the one that is read, as one may lead to itself.
  private var around: Set<[String]> = []
  /// The number of types that may still be looked at.
  private var left = 2_000

  /// The greatest depth of types in types.
  private static let greatestDepth = 8
  /// The most types of one property.
  private static let greatestCount = 200

  /// Returns the codings of a type in the scope of a class.
  ///
  /// - Parameter isPlain: Whether the store has columns of the value's parts, rather than its bytes.
  static func codings(
    of type: SourceType,
    in owner: TypeDeclaration,
    _ module: SourceModule,
    isPlain: Bool
  ) -> CodingReader {
    var reader = CodingReader(module: module)
    reader.read(type, in: owner.path, owner.place.file, at: [], isWithinBytes: !isPlain)
    return reader
  }

  private init(module: SourceModule) { self.module = module }

  private mutating func read(
    _ type: SourceType,
    in scope: [String],
    _ file: String,
    at path: [String],
    isWithinBytes: Bool,
    depth: Int = 0
  ) {
    left -= 1
    guard left > 0, depth < Self.greatestDepth, codings.count < Self.greatestCount else { return }
    switch type {
    case .optional(let wrapped):
      read(wrapped, in: scope, file, at: path, isWithinBytes: isWithinBytes, depth: depth + 1)
    case .array(let element), .set(let element):
      read(element, in: scope, file, at: path, isWithinBytes: true, depth: depth + 1)
    case .dictionary(let key, let value):
      read(key, in: scope, file, at: path + ["key"], isWithinBytes: true, depth: depth + 1)
      read(value, in: scope, file, at: path, isWithinBytes: true, depth: depth + 1)
    case .other: return
    case .named(let names, _):
      switch module.meaning(of: names, in: scope, file: file) {
      case .type(let declaration):
        read(declaration, at: path, isWithinBytes: isWithinBytes, depth: depth)
      case .spelled(let other, let around, let otherFile):
        guard other != type || around != scope else { return }
        read(
          other,
          in: around,
          otherFile,
          at: path,
          isWithinBytes: isWithinBytes,
          depth: depth + 1
        )
      case .ambiguous, .hidden, .missing: return
      }
    }
  }

  private mutating func read(
    _ declaration: TypeDeclaration,
    at path: [String],
    isWithinBytes: Bool,
    depth: Int
  ) {
    guard declaration.doubts.isEmpty, !declaration.isGeneric else { return }
    let functions = ([declaration] + module.extensions(of: declaration)).map(\.functions)
      .reduce(into: Set<String>()) { $0.formUnion($1) }
    // The result of the app's own encoding is not known.
    if functions.contains("init(from:)") || functions.contains("encode(to:)") { return }
    guard around.insert(declaration.path).inserted else { return }
    defer { around.remove(declaration.path) }
    switch declaration.kind {
    case .enumeration: readEnumeration(declaration, at: path, isWithinBytes: isWithinBytes)
    case .structure:
      readStructure(declaration, at: path, isWithinBytes: isWithinBytes, depth: depth)
    case .class, .protocol, .extension: return
    }
  }

  private mutating func readEnumeration(
    _ declaration: TypeDeclaration,
    at path: [String],
    isWithinBytes: Bool
  ) {
    guard !declaration.cases.isEmpty else { return }
    var items: [ValueCoding.Item] = []
    var form = ValueCoding.Form.cases
    if let raw = rawType(of: declaration) {
      form = .rawValues
      guard let values = declaration.rawValues(areText: raw == "String") else { return }
      items = zip(declaration.cases, values).map { item, value in
        if case .string(let text) = value { return .init(item.name, key: SwiftText.literal(text)) }
        return .init(item.name, key: "\(value)")
      }
    } else {
      // An enumeration that computes its raw values.
      guard !module.conformances(of: declaration).contains("RawRepresentable") else { return }
      items = declaration.cases.map { item in
        let payload = item.payload.map { parts in
          "("
            + parts.map { ($0.label.map { "\($0): " } ?? "") + "\($0.type)" }.joined(
              separator: ", "
            )
            + ")"
        }
        return .init(item.name, key: item.name, detail: payload)
      }
    }
    add(declaration, at: path, form, isWithinBytes: isWithinBytes, items)
    for item in declaration.cases { places["\(declaration.name).\(item.name)"] = item.place }
  }

  /// Returns the name of the type of raw values, the first one behind the colon; nil where there is none.
  private func rawType(of declaration: TypeDeclaration) -> String? {
    guard let first = declaration.inherited.first else { return nil }
    let scope = Array(declaration.path.dropLast())
    if case .known(_, let name) = module.resolve(first, in: scope, file: declaration.place.file)
      .type
    {
      return name
    }
    return nil
  }

  private mutating func readStructure(
    _ declaration: TypeDeclaration,
    at path: [String],
    isWithinBytes: Bool,
    depth: Int
  ) {
    let keys = module.codingKeys(of: declaration)
    let properties = declaration.storedProperties.filter { keys == nil || keys?[$0.name] != nil }
    let typed = properties.compactMap { property -> (PropertyDeclaration, SourceType)? in
      let type =
        property.type
        ?? property.value.flatMap {
          module.type(of: $0, in: declaration.path, file: declaration.place.file)
        }
      return type.map { (property, $0) }
    }
    // The parts of a structure that have columns of their own are those of the entity's hash.
    if isWithinBytes || keys != nil {
      let items = typed.map { property, type in
        ValueCoding.Item(
          property.name,
          key: keys.map { SwiftText.literal($0[property.name] ?? property.name) }
            ?? SwiftText.literal(property.name),
          detail: "\(type)"
        )
      }
      add(declaration, at: path, .keys, isWithinBytes: isWithinBytes, items)
      for property in properties {
        places["\(declaration.name).\(property.name)"] = property.place
      }
    }
    for (property, type) in typed {
      read(
        type,
        in: declaration.path,
        declaration.place.file,
        at: path + [property.name],
        isWithinBytes: isWithinBytes,
        depth: depth + 1
      )
    }
  }

  private mutating func add(
    _ declaration: TypeDeclaration,
    at path: [String],
    _ form: ValueCoding.Form,
    isWithinBytes: Bool,
    _ items: [ValueCoding.Item]
  ) {
    codings.append(
      ValueCoding(
        declaration.name,
        at: path.joined(separator: "."),
        form,
        isWithinBytes: isWithinBytes,
        items
      )
    )
    places[declaration.name] = declaration.place
  }
}
