internal import ObjectModel

/// What a property's type is, as far as the sources and Apple's documents say.
enum ResolvedType {
  /// A type of a framework.
  case known(KnownType, name: String)
  /// `[String]`, which stores keep by a transformer.
  case strings
  /// A class with `@Model`.
  case model(TypeDeclaration)
  /// Several objects of such a class.
  case models(TypeDeclaration, elementsAreOptional: Bool)
  /// A structure.
  case structure(TypeDeclaration)
  /// An enumeration.
  case enumeration(TypeDeclaration)
  /// An array of anything else, and whether its elements are values that the sources declare.
  case array(ofDeclaredValues: Bool)
  /// Something of which no attribute follows, and why.
  case unresolved(type: String, reason: String)
}

extension SourceModule {
  /// What a type of a scope is, and whether it is optional.
  ///
  /// - Complexity: O(*d*) in the depth of the type and the length of aliases, both of which are bounded.
  func resolve(
    _ type: SourceType,
    in scope: [String],
    file: String
  ) -> (type: ResolvedType, isOptional: Bool) {
    resolve(type, in: scope, file: file, left: Self.longestChain)
  }

  private func resolve(
    _ type: SourceType,
    in scope: [String],
    file: String,
    left: Int
  ) -> (type: ResolvedType, isOptional: Bool) {
    guard left > 0 else {
      return (.unresolved(type: "\(type)", reason: "it leads to itself"), false)
    }
    func no(_ reason: String) -> (ResolvedType, Bool) {
      (.unresolved(type: "\(type)", reason: reason), false)
    }
    switch type {
    case .optional(let wrapped):
      let inner = resolve(wrapped, in: scope, file: file, left: left - 1)
      return inner.isOptional ? no("it is optional twice") : (inner.type, true)
    case .array(let element):
      let inner = resolve(element, in: scope, file: file, left: left - 1)
      switch inner.type {
      case .model(let model): return (.models(model, elementsAreOptional: inner.isOptional), false)
      case .known(let known, name: "String") where known.source == .measured && !inner.isOptional:
        return (.strings, false)
      case .structure, .enumeration: return (.array(ofDeclaredValues: true), false)
      default: return (.array(ofDeclaredValues: false), false)
      }
    case .set, .dictionary:
      return no("no measured store and no document says how SwiftData keeps it")
    case .other: return no("it is no type that SwiftData documents")
    case .named(let path, let arguments):
      switch meaning(of: path, in: scope, file: file) {
      case .ambiguous(let places):
        return no("it is declared in \(places.map(\.description).joined(separator: " and "))")
      case .hidden(let file): return no("\(file) may declare it, and is not read as a whole")
      case .spelled(let spelled, let around, let file):
        return spelled == type && around == scope
          ? known(type, path, arguments)
          : resolve(spelled, in: around, file: file, left: left - 1)
      case .type(let declaration):
        if declaration.isGeneric || !arguments.isEmpty { return no("it is generic") }
        switch declaration.kind {
        case .class where declaration.isModel: return (.model(declaration), false)
        case .class: return no("it is a class without @Model")
        case .structure: return (.structure(declaration), false)
        case .enumeration: return (.enumeration(declaration), false)
        case .protocol, .extension: return no("it is a protocol")
        }
      case .missing: return known(type, path, arguments)
      }
    }
  }

  /// What is said of a name that neither the sources nor the table have.
  static let unknown = "the sources do not declare it, and what SwiftData makes of it is not known"

  private func known(
    _ type: SourceType,
    _ path: [String],
    _ arguments: [SourceType]
  ) -> (type: ResolvedType, isOptional: Bool) {
    guard arguments.isEmpty, let known = KnownType.named(path) else {
      return (.unresolved(type: "\(type)", reason: Self.unknown), false)
    }
    return (.known(known, name: path.last ?? ""), false)
  }
}
