internal import ObjectModel

/// A type of Apple's frameworks, or of Swift's library, and what SwiftData makes of it.
struct KnownType {
  /// What a property of the type becomes.
  enum Form {
    /// An attribute of a type.
    case attribute(AttributeType)
    /// A composite of required elements.
    case composite([(name: String, type: AttributeType)])
  }

  /// From where it is known.
  enum Source: Hashable {
    /// Stores of public apps have it, and their hashes are reproduced.
    case measured
    /// Apple documents the attribute type that keeps such values, and no measured store has one.
    case documented(String)
  }

  /// What a property of the type becomes.
  let form: Form
  /// From where that is known.
  let source: Source

  /// The modules whose names may stand before a type.
  static let modules: Set<String> = [
    "Swift", "Foundation", "SwiftUI", "SwiftUICore", "CoreGraphics",
  ]

  /// The type of a name, also with its module before it; nil where what becomes of it is not known.
  static func named(_ path: [String]) -> KnownType? {
    let name = path.joined(separator: ".")
    if let known = table[name] { return known }
    guard path.count > 1, modules.contains(path[0]) else { return nil }
    return table[path.dropFirst().joined(separator: ".")]
  }

  private static func measured(_ type: AttributeType) -> KnownType {
    KnownType(form: .attribute(type), source: .measured)
  }

  /// Apple's page of an attribute type says which values it keeps.
  private static func documented(_ type: AttributeType, _ page: String) -> KnownType {
    let url = "https://developer.apple.com/documentation/coredata/nsattributetype/\(page)"
    return KnownType(form: .attribute(type), source: .documented(url))
  }

  private static let table: [String: KnownType] = [
    // Stores of frameworks 1345 to 1414.
    "String": measured(.string),
    "Int": measured(.integer64),
    "Double": measured(.double),
    "Bool": measured(.boolean),
    "UUID": measured(.uuid),
    "Date": measured(.date),
    "Data": measured(.binary),
    // Of a composite, `Color.Resolved`.
    "Float": measured(.float),
    "Color.Resolved": KnownType(
      form: .composite([
        ("linearRed", .float), ("linearGreen", .float), ("linearBlue", .float),
        ("opacity", .float),
      ]),
      source: .measured
    ),
    "Int16": documented(.integer16, "integer16attributetype"),
    "Int32": documented(.integer32, "integer32attributetype"),
    "Int64": documented(.integer64, "integer64attributetype"),
    "Decimal": documented(.decimal, "decimalattributetype"),
    "URL": documented(.uri, "uriattributetype"),
  ]
}
