extension SourceModule {
  /// Returns the type of a property without a written one, derived from its initial value; nil where it
  /// cannot be derived.
  func type(of value: SourceExpression, in scope: [String], file: String) -> SourceType? {
    switch value {
    case .string: return .named(["String"])
    case .integer: return .named(["Int"])
    case .real: return .named(["Double"])
    case .boolean: return .named(["Bool"])
    case .call(.type(let type), let arguments): return arguments.isEmpty ? type : nil
    case .call(.reference(let path), let arguments):
      return constructed(path, arguments, in: scope, file: file)
    case .reference(let path): return path.count > 1 ? valued(path, in: scope, file: file) : nil
    case .array(let elements):
      let types = Set(elements.map { type(of: $0, in: scope, file: file) })
      guard types.count == 1, let only = types.first, let only else { return nil }
      return .array(only)
    case .call, .type, .null, .member, .keyPath, .sum, .other: return nil
    }
  }

  /// Returns the type that a call of a name makes; nil where its initializer may return nil.
  ///
  /// Without arguments, initializers of frameworks return a value, and so do all of `Date`. A type of
  /// the sources does where it declares no initializer.
  private func constructed(
    _ path: [String],
    _ arguments: [SourceExpression.Argument],
    in scope: [String],
    file: String
  ) -> SourceType? {
    let path = path.last == "init" ? Array(path.dropLast()) : path
    guard let last = path.last, last.first?.isUppercase == true else { return nil }
    switch meaning(of: path, in: scope, file: file) {
    case .type(let type):
      let functions = ([type] + extensions(of: type)).flatMap(\.functions)
      let isMemberwise =
        type.kind == .structure && !functions.contains { $0.hasPrefix("init(") }
      return isMemberwise ? .named(path) : nil
    case .missing, .spelled: return arguments.isEmpty || last == "Date" ? .named(path) : nil
    case .ambiguous, .hidden: return nil
    }
  }

  /// Returns the type of a constant of a type: `Date.now`, `Kind.other`.
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

extension TypeDeclaration {
  /// Returns the raw values of an enumeration's cases, in their order; nil where one is not known.
  ///
  /// - Parameter areText: Whether a case without a written one has its name, and not the next number.
  func rawValues(areText: Bool) -> [SourceExpression]? {
    var result: [SourceExpression] = []
    var next: Int64? = 0
    for item in cases {
      switch item.rawValue {
      case .string(let text)?: result.append(.string(text))
      case .integer(let number)?:
        result.append(.integer(number))
        next = number < .max ? number + 1 : nil
      case .real(let number)?: result.append(.real(number))
      case nil where areText: result.append(.string(item.name))
      case nil:
        guard let number = next else { return nil }
        result.append(.integer(number))
        next = number < .max ? number + 1 : nil
      default: return nil
      }
    }
    return result
  }
}
