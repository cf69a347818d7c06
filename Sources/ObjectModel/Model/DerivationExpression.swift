/// The derivation of a derived attribute's value from others, since iOS 13.
///
/// Counterpart of `NSDerivedAttributeDescription.derivationExpression`. The effect of the first four
/// forms on version hashes was measured on stores of public apps.
public enum DerivationExpression: Hashable, Sendable {
  /// A key path through to-one relationships: `category.name`.
  case keyPath([String])
  /// The time of the save: `now()`.
  case now
  /// A function of one key path: `canonical:(name)`.
  case function(name: String, keyPath: [String])
  /// A collection operator over a to-many relationship: `articles.@count`.
  case aggregate(keyPath: [String], operation: String, operand: [String])
  /// A form not understood, kept as the model spells it.
  case other(String)

  /// Creates the expression that a model's text spells; never fails, see ``other(_:)``.
  public init(parsing text: String) {
    if text == "now()" {
      self = .now
      return
    }
    if let open = text.firstIndex(of: "("), text.hasSuffix(")"), text[..<open].hasSuffix(":") {
      let argument = text[text.index(after: open)...].dropLast()
      if let path = Self.path(argument) {
        self = .function(name: String(text[..<open].dropLast()), keyPath: path)
        return
      }
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if let at = parts.firstIndex(where: { $0.hasPrefix("@") }), at > 0 {
      let names = parts[..<at] + parts[(at + 1)...]
      if names.allSatisfy(Self.isName), parts[at].count > 1 {
        self = .aggregate(
          keyPath: Array(parts[..<at]),
          operation: String(parts[at].dropFirst()),
          operand: Array(parts[(at + 1)...])
        )
        return
      }
    } else if let path = Self.path(text[...]) {
      self = .keyPath(path)
      return
    }
    self = .other(text)
  }

  private static func path(_ text: Substring) -> [String]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.allSatisfy(isName) ? parts : nil
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 == 0x5f || $0 > 0x7f || isAlphanumeric($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: false
    }
  }
}

extension DerivationExpression: CustomStringConvertible {
  /// The text as a model spells it.
  public var description: String {
    switch self {
    case .keyPath(let path): path.joined(separator: ".")
    case .now: "now()"
    case .function(let name, let path): "\(name):(\(path.joined(separator: ".")))"
    case .aggregate(let path, let operation, let operand):
      (path + ["@" + operation] + operand).joined(separator: ".")
    case .other(let text): text
    }
  }
}

extension DerivationExpression {
  /// The relationship whose objects are counted, where that is all.
  package var countedRelationship: String? {
    switch self {
    case .aggregate(let path, "count", let operand) where path.count == 1 && operand.isEmpty:
      path[0]
    // Models kept inside stores spell the same so.
    case .function("count", let path) where path.count == 1: path[0]
    case .aggregate, .function, .keyPath, .now, .other: nil
    }
  }

  /// Whether a migration computes the value; of other forms only what Core Data does is known, which
  /// sets them when it saves an object.
  package var isComputed: Bool {
    if case .keyPath(let path) = self { return path.count == 2 }
    return countedRelationship != nil
  }
}
