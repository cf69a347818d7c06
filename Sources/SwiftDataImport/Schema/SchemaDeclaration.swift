internal import ObjectModel

/// A reader of a type that conforms to `VersionedSchema`.
struct SchemaDeclaration {
  private let module: SourceModule

  init(_ module: SourceModule) { self.module = module }

  /// Returns the version identifier, or nil where it is not understood.
  func identifier(of type: TypeDeclaration) -> String? {
    guard let property = module.staticProperty("versionIdentifier", of: type),
      case .call(let callee, let arguments)? = property.value
    else { return nil }
    switch callee {
    case .reference(let path) where ["Version", "init"].contains(path.last): break
    case .member(["init"]): break
    default: return nil
    }
    let numbers = arguments.compactMap { argument -> String? in
      if argument.label == nil, case .integer(let number) = argument.value {
        "\(number)"
      } else {
        nil
      }
    }
    return numbers.count == 3 && arguments.count == 3 ? numbers.joined(separator: ".") : nil
  }

  /// Returns the classes in its list of models, and the reasons why the list is not understood.
  func models(of type: TypeDeclaration) -> (models: [TypeDeclaration], findings: [Finding]) {
    guard let property = module.staticProperty("models", of: type) else {
      return ([], [unresolved("declares no `models`", at: type.place, type)])
    }
    guard let value = property.value else {
      return ([], [unresolved("computes its models", at: property.place, type)])
    }
    let list = ModelList(value, in: type.path, file: type.place.file, of: module)
    return (list.models, list.doubts.map { unresolved($0, at: property.place, type) })
  }

  private func unresolved(
    _ reason: String,
    at place: SourcePlace,
    _ type: TypeDeclaration
  ) -> Finding {
    Finding(
      .unresolvedForm,
      .error,
      at: place.finding(),
      message: "\(type.qualifiedName) \(reason), so that its hashes are unknown.",
      remedy: "Write `static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }`."
    )
  }
}
