extension SourceModule {
  /// The type of a property that has none written, as its initial value tells; nil where it does not.
  func type(of value: SourceExpression, in scope: [String], file: String) -> SourceType? {
    switch value {
    case .string: return .named(["String"])
    case .integer: return .named(["Int"])
    case .real: return .named(["Double"])
    case .boolean: return .named(["Bool"])
    case .call(.type(let type), _): return type
    case .call(.reference(let path), _): return constructed(path)
    case .reference(let path): return path.count > 1 ? valued(path, in: scope, file: file) : nil
    case .array(let elements):
      let types = Set(elements.map { type(of: $0, in: scope, file: file) })
      guard types.count == 1, let only = types.first, let only else { return nil }
      return .array(only)
    case .call, .type, .null, .member, .keyPath, .sum, .other: return nil
    }
  }

  /// What a call of a name makes: the type of that name.
  private func constructed(_ path: [String]) -> SourceType? {
    let path = path.last == "init" ? Array(path.dropLast()) : path
    guard let last = path.last, last.first?.isUppercase == true else { return nil }
    return .named(path)
  }

  /// The type of a constant of a type: `Date.now`, `Kind.other`.
  private func valued(_ path: [String], in scope: [String], file: String) -> SourceType? {
    let owner = Array(path.dropLast())
    switch meaning(of: owner, in: scope, file: file) {
    case .type(let type) where type.kind == .enumeration:
      return type.cases.contains { $0.name == path.last } ? .named(owner) : nil
    case .missing:
      return path == ["Date", "now"] || path == ["Date", "distantPast"]
        || path == ["Date", "distantFuture"] ? .named(owner) : nil
    default: return nil
    }
  }
}
