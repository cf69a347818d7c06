internal import ObjectModel

extension AttributeShape {
  /// A type of raw values.
  enum RawType {
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
  func rawType(of declaration: TypeDeclaration) -> RawType? {
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

  /// Returns the type of raw values that follows an enumeration's colon; nil where none does.
  func inheritedRawType(of declaration: TypeDeclaration) -> RawType? {
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
}
