extension AttributeType {
  /// The type that Core Data declares for columns of this type, or nil where no store has shown one.
  ///
  /// Measured on stores of public apps, which hold no ObjectID. A composite attribute has no column of
  /// its own.
  package var declaredColumnType: String? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .float, .double: "FLOAT"
    case .date: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .string, .uri: "VARCHAR"
    case .uuid, .binary, .transformable: "BLOB"
    case .undefined, .objectID, .composite: nil
    }
  }
}
