internal import ObjectModel

/// The Swift type of a property, as far as a lock records it.
struct SwiftTypeName {
  /// The name, such as `String?` or `[Stop]`.
  let text: String

  /// The names of Swift's types by those of attribute types.
  private static let names: [AttributeType: String] = [
    .integer16: "Int16", .integer32: "Int32", .integer64: "Int", .decimal: "Decimal",
    .double: "Double", .float: "Float", .string: "String", .boolean: "Bool", .date: "Date",
    .binary: "Data", .uuid: "UUID", .uri: "URL",
  ]

  /// Reads the type of a locked property; nil where it is a composite or transformed, whose name the
  /// lock does not keep.
  init?(_ property: EntityOutline.Property) {
    let mark = property.values[.isOptional] == "yes" ? "?" : ""
    if property.kind == .relationship {
      guard let destination = property.values[.destination] else { return nil }
      let isToOne = property.values[.cardinality] == "to-one" || property.values[.maxCount] == "1"
      text = (isToOne ? destination : "[\(destination)]") + mark
      return
    }
    let type = AttributeType.allCases.first { "\($0)" == property.values[.type] }
    if type == .transformable, let name = property.values[.className] {
      text =
        name.hasPrefix("Array<")
        ? "[\(name.dropFirst("Array<".count).dropLast())]\(mark)" : name + mark
      return
    }
    // A type that SwiftData treats in an unknown manner is kept as it is spelled.
    if type == nil, let name = property.values[.type] {
      text = name + mark
      return
    }
    guard let name = type.flatMap({ Self.names[$0] }) else { return nil }
    text = name + mark
  }
}
