/// A type as a source spells it: nothing is resolved.
package indirect enum SourceType: Hashable, Sendable {
  /// A name, with the types around it: `Color.Resolved`. Arguments of generics belong to the last one.
  case named([String], arguments: [SourceType])
  /// `T?`, `T!` or `Optional<T>`.
  case optional(SourceType)
  /// `[T]` or `Array<T>`.
  case array(SourceType)
  /// `Set<T>`.
  case set(SourceType)
  /// `[K: V]` or `Dictionary<K, V>`.
  case dictionary(SourceType, SourceType)
  /// Another type, such as a tuple, a function or an existential; its text.
  case other(String)

  /// The greatest depth to which types are read; a deeper one is ``other(_:)``.
  static let greatestDepth = 32

  /// Returns a name without arguments.
  static func named(_ path: [String]) -> SourceType { .named(path, arguments: []) }

  /// The type without the optional around it.
  var unwrapped: SourceType {
    if case .optional(let wrapped) = self { wrapped } else { self }
  }

  /// The type in Swift's short form: an array for `Array<T>`, an optional for `Optional<T>`; else itself.
  var normalized: SourceType {
    guard case .named(let path, let arguments) = self else { return self }
    let name = path.count == 2 && path[0] == "Swift" ? path[1] : path.count == 1 ? path[0] : ""
    switch (name, arguments.count) {
    case ("Optional", 1): return .optional(arguments[0])
    case ("Array", 1): return .array(arguments[0])
    case ("Set", 1): return .set(arguments[0])
    case ("Dictionary", 2): return .dictionary(arguments[0], arguments[1])
    default: return self
    }
  }
}

extension SourceType: CustomStringConvertible {
  /// The type in Swift's short spelling.
  package var description: String {
    switch self {
    case .named(let path, let arguments):
      path.joined(separator: ".")
        + (arguments.isEmpty ? "" : "<\(arguments.map(\.description).joined(separator: ", "))>")
    case .optional(let wrapped): "\(wrapped)?"
    case .array(let element): "[\(element)]"
    case .set(let element): "Set<\(element)>"
    case .dictionary(let key, let value): "[\(key): \(value)]"
    case .other(let text): text
    }
  }
}
