internal import ObjectModel

/// A type of Apple's frameworks, or of Swift's library, with its form in SwiftData's schema.
struct KnownType {
  /// The form of a property of the type in the model.
  enum Form {
    /// An attribute of a type.
    case attribute(AttributeType)
    /// A composite of required elements.
    case composite([(name: String, type: AttributeType)])
  }

  /// The form of a property of the type in the model.
  let form: Form
  /// The proof of the form.
  let proof: ShapeProof

  /// The modules whose names may precede a type.
  static let modules: Set<String> = [
    "Swift", "Foundation", "SwiftUI", "SwiftUICore", "CoreGraphics", "CoreFoundation",
    "CoreLocation", "Darwin",
  ]

  /// Returns the type of a name, also with its module before it, and the name without aliases; nil where
  /// the type is not known.
  static func named(_ path: [String]) -> (type: KnownType, name: String)? {
    let name = path.joined(separator: ".")
    if let known = known(name) { return known }
    guard path.count > 1, modules.contains(path[0]) else { return nil }
    return known(path.dropFirst().joined(separator: "."))
  }

  private static func known(_ name: String) -> (type: KnownType, name: String)? {
    let name = aliases[name] ?? name
    return table[name].map { ($0, name) }
  }

  /// Other names that Swift's library and Apple's frameworks declare by `typealias`.
  static let aliases: [String: String] = [
    "TimeInterval": "Double", "CFTimeInterval": "Double", "CFAbsoluteTime": "Double",
    "Float64": "Double", "CDouble": "Double", "CLLocationDegrees": "Double",
    "CLLocationDistance": "Double", "CLLocationDirection": "Double", "CLLocationSpeed": "Double",
    "CLLocationAccuracy": "Double", "CLLocationDirectionAccuracy": "Double",
    "CLLocationSpeedAccuracy": "Double", "Float32": "Float", "CFloat": "Float",
    "IntegerLiteralType": "Int", "FloatLiteralType": "Double", "BooleanLiteralType": "Bool",
    "StringLiteralType": "String", "CInt": "Int32", "CShort": "Int16", "CLong": "Int",
    "CLongLong": "Int64", "CBool": "Bool", "OSStatus": "Int32", "CGWindowID": "UInt32",
    "CUnsignedInt": "UInt32", "CChar": "Int8", "CUnsignedChar": "UInt8",
  ]

  private static func attribute(_ type: AttributeType, _ proof: ShapeProof) -> KnownType {
    KnownType(form: .attribute(type), proof: proof)
  }

  /// The types, each with the attribute that SwiftData makes of it and the proof of that.
  ///
  /// Apple's page of an attribute type states which values it keeps, such as
  /// https://developer.apple.com/documentation/coredata/nsattributetype/integer16attributetype.
  static let table: [String: KnownType] = [
    // Stores of frameworks 1345 to 1414.
    "String": attribute(.string, .measured),
    "Int": attribute(.integer64, .measured),
    "Double": attribute(.double, .measured),
    "Bool": attribute(.boolean, .measured),
    "UUID": attribute(.uuid, .measured),
    "Date": attribute(.date, .measured),
    "Data": attribute(.binary, .measured),
    // Measured within a composite, `Color.Resolved`.
    "Float": attribute(.float, .measured),
    "Color.Resolved": KnownType(
      form: .composite([
        ("linearRed", .float), ("linearGreen", .float), ("linearBlue", .float),
        ("opacity", .float),
      ]),
      proof: .measured
    ),
    "Int16": attribute(.integer16, .documented),
    "Int32": attribute(.integer32, .documented),
    "Int64": attribute(.integer64, .documented),
    "Decimal": attribute(.decimal, .documented),
    "URL": attribute(.uri, .documented),
    // The attribute type that is as wide; text for what is text.
    "Int8": attribute(.integer16, .assumed),
    "UInt8": attribute(.integer16, .assumed),
    "UInt16": attribute(.integer16, .assumed),
    "UInt32": attribute(.integer32, .assumed),
    "UInt64": attribute(.integer64, .assumed),
    "UInt": attribute(.integer64, .assumed),
    "CGFloat": attribute(.double, .assumed),
    "Float16": attribute(.float, .assumed),
    "Character": attribute(.string, .assumed),
    "Substring": attribute(.string, .assumed),
  ]
}
