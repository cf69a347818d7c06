/// The spelling of a model's names and values in Swift.
package enum SwiftText {
  /// Returns a name as an identifier; nil where it is none, so that no text of a model becomes code.
  ///
  /// Only ASCII is taken: the further characters of identifiers depend on the compiler's tables.
  package static func identifier(_ name: String) -> String? {
    let isFirst = { (byte: UInt8) in
      (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 0x5f
    }
    guard let first = name.utf8.first, isFirst(first), !forbidden.contains(name),
      name.utf8.allSatisfy({ isFirst($0) || (0x30...0x39).contains($0) })
    else { return nil }
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// Returns a type such as `Array<String>` as Swift spells it, sugared; nil where it is no name of a
  /// type.
  package static func type(_ name: String) -> String? {
    let isPlain = name.utf8.allSatisfy {
      (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || (0x30...0x39).contains($0)
        || [0x5f, 0x2e, 0x3c, 0x3e, 0x2c, 0x20].contains($0)
    }
    guard isPlain, name.utf8.first.map({ !(0x30...0x39).contains($0) }) == true,
      name.utf8.count < 200
    else { return nil }
    guard name.hasPrefix("Array<"), name.hasSuffix(">") else { return balanced(name) }
    return type(String(name.dropFirst(6).dropLast())).map { "[\($0)]" }
  }

  private static func balanced(_ name: String) -> String? {
    var depth = 0
    for character in name {
      if character == "<" { depth += 1 }
      if character == ">" { depth -= 1 }
      guard depth >= 0 else { return nil }
    }
    return depth == 0 ? name : nil
  }

  /// Returns a text as a literal.
  package static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      // Marks that turn the direction of text, and other invisible ones, are written as numbers.
      case _ where scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7f:
        result.unicodeScalars.append(scalar)
      default: result += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return result + "\""
  }

  /// Returns the value of a default as an expression; nil where the type has no literal.
  package static func value(_ value: AttributeValue, of type: AttributeType) -> String? {
    switch value {
    case .integer(let number): type.isNumeric && type != .boolean ? "\(number)" : nil
    case .real(let number):
      number.isFinite && [.double, .float, .decimal].contains(type) ? "\(number)" : nil
    case .boolean(let flag): type == .boolean ? "\(flag)" : nil
    case .string(let text): type == .string ? literal(text) : nil
    case .date(let seconds):
      seconds.isFinite && type == .date
        ? "Date(timeIntervalSinceReferenceDate: \(seconds))" : nil
    case .decimal(let digits):
      type == .decimal && Double(digits)?.isFinite == true
        && digits.utf8.allSatisfy { "0123456789.-".utf8.contains($0) }
        ? "Decimal(string: \(literal(digits))) ?? 0" : nil
    case .uuid: type == .uuid ? "UUID()" : nil
    case .binary where type == .transformable: EmptyCollection(value)?.literal
    case .binary(let bytes): bytes.isEmpty && type == .binary ? "Data()" : nil
    case .uri: nil
    }
  }

  /// Returns the name with a capital first letter.
  package static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Names of Swift, Foundation and SwiftData that a type of an app should not hide.
  package static let reserved: Set<String> = [
    "Any", "Array", "Attribute", "Bool", "Character", "Codable", "Collection", "Color", "Data",
    "Date",
    "Decimal", "Dictionary", "Double", "Error", "Float", "Hashable", "Identifiable", "Index", "Int",
    "Int16", "Int32", "Int64", "Locale", "Measurement", "Model", "Never", "Notification",
    "Optional",
    "Predicate", "Query", "Range", "Relationship", "Result", "Schema", "Self", "Sequence", "Set",
    "State", "String", "Transient", "Type", "URL", "UUID", "Unique", "Unit", "Void",
  ]

  /// The words that are no names even in backticks, or that mean something else behind a dot.
  private static let forbidden: Set<String> = ["_", "self", "Self", "init", "Type", "Protocol"]

  /// The words that cannot be a name by themselves: Swift's keywords in declarations, statements
  /// and expressions (*The Swift Programming Language*, "Lexical Structure").
  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "inout", "internal", "let", "open", "operator", "precedencegroup", "private",
    "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break",
    "case", "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard",
    "if", "in", "repeat", "return", "switch", "throw", "where", "while", "Any", "as", "await",
    "false", "is", "nil", "super", "throws", "true", "try",
  ]
}
