internal import ObjectModel

/// The meaning of a property's type, as far as the sources and Apple's documents define it.
enum ResolvedType {
  /// A type of a framework.
  case known(KnownType, name: String)
  /// A class with `@Model`.
  case model(TypeDeclaration)
  /// Several objects of such a class.
  case models(TypeDeclaration, elementsAreOptional: Bool)
  /// A structure.
  case structure(TypeDeclaration)
  /// An enumeration.
  case enumeration(TypeDeclaration)
  /// An array, a set or a dictionary of values.
  case collection(ValueCollection)
  /// A type without an attribute, with the reason.
  case unresolved(type: String, reason: String)
}

/// An array, a set or a dictionary of values, which stores keep as one value.
struct ValueCollection {
  /// The type in Swift's long spelling, with aliases resolved: `Array<String>`.
  var text: String
  /// The type in Swift's short spelling, likewise: `[String]`.
  var short: String
  /// The proof that it is transformable.
  var proof: ShapeProof
  /// Whether it is an array of values that the sources declare.
  var isOfDeclaredValues = false
  /// The value of `[]` or `[:]`, where the sources declare none of the types in it.
  var empty: EmptyCollection?
}

extension SourceModule {
  /// Returns the meaning of a type in a scope, and whether it is optional.
  ///
  /// - Complexity: O(*d*) in the depth of the type and the length of aliases; both are bounded.
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
      if case .model(let model) = inner.type {
        return (.models(model, elementsAreOptional: inner.isOptional), false)
      }
      return collection("Array", [inner], of: type)
    case .set(let element):
      return collection("Set", [resolve(element, in: scope, file: file, left: left - 1)], of: type)
    case .dictionary(let key, let value):
      let parts = [key, value].map { resolve($0, in: scope, file: file, left: left - 1) }
      return collection("Dictionary", parts, of: type)
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

  /// The reason for a name that neither the sources nor the table of known types has.
  static let unknown = "the sources do not declare it, and what SwiftData makes of it is not known"

  /// Returns a collection of values, or the reason why it is none.
  private func collection(
    _ name: String,
    _ parts: [(type: ResolvedType, isOptional: Bool)],
    of type: SourceType
  ) -> (type: ResolvedType, isOptional: Bool) {
    var texts: [String] = []
    var shorts: [String] = []
    for part in parts {
      let text: String
      var short: String?
      switch part.type {
      case .known(_, let name): text = name
      case .structure(let declaration), .enumeration(let declaration): text = declaration.name
      case .collection(let inner):
        text = inner.text
        short = inner.short
      case .unresolved(let type, let reason):
        return (.unresolved(type: type, reason: reason), false)
      case .model, .models:
        return (
          .unresolved(type: "\(type)", reason: "it holds models and is no array of them"), false
        )
      }
      texts.append(part.isOptional ? "Optional<\(text)>" : text)
      shorts.append((short ?? text) + (part.isOptional ? "?" : ""))
    }
    var result = ValueCollection(
      text: "\(name)<\(texts.joined(separator: ", "))>",
      short: name == "Set" ? "Set<\(shorts[0])>" : "[\(shorts.joined(separator: ": "))]",
      proof: .assumed
    )
    let isOfKnownValues = parts.allSatisfy { part in
      switch part.type {
      case .known: true
      case .collection(let inner): inner.empty != nil
      default: false
      }
    }
    if isOfKnownValues, name != "Set" { result.empty = name == "Array" ? .array : .dictionary }
    if name == "Array", let only = parts.first {
      switch only.type {
      case .known(let known, let element):
        result.proof =
          element == "String" && !only.isOptional
          ? .measured : known.proof < .reported ? .reported : .assumed
      case .structure, .enumeration: result.isOfDeclaredValues = true
      default: break
      }
    }
    return (.collection(result), false)
  }

  private func known(
    _ type: SourceType,
    _ path: [String],
    _ arguments: [SourceType]
  ) -> (type: ResolvedType, isOptional: Bool) {
    guard arguments.isEmpty, let known = KnownType.named(path) else {
      return (.unresolved(type: "\(type)", reason: Self.unknown), false)
    }
    guard case .attribute(let type)? = learned(known.name) else {
      return (.known(known.type, name: known.name), false)
    }
    return (
      .known(KnownType(form: .attribute(type), proof: .measuredHere), name: known.name), false
    )
  }
}
