extension AttributeType {
  /// The types by the names that Xcode writes.
  package static let namesInXcode: [String: AttributeType] = {
    var names = Dictionary(uniqueKeysWithValues: allCases.map { ($0.nameInXcode, $0) })
    names["ObjectID"] = .objectID
    return names
  }()

  /// The name that Xcode writes.
  package var nameInXcode: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "Object ID"
    case .composite: "Composite"
    }
  }
}
