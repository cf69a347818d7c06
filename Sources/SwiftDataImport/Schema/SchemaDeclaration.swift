internal import ObjectModel

/// Reads what a type with `VersionedSchema` says of itself.
struct SchemaDeclaration {
  private let module: SourceModule

  init(_ module: SourceModule) { self.module = module }

  /// The version identifier, or nil where it is not understood.
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

  /// The classes that it names, and what keeps the list from being understood.
  func models(of type: TypeDeclaration) -> (models: [TypeDeclaration], findings: [Finding]) {
    guard let property = module.staticProperty("models", of: type) else {
      return ([], [unresolved("declares no `models`", at: type.place, type)])
    }
    guard let value = property.value else {
      return ([], [unresolved("computes its `models`", at: property.place, type)])
    }
    return models(value, of: type, at: property.place, left: SourceModule.longestChain)
  }

  private func models(
    _ value: SourceExpression,
    of type: TypeDeclaration,
    at place: SourcePlace,
    left: Int
  ) -> (models: [TypeDeclaration], findings: [Finding]) {
    func no(_ reason: String) -> ([TypeDeclaration], [Finding]) {
      ([], [unresolved(reason, at: place, type)])
    }
    guard left > 0 else { return no("has `models` that refer to themselves") }
    switch value {
    case .array(let elements):
      var models: [TypeDeclaration] = []
      var findings: [Finding] = []
      for element in elements {
        guard case .reference(let path) = element, path.last == "self", path.count > 1 else {
          findings.append(
            unresolved("has `models` with \(element), which is no class", at: place, type)
          )
          continue
        }
        let name = Array(path.dropLast())
        guard
          case .type(let model) = module.meaning(of: name, in: type.path, file: type.place.file),
          model.isModel
        else {
          let shown = name.joined(separator: ".")
          let reason =
            "names \(shown), and the sources declare no class with @Model, or several, of that name"
          findings.append(unresolved(reason, at: place, type))
          continue
        }
        models.append(model)
      }
      return (models, findings)
    case .sum(let terms):
      let parts = terms.map { models($0, of: type, at: place, left: left - 1) }
      return (parts.flatMap(\.models), parts.flatMap(\.findings))
    case .reference(let path) where path.last == "models" && path.count > 1:
      let owner = Array(path.dropLast())
      guard case .type(let other) = module.meaning(of: owner, in: type.path, file: type.place.file),
        let value = module.staticProperty("models", of: other)?.value
      else { return no("has `models` of \(owner.joined(separator: ".")), which is not understood") }
      return models(value, of: other, at: place, left: left - 1)
    default: return no("computes its `models`")
    }
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
