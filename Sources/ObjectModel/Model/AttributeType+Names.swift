extension AttributeType {
  /// The types by the names that Xcode writes.
  package static let namesInXcode: [String: AttributeType] = [
    "Undefined": .undefined, "Integer 16": .integer16, "Integer 32": .integer32,
    "Integer 64": .integer64, "Decimal": .decimal, "Double": .double, "Float": .float,
    "String": .string, "Boolean": .boolean, "Date": .date, "Binary": .binary, "UUID": .uuid,
    "URI": .uri, "Transformable": .transformable, "ObjectID": .objectID, "Object ID": .objectID,
    "Composite": .composite,
  ]

  /// The name that Xcode writes.
  package var nameInXcode: String {
    Self.namesInXcode.filter { $0.value == self }.keys.max { $0.utf8.count < $1.utf8.count } ?? ""
  }
}
